import Foundation
import ManagedModel

/// Xcode's models, mapping models and projects below a folder.
package struct XcodeFiles: Hashable {
  /// As paths from where the command runs; `.xcdatamodeld` folders, and `.xcdatamodel` folders that are in none.
  package private(set) var packages: [String] = []
  /// `.xcmappingmodel` folders.
  package private(set) var mappingModels: [String] = []
  /// `.xcodeproj` folders.
  package private(set) var projects: [String] = []
  /// Links, but those of names that tools fill, whatever they lead to; they are not followed.
  package private(set) var links: [String] = []
  /// Whether all folders were seen.
  package private(set) var isWhole = true

  /// Looks through the folder level by level, so that what is near comes first.
  ///
  /// What Xcode and package managers fill is passed over, and of a very large tree only the beginning is seen.
  ///
  /// - Parameter folder: as the user wrote it.
  package init(below folder: String, limit: Int = folderLimit) {
    isWhole = DirectoryEntry.walk(below: folder, limit: limit) { path, entry in
      let suffix = (entry.name as NSString).pathExtension.lowercased()
      if entry.kind == .link, !Self.isOpaque(entry.name) { links.append(path) }
      guard entry.kind == .folder else { return false }
      switch suffix {
      case "xcdatamodeld", "xcdatamodel": packages.append(path)
      case "xcmappingmodel": mappingModels.append(path)
      case "xcodeproj": projects.append(path)
      default: return !Self.isOpaque(entry.name)
      }
      return false
    }
  }

  package static let folderLimit = 20_000

  /// Whether a folder is filled by tools.
  package static func isOpaque(_ name: String) -> Bool {
    opaqueExtensions.contains((name as NSString).pathExtension.lowercased()) || opaqueNames.contains(name)
  }

  private static let opaqueExtensions: Set = [
    "xcodeproj", "xcworkspace", "xcassets", "app", "appex", "framework", "xcframework", "bundle", "momd",
    "lproj", "docc", "dsym", "xcarchive",
  ]
  private static let opaqueNames: Set = [
    "Pods", "Carthage", "DerivedData", "node_modules", "build", "Build", "SourcePackages", "vendor",
  ]
}

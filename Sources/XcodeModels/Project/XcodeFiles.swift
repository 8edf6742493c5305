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

  /// Looks through the folder level by level, so that what is near comes first.
  ///
  /// What Xcode and package managers fill is passed over, and of a very large tree only the beginning is seen.
  ///
  /// - Parameter folder: as the user wrote it.
  package init(below folder: String) {
    var level = [folder]
    var left = Self.folderLimit
    while !level.isEmpty, left > 0 {
      var next: [String] = []
      for folder in level.prefix(left) {
        // A link could lead anywhere, and round.
        for entry in directoryEntries(of: folder) where entry.kind == .folder {
          let (name, path) = (entry.name, join(folder, entry.name))
          switch (name as NSString).pathExtension.lowercased() {
          case "xcdatamodeld", "xcdatamodel": packages.append(path)
          case "xcmappingmodel": mappingModels.append(path)
          case "xcodeproj": projects.append(path)
          default: if !Self.isOpaque(name) { next.append(path) }
          }
        }
      }
      left -= level.count
      level = next
    }
  }

  package static let folderLimit = 4_000

  /// Whether a folder is filled by tools.
  package static func isOpaque(_ name: String) -> Bool {
    opaqueExtensions.contains((name as NSString).pathExtension.lowercased()) || opaqueNames.contains(name)
  }

  private static let opaqueExtensions: Set = [
    "xcodeproj", "xcworkspace", "xcassets", "app", "appex", "framework", "xcframework", "bundle", "momd",
    "lproj",
    "docc", "dsym", "xcarchive",
  ]
  private static let opaqueNames: Set = [
    "Pods", "Carthage", "DerivedData", "node_modules", "build", "Build", "SourcePackages", "vendor",
  ]
}

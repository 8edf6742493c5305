import Foundation
import ManagedModel

/// The `.swift` files below a folder, folder by folder in the order of their names.
struct SwiftFileWalk {
  private var folders: [String]
  private var files: [String] = []
  private var count = 0
  /// Whether there is more than was looked at.
  private(set) var isCut = false
  /// Folders that are left out for names that may be a feature's: `LabTests`.
  private(set) var leftOut: [String] = []

  static let fileLimit = 50_000

  init(below folder: String) { folders = [folder] }

  mutating func next() -> String? {
    while files.isEmpty {
      guard let folder = folders.popLast() else { return nil }
      let entries = directoryEntries(of: folder)
      // Links could lead anywhere, and round.
      files = entries.filter { $0.kind == .file && $0.name.hasSuffix(".swift") }.reversed().map {
        "\(folder)/\($0.name)"
      }
      let inner = entries.filter { $0.kind == .folder }.reversed()
      folders += inner.filter { !$0.name.isPassedOver }.map { "\(folder)/\($0.name)" }
      leftOut += inner.filter { $0.name.isPassedOver && $0.name.isLikeSource }.map { "\(folder)/\($0.name)" }
    }
    guard count < Self.fileLimit else {
      isCut = true
      return nil
    }
    count += 1
    return files.popLast()
  }
}

extension String {
  /// Whether a search for source leaves a folder out.
  package var isPassedOver: Bool {
    self == "Tests" || hasSuffix("Tests") || opaqueNames.contains(self)
      || opaqueExtensions.contains((self as NSString).pathExtension)
  }

  /// Whether a folder that is left out may hold an app's own source.
  fileprivate var isLikeSource: Bool { hasSuffix("Tests") || self == "Previews" || self == "vendor" }
}

private let opaqueNames: Set = [
  "Pods", "Carthage", "DerivedData", "node_modules", "build", "SourcePackages", "vendor", "Previews",
]
private let opaqueExtensions: Set = [
  "xcodeproj", "xcworkspace", "xcassets", "xcdatamodeld", "docc", "playground",
]

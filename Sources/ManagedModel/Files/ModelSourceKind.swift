import Foundation

/// What the extension of a path says of the model there; none for a folder of YAML
/// files or of Swift source.
package enum ModelSourceKind: Hashable, Sendable {
  case xcodePackage
  case bundle
  case versionFile
  case swiftFile
  /// What Xcode built, with compiled models inside.
  case build

  package init?(_ path: String) {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "xcdatamodeld", "xcdatamodel": self = .xcodePackage
    case "momd", "mom": self = .bundle
    case "yaml", "yml": self = .versionFile
    case "swift": self = .swiftFile
    case "app", "appex", "framework", "xcframework", "bundle", "xcarchive", "ipa": self = .build
    default: return nil
    }
  }
}

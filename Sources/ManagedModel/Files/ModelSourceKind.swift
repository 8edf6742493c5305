import Foundation

/// What the extension of a path says of the model there; none for a folder of YAML
/// files or of Swift source.
package enum ModelSourceKind: Hashable, Sendable {
  case xcodePackage
  case bundle
  case versionFile
  case swiftFile

  package init?(_ path: String) {
    switch URL(filePath: path).pathExtension.lowercased() {
    case "xcdatamodeld", "xcdatamodel": self = .xcodePackage
    case "momd", "mom": self = .bundle
    case "yaml", "yml": self = .versionFile
    case "swift": self = .swiftFile
    default: return nil
    }
  }
}

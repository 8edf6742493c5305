import Foundation
import ManagedModel
import SwiftDataModels

extension String {
  /// Whether it is a model in YAML.
  package var isModelFolder: Bool { FileManager.default.fileExists(atPath: join(self, versionListFileName)) }

  /// Whether the path is a Swift file, or a folder of source with SwiftData's models and no versions of our own.
  package var isSwiftSource: Bool {
    if let kind = ModelSourceKind(self) { return kind == .swiftFile }
    guard !isModelFolder else { return false }
    // A folder of models may hold source among them.
    let holdsModels = directoryEntries(of: self).contains { entry in
      ModelSourceKind(entry.name).map { $0 == .xcodePackage || $0 == .bundle }
        ?? join(self, entry.name).isModelFolder
    }
    return !holdsModels && isSwiftDataSource
  }
}

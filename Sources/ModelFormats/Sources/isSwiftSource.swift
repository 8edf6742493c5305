import Foundation
import ManagedModel
import SwiftDataModels

extension String {
  /// Whether the path is a Swift file, or a folder of source with SwiftData's models and no versions of our own.
  package var isSwiftSource: Bool {
    if let kind = ModelSourceKind(self) { return kind == .swiftFile }
    let files = FileManager.default
    guard !files.fileExists(atPath: "\(self)/\(versionListFileName)") else { return false }
    // A folder of models may hold source among them.
    let holdsModels = directoryEntries(of: self).contains { entry in
      ModelSourceKind(entry.name).map { $0 == .xcodePackage || $0 == .bundle }
        ?? files.fileExists(atPath: "\(self)/\(entry.name)/\(versionListFileName)")
    }
    return !holdsModels && isSwiftDataSource
  }
}

import Foundation
import ManagedModel
import SwiftDataModels

/// Whether the path is a Swift file, or a folder of source with SwiftData's models and no versions of our own.
package func isSwiftSource(_ path: String) -> Bool {
  if let kind = ModelSourceKind(path) { return kind == .swiftFile }
  let files = FileManager.default
  guard !files.fileExists(atPath: "\(path)/\(versionListFileName)") else { return false }
  // A folder of models may hold source among them.
  let holdsModels = directoryEntries(of: path).contains { entry in
    ModelSourceKind(entry.name).map { $0 == .xcodePackage || $0 == .bundle }
      ?? files.fileExists(atPath: "\(path)/\(entry.name)/\(versionListFileName)")
  }
  return !holdsModels && isSwiftDataSource(path)
}

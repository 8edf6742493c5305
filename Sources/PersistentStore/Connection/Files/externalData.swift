import Foundation
import ManagedModel

/// The folder beside a store that holds its large binary values: `.<name without extension>_SUPPORT`.
func externalDataFolder(ofStoreAt path: String) -> String {
  let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  return (parentFolder(of: path) as NSString).appendingPathComponent(".\(stem)_SUPPORT")
}

/// Copies the files that a store's large binary values lie in to where the store's copy looks for them.
///
/// Only regular files with the names that Core Data gives them (UUIDs) are taken; links are not followed.
///
/// - Returns: the folder that was made, or nil where the store has none.
/// - Throws: ``DiagnosticsError`` where the copy has such a folder already or the files cannot be copied.
package func copyExternalData(ofStoreAt path: String, toStoreAt copy: String) throws -> String? {
  let source = externalDataFolder(ofStoreAt: path) + "/_EXTERNAL_DATA"
  guard let names = try? FileManager.default.contentsOfDirectory(atPath: source), !names.isEmpty else {
    return nil
  }
  let folder = externalDataFolder(ofStoreAt: copy)
  guard try FileStatus(atPath: folder) == nil else { throw DiagnosticsError(.folderTaken(copy, folder)) }
  return try withStoreDiagnostics(for: copy, .destination) {
    do {
      let target = folder + "/_EXTERNAL_DATA"
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
      for name in names where UUID(uuidString: name) != nil {
        let file = try OpenFile(reading: "\(source)/\(name)")
        let new = try OpenFile(creating: "\(target)/\(name)")
        try new.takeOwnership(of: file.status())
        try copyContents(of: file, to: new)
        try new.synchronize()
      }
      return folder
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }
}

extension Diagnostic {
  static func folderTaken(_ store: String, _ folder: String) -> Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error, "the folder for the large values of '\(store)' exists already",
      notes: [Note("'\(folder)' belongs to another store of that name")], help: ["write to another name"])
  }
}

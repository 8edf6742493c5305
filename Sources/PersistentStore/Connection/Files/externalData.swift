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
/// - Parameter joinsFiles: whether the copy has files of its own there already.
/// - Returns: the folder that was made, or nil where the store has none.
/// - Throws: ``DiagnosticsError`` where the copy has such a folder already or the files cannot be copied.
package func copyExternalData(
  ofStoreAt path: String, toStoreAt copy: String, joinsFiles: Bool = false
) throws -> String? {
  let source = externalDataFolder(ofStoreAt: path) + "/_EXTERNAL_DATA"
  guard let names = try? FileManager.default.contentsOfDirectory(atPath: source), !names.isEmpty else {
    return nil
  }
  let folder = externalDataFolder(ofStoreAt: copy)
  let isThere = try FileStatus(atPath: folder) != nil
  if isThere, !joinsFiles { throw DiagnosticsError(.folderTaken(copy, folder)) }
  return try withStoreDiagnostics(for: copy, .destination) {
    do {
      let target = folder + "/_EXTERNAL_DATA"
      if !isThere {
        try makeFolder(folder, like: externalDataFolder(ofStoreAt: path))
        try makeFolder(target, like: source)
      }
      for name in names where UUID(uuidString: name) != nil {
        let file = try OpenFile(reading: "\(source)/\(name)")
        let new = try OpenFile(creating: "\(target)/\(name)")
        try new.takeAttributes(of: file)
        try copyContents(of: file, to: new)
        try new.synchronize()
      }
      for folder in [target, folder, parentFolder(of: folder)] { try synchronizeFolder(folder) }
      return folder
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw error
    }
  }
}

/// Makes a folder that those may enter who may enter the original, and nobody before that.
private func makeFolder(_ path: String, like original: String) throws(SystemError) {
  guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError(errno, "create", path) }
  guard let status = try FileStatus(atPath: original) else { return }
  if status.owner != geteuid() || status.group != getegid() {
    guard unsafe chown(path, status.owner, status.group) == 0 else {
      throw SystemError(errno, "keep the owner of", path)
    }
  }
  guard unsafe chmod(path, status.permissions) == 0 else {
    throw SystemError(errno, "keep the permissions of", path)
  }
}

extension Diagnostic {
  static func folderTaken(_ store: String, _ folder: String) -> Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error, "the folder for the large values of '\(store)' exists already",
      notes: [Note("'\(folder)' belongs to another store of that name")], help: ["write to another name"])
  }
}

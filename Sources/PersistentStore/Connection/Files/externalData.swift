import Foundation
import ManagedModel

/// The folder beside a store that holds its large binary values: `.<name without extension>_SUPPORT`.
func externalDataFolder(ofStoreAt path: String) -> String {
  let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  return (parentFolder(of: path) as NSString).appendingPathComponent(".\(stem)_SUPPORT")
}

/// Copies the files that a store's large binary values lie in to where the store's copy looks for them.
///
/// Only regular files with the names that Core Data gives them (UUIDs) are taken; links are not followed. Until the
/// result is kept the folder holds a mark, by which it is found after a crash.
///
/// - Parameters:
///   - privatePath: where the copy lies until it gets its name.
///   - joinsFiles: whether the migration has put files into the copy's folder already.
/// - Returns: the folder that was made, or nil where there are no such files.
/// - Throws: ``DiagnosticsError`` where the copy has such a folder already or the files cannot be copied.
package func copyExternalData(
  ofStoreAt path: String, toStoreAt copy: String, workAt privatePath: String, joinsFiles: Bool = false
) throws -> CopiedExternalData? {
  let source = externalDataFolder(ofStoreAt: path) + "/_EXTERNAL_DATA"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: source)) ?? []
  guard joinsFiles || !names.isEmpty else { return nil }
  let folder = externalDataFolder(ofStoreAt: copy)
  if !joinsFiles, try FileStatus(atPath: folder) != nil {
    throw DiagnosticsError(.folderTaken(copy, folder))
  }
  let made = CopiedExternalData(path: folder, mark: folderMark(in: folder, ofWorkAt: privatePath))
  return try withStoreDiagnostics(for: copy, .destination) {
    do {
      let target = folder + "/_EXTERNAL_DATA"
      if !joinsFiles { try makeFolder(folder, like: externalDataFolder(ofStoreAt: path)) }
      _ = try OpenFile(creating: made.mark)
      if !joinsFiles { try makeFolder(target, like: source) }
      for name in names where UUID(uuidString: name) != nil {
        let file = try OpenFile(reading: "\(source)/\(name)")
        let new = try OpenFile(creating: "\(target)/\(name)")
        try new.takeAttributes(of: file)
        try copyContents(of: file, to: new)
        try new.synchronize()
      }
      for folder in [target, folder, parentFolder(of: folder)] { try synchronizeFolder(folder) }
      return made
    } catch {
      made.discard()
      throw error
    }
  }
}

/// A copy's folder for external data, before the copy has its name.
package struct CopiedExternalData: Sendable {
  package let path: String
  let mark: String

  /// The copy has its name: the folder is its own.
  package func keep() { try? removeFile(mark) }

  /// Removes the folder with all that was made in it.
  package func discard() { try? removeMarkedFolder(path, mark: mark) }
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

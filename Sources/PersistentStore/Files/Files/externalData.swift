import Foundation
package import ManagedModel

/// The folder with the files of a store's large values; nil if absent. Where it, or the one around it, is a
/// link, there is none: nothing leads to another place.
package func dataFolder(ofStoreAt path: String) throws(SystemError) -> String? {
  for folder in [ExternalFolder.support, .data] {
    guard try FileStatus(atPath: folder.path(ofStoreAt: path))?.kind == .folder else { return nil }
  }
  return ExternalFolder.data.path(ofStoreAt: path)
}

/// Refuses with MC5308 a folder for large values that is a link, or anything else but a folder.
package func requireOwnFolders(ofStoreAt path: String) throws {
  for folder in [ExternalFolder.support, .data] {
    let place = folder.path(ofStoreAt: path)
    guard let kind = try FileStatus(atPath: place)?.kind, kind != .folder else { continue }
    throw DiagnosticsError(
      .externalFolderIsLink,
      "'\(place)' is \(kind == .link ? "a link" : "not a folder"): large values are not read through it",
      notes: ["a store keeps its values in a folder of its own; nothing was read or written there"],
      help: ["put the folder itself next to the store, as Core Data does"])
  }
}

/// The regular files with names that Core Data gives them (UUIDs) in the folder of a store, with their sizes in bytes;
/// links are not followed.
package func externalFiles(ofStoreAt path: String) throws(SystemError) -> [(name: String, byteCount: Int64)] {
  guard let folder = try dataFolder(ofStoreAt: path) else { return [] }
  var files: [(name: String, byteCount: Int64)] = []
  for name in namesInFolder(folder) where UUID(uuidString: name) != nil {
    guard let status = try FileStatus(atPath: "\(folder)/\(name)"), status.kind == .regular else { continue }
    files.append((name, status.size))
  }
  return files
}

/// Makes a folder that those may enter who may enter the original, and nobody before that.
package func makeFolder(_ path: String, like original: FileStatus, isNew: Bool) throws(SystemError) {
  guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError(errno, "create", path) }
  var code: CInt = 0
  if try FileStatus(atPath: path).map({ [$0.owner, $0.group] }) != [original.owner, original.group],
    unsafe chown(path, original.owner, original.group) != 0
  {
    // It is its maker's alone, as a file is (``OpenFile/takeOwnership(of:isNew:)``).
    code = isNew ? 0 : errno
  } else if unsafe chmod(path, isNew ? original.permissions | 0o700 : original.permissions) != 0 {
    code = errno
  }
  if code == 0 { return }
  unsafe rmdir(path)
  throw SystemError(code, "keep the owner and the permissions of", path)
}

/// Removes a folder; one that holds something, or is gone, stays what it is.
package func removeEmptyFolder(_ path: String) throws(SystemError) {
  if unsafe rmdir(path) == 0 { return }
  let code = errno
  if ![ENOENT, ENOTEMPTY, EEXIST].contains(code) { throw SystemError(code, "remove", path) }
}

/// Sorted; none where the folder cannot be read.
package func namesInFolder(_ folder: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

extension Diagnostic.Code { package static let externalFolderIsLink = Self("MC5308") }

extension Diagnostic {
  package static func folderTaken(_ store: String, _ folder: String) -> Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error, "the folder for the large values of '\(store)' already exists",
      notes: [Note("'\(folder)' belongs to another store of that name")], help: ["choose another name"])
  }
}

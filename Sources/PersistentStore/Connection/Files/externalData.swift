import Foundation
import ManagedModel

/// The folder beside a store that holds its large binary values: `.<name without extension>_SUPPORT`.
func externalDataFolder(ofStoreAt path: String) -> String {
  let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  return (parentFolder(of: path) as NSString).appendingPathComponent(".\(stem)_SUPPORT")
}

/// The regular files with names that Core Data gives them (UUIDs) in the folder of a store, with their sizes in bytes;
/// links are not followed.
func externalFiles(ofStoreAt path: String) throws(SystemError) -> [(name: String, byteCount: Int64)] {
  let folder = ExternalFolder.data.path(ofStoreAt: path)
  guard try FileStatus(atPath: folder)?.kind == .folder else { return [] }
  var files: [(name: String, byteCount: Int64)] = []
  for name in namesInFolder(folder) where UUID(uuidString: name) != nil {
    guard let status = try FileStatus(atPath: "\(folder)/\(name)"), status.kind == .regular else { continue }
    files.append((name, status.size))
  }
  return files
}

/// Makes a folder that those may enter who may enter the original, and nobody before that.
func makeFolder(_ path: String, like original: FileStatus) throws(SystemError) {
  guard unsafe mkdir(path, 0o700) == 0 else { throw SystemError(errno, "create", path) }
  var code: CInt = 0
  if try FileStatus(atPath: path).map({ [$0.owner, $0.group] }) != [original.owner, original.group],
    unsafe chown(path, original.owner, original.group) != 0
  {
    code = errno
  } else if unsafe chmod(path, original.permissions) != 0 {
    code = errno
  }
  if code == 0 { return }
  unsafe rmdir(path)
  throw SystemError(code, "keep the owner and the permissions of", path)
}

/// Removes a folder; one that holds something, or is gone, stays what it is.
func removeEmptyFolder(_ path: String) throws(SystemError) {
  if unsafe rmdir(path) == 0 { return }
  let code = errno
  if ![ENOENT, ENOTEMPTY, EEXIST].contains(code) { throw SystemError(code, "remove", path) }
}

/// Sorted; none where the folder cannot be read.
func namesInFolder(_ folder: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

extension Diagnostic {
  static func folderTaken(_ store: String, _ folder: String) -> Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error, "the folder for the large values of '\(store)' exists already",
      notes: [Note("'\(folder)' belongs to another store of that name")], help: ["write to another name"])
  }
}

package import Foundation
import ManagedModel

/// A file by what it is, not by what it is called: a link or a second name has the same identity.
struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var number: UInt64
}

package struct FileStatus: Hashable, Sendable {
  package enum Kind: Sendable {
    case regular, folder, pipe, device, socket, link, other

    var words: String {
      switch self {
      case .link: "a link"
      case .pipe: "a named pipe"
      case .folder: "a folder"
      case .device: "a device"
      case .socket: "a socket"
      case .regular, .other: "a special file"
      }
    }
  }

  package var kind: Kind
  var identity: FileIdentity
  package var size: Int64
  /// How many names the file has, hard links included.
  var linkCount: Int
  /// The permission bits, without the kind.
  package var permissions: mode_t
  var owner: uid_t
  var group: gid_t
  /// Seconds and nanoseconds.
  var modified: timespec

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .folder
    case S_IFIFO: kind = .pipe
    case S_IFBLK, S_IFCHR: kind = .device
    case S_IFSOCK: kind = .socket
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    identity = FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
    size = Int64(status.st_size)
    linkCount = Int(status.st_nlink)
    permissions = status.st_mode & ~S_IFMT
    owner = status.st_uid
    group = status.st_gid
    #if canImport(Darwin)
      modified = status.st_mtimespec
    #else
      modified = status.st_mtim
    #endif
  }

  /// Looks without opening, so that no lock of SQLite's is dropped and a pipe does not block; a link at the
  /// path's end is not followed. Nil if nothing is there.
  package init?(atPath path: String) throws(SystemError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR { return nil }
      throw SystemError(code, "look at", path)
    }
    self.init(status)
  }

  package static func == (left: FileStatus, right: FileStatus) -> Bool {
    left.identity == right.identity && left.kind == right.kind && left.size == right.size
      && left.permissions == right.permissions && left.owner == right.owner && left.group == right.group
      && left.modified.tv_sec == right.modified.tv_sec && left.modified.tv_nsec == right.modified.tv_nsec
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// A call to the system that failed: what was to be done, with which file, and the system's own number.
package struct SystemError: Error, Hashable, Sendable {
  /// `errno`
  var code: CInt
  /// The infinitive of what was tried: `copy`, `rename`.
  var action: String
  var path: String

  init(_ code: CInt, _ action: String, _ path: String) {
    (self.code, self.action, self.path) = (code, action, path)
  }

  /// The system's words, in lower case: `no space left on device`.
  var reason: String { unsafe String(cString: strerror(code)).lowercased() }
}

/// Whether this process may write there; a read-only medium says no too.
func mayWrite(to path: String) -> Bool { unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

/// The absolute path with every link followed; nil if the path leads nowhere.
func resolvedPath(_ path: String) throws(SystemError) -> String? {
  guard let resolved = unsafe realpath(path, nil) else {
    let code = errno
    if [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(code) { return nil }
    throw SystemError(code, "find", path)
  }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

package func parentFolder(of path: String) -> String {
  let parent = path.parentPath
  return parent.isEmpty ? "." : parent
}

extension String {
  package var lastComponent: String { (self as NSString).lastPathComponent }
}

/// Removes a file; that there is none is not an error.
package func removeFile(_ path: String) throws(SystemError) {
  if unsafe unlink(path) != 0, errno != ENOENT { throw SystemError(errno, "remove", path) }
}

/// A file beside the store, written as the store is; beside the real store where the path is a link.
package func sibling(of path: String, named file: String) -> String {
  if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { return file }
  let folder = path.parentPath
  return (folder as NSString).appendingPathComponent((file as NSString).lastPathComponent)
}

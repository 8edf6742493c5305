package import Foundation

/// A file that is open outside SQLite; closed with the value, by way of ``DescriptorKeeper``.
package final class OpenFile: @unchecked Sendable {
  let path: String
  let identity: FileIdentity
  let descriptor: CInt

  /// Opens an existing file for reading. Links are not followed, nothing but a regular file is accepted, and a
  /// pipe or device does not block.
  package convenience init(reading path: String) throws(SystemError) {
    try self.init(path, O_RDONLY | O_NONBLOCK, mode: 0)
  }

  /// Makes a file; fails if the name is taken, by a link too.
  ///
  /// - Parameter mode: the permissions before the user's mask; by default nobody else may read it yet.
  package convenience init(creating path: String, mode: mode_t = 0o600) throws(SystemError) {
    try self.init(path, O_RDWR | O_CREAT | O_EXCL, mode: mode)
  }

  private init(_ path: String, _ flags: CInt, mode: mode_t) throws(SystemError) {
    self.path = path
    let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw SystemError(errno, flags & O_CREAT == 0 ? "open" : "create", path) }
    self.descriptor = descriptor
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      _ = close(descriptor)
      throw SystemError(code, "look at", path)
    }
    identity = FileStatus(status).identity
  }

  deinit { DescriptorKeeper.shared.close(descriptor, of: identity) }

  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw SystemError(errno, "look at", path) }
    return FileStatus(status)
  }

  /// At most `count` bytes; fewer at the file's end.
  package func read(_ count: Int, at offset: Int64) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let done = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if done < 0, errno == EINTR { continue }
      guard done >= 0 else { throw SystemError(errno, "read", path) }
      if done == 0 { break }
      filled += done
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let done = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress?.advanced(by: written), bytes.count - written,
          off_t(offset) + off_t(written))
      }
      if done < 0, errno == EINTR { continue }
      guard done > 0 else { throw SystemError(done == 0 ? ENOSPC : errno, "write", path) }
      written += done
    }
  }

  /// Returns once the file's bytes are on the medium, those that others wrote included.
  package func synchronize() throws(SystemError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(descriptor) == 0 else { throw SystemError(errno, "sync", path) }
  }

  /// Gives this file the permissions and the owner of another.
  ///
  /// - Parameter isNew: whether it takes no other file's place. Its user may write it then; where the owner may not be given away,
  ///   it is that user's alone, because others were trusted with the other one by its owner.
  package func takeOwnership(of other: FileStatus, isNew: Bool) throws(SystemError) {
    let own = try status()
    var permissions = isNew ? other.permissions | 0o600 : other.permissions
    if own.owner != other.owner || own.group != other.group,
      fchown(descriptor, other.owner, other.group) != 0
    {
      guard isNew else { throw SystemError(errno, "keep the owner of", path) }
      permissions = 0o600
    }
    guard fchmod(descriptor, permissions) == 0 else {
      throw SystemError(errno, "keep the permissions of", path)
    }
  }

  /// Marks the file as in use by this process for as long as it is open; false if another process has it.
  ///
  /// Independent of SQLite's locks, which are of another kind (`fcntl`).
  func takeMark() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  func takeModificationTime(of other: FileStatus) throws(SystemError) {
    let times = [other.modified, other.modified]
    guard unsafe futimens(descriptor, times) == 0 else { throw SystemError(errno, "date", path) }
  }
}

/// Returns once the names in a folder are on the medium.
package func synchronizeFolder(_ path: String) throws(SystemError) {
  let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError(errno, "open", path) }
  defer { _ = close(descriptor) }
  // Some file systems (FUSE, network ones) cannot sync a folder and need not.
  if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw SystemError(errno, "sync", path) }
}

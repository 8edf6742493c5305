package import Foundation

/// Writes a new file, without waiting for the disk as Foundation does: that takes longer than a whole compile, and what
/// a power failure takes of a compiled model is compiled again.
///
/// - Throws: an error of `NSPOSIXErrorDomain`; also where the file exists.
package func createFile(_ content: Data, at path: String) throws {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { throw lastError() }
  defer { close(descriptor) }
  try writeAll(content, to: descriptor)
}

/// Writes to an open file, also to a pipe that a program on the other side has switched to not waiting.
///
/// - Throws: an error of `NSPOSIXErrorDomain`.
package func writeAll(_ content: Data, to descriptor: CInt) throws {
  try unsafe content.withUnsafeBytes { bytes in
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wait, 1, -1)
        continue
      }
      guard count > 0 else { throw lastError() }
      unsafe rest = unsafe rest.dropFirst(count)
    }
  }
}

private func lastError() -> NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }

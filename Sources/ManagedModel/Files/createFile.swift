package import Foundation

/// Writes a new file, without waiting for the disk as Foundation does: that takes longer than a whole compile, and what
/// a power failure takes of a compiled model is compiled again.
///
/// - Throws: an error of `NSPOSIXErrorDomain`; also where the file exists.
package func createFile(_ content: Data, at path: String) throws {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { throw lastError() }
  defer { close(descriptor) }
  try unsafe content.withUnsafeBytes { bytes in
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw lastError() }
      unsafe rest = unsafe rest.dropFirst(count)
    }
  }
}

private func lastError() -> NSError {
  let code = errno
  let text = unsafe String(cString: strerror(code))
  return NSError(domain: NSPOSIXErrorDomain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: text])
}

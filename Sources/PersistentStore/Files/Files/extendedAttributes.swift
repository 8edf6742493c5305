import CSQLite
import Foundation

extension OpenFile {
  /// Gives this file permissions, owner and extended attributes of another, access control lists included.
  package func takeAttributes(of other: OpenFile, isNew: Bool = false) throws(SystemError) {
    // Before the permissions, which have the last word: those of the other one are the mask of its access control list.
    try takeExtendedAttributes(of: other)
    try takeOwnership(of: other.status(), isNew: isNew)
  }

  #if canImport(Darwin)
    package func takeExtendedAttributes(of other: OpenFile) throws(SystemError) {
      let kinds = copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL)
      guard unsafe fcopyfile(other.descriptor, descriptor, nil, kinds) == 0 || errno == ENOTSUP else {
        throw SystemError(errno, "keep the attributes of", path)
      }
    }
  #else
    package func takeExtendedAttributes(of other: OpenFile) throws(SystemError) {
      let names = try unsafe other.readAttribute { unsafe flistxattr(other.descriptor, $0, $1) } ?? []
      for name in names.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) }) {
        guard
          let value = try unsafe other.readAttribute({ unsafe fgetxattr(other.descriptor, name, $0, $1) })
        else { continue }
        let result = unsafe value.withUnsafeBytes { bytes in
          unsafe fsetxattr(descriptor, name, bytes.baseAddress, bytes.count, 0)
        }
        if result == 0 { continue }
        let code = errno
        // Labels and capabilities are the system's to give; an attribute of a user or an access list has to stay.
        let isSystems = name.hasPrefix("security.") || name.hasPrefix("trusted.")
        if !isSystems { throw SystemError(code, "keep the attribute '\(name)' of", path) }
      }
    }

    /// The kernel keeps no list and no value of more than 64 KiB.
    private func readAttribute(
      _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) throws(SystemError) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe call(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
      }
      guard count >= 0 else {
        let code = errno
        if [ENOTSUP, EOPNOTSUPP, ENODATA, ENOSYS].contains(code) { return nil }
        throw SystemError(code, "read the attributes of", path)
      }
      return Array(bytes.prefix(count))
    }
  #endif
}

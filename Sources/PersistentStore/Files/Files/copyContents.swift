import CSQLite
import Foundation

extension OpenFile {
  /// Copies all bytes of one file to the beginning of another, in the kernel where it can (blocks are then shared
  /// on file systems that know how).
  ///
  /// - Parameter continues: told several times a second how many bytes are copied; where it says no, the copy ends with an
  ///   error.
  package func copyContents(to target: OpenFile, continues: (Int64) -> Bool = { _ in true })
    throws(SystemError)
  {
    let size = try status().size
    var offset = try copyInKernel(self, target, size, continues)
    while offset < size {
      if !continues(offset) { throw SystemError(ECANCELED, "copy", target.path) }
      let bytes = try self.read(Int(min(chunkSize, size - offset)), at: offset)
      if bytes.isEmpty { throw SystemError(EIO, "read", self.path) }
      try target.write(bytes, at: offset)
      offset += Int64(bytes.count)
    }
  }

  /// Whether a file begins with all that another holds.
  func hasBeginning(_ part: OpenFile) throws(SystemError) -> Bool {
    let size = try part.status().size
    var offset: Int64 = 0
    while offset < size {
      let count = Int(min(chunkSize, size - offset))
      let bytes = try part.read(count, at: offset)
      guard bytes.count == count, try self.read(count, at: offset) == bytes else { return false }
      offset += Int64(count)
    }
    return true
  }
}

private let chunkSize: Int64 = 1 << 20

/// How many bytes were copied; the rest, where the kernel cannot, is left to the caller.
private func copyInKernel(
  _ source: OpenFile, _ target: OpenFile, _ size: Int64, _ continues: (Int64) -> Bool
) throws(SystemError) -> Int64 {
  #if os(Linux)
    var (from, to): (Int64, Int64) = (0, 0)
    while from < size {
      let done = unsafe modelc_copy_file_range(
        source.descriptor, &from, target.descriptor, &to, Int(min(size - from, 128 << 20)))
      if done > 0, !continues(from) { throw SystemError(ECANCELED, "copy", target.path) }
      if done > 0 { continue }
      if done == 0 { break }
      switch errno {
      case EINTR: continue
      case ENOSPC, EDQUOT, EFBIG, EIO: throw SystemError(errno, "copy", target.path)
      default: return from
      }
    }
    return from
  #else
    return 0
  #endif
}

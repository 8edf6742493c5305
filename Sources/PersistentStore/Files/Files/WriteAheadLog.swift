/// The file of changes (`-wal`) beside a store that are not in the store's own file yet.
struct WriteAheadLog: Hashable, Sendable {
  static let headerByteCount = 32

  var size: Int64
  var linkCount: Int
  /// Whether it is long enough to hold changes.
  var hasFrames: Bool { size > Int64(Self.headerByteCount) }
}

/// Why a write-ahead log cannot be read, or is not this store's, judged by its header (sqlite.org/walformat.html, 2.1);
/// nil if it can.
func flaw(ofWALHeader bytes: [UInt8], store: StoreHeader) -> (reason: String, isForeign: Bool)? {
  guard bytes.count >= WriteAheadLog.headerByteCount else { return nil }
  guard bytes.number(at: 0, bytes: 4) & ~1 == 0x377f_0682 else {
    return ("it does not begin as a write-ahead log does", false)
  }
  guard bytes.number(at: 4, bytes: 4) == 3_007_000 else { return ("its format is unknown", false) }
  guard LogSum(ofHeader: bytes).isWritten(in: bytes, at: 24) else { return ("its checksum is wrong", false) }
  let pageSize = bytes.number(at: 8, bytes: 4)
  guard pageSize == store.pageSize else {
    return ("its pages have \(pageSize) bytes, the store's \(store.pageSize)", true)
  }
  guard store.journalForm == .writeAhead else { return ("the store's file uses no write-ahead log", true) }
  return nil
}

/// The sum over a log's words, each frame's going on from the one before it (sqlite.org/walformat.html, 4.2).
struct LogSum {
  private let isBigEndian: Bool
  private var (first, second) = (UInt32(0), UInt32(0))

  init(ofHeader bytes: [UInt8]) {
    isBigEndian = bytes[3] & 1 == 1
    add(bytes[..<24])
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { buffer in
      for start in stride(from: 0, to: buffer.count - 7, by: 8) {
        let words = unsafe (
          buffer.loadUnaligned(fromByteOffset: start, as: UInt32.self),
          buffer.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
        )
        first &+= (isBigEndian ? words.0.bigEndian : words.0.littleEndian) &+ second
        second &+= (isBigEndian ? words.1.bigEndian : words.1.littleEndian) &+ first
      }
    }
  }

  func isWritten(in bytes: [UInt8], at start: Int) -> Bool {
    bytes.number(at: start, bytes: 4) == Int(first) && bytes.number(at: start + 4, bytes: 4) == Int(second)
  }
}

/// The file of changes (`-wal`) beside a store that are not in the store's own file yet.
struct WriteAheadLog: Hashable, Sendable {
  static let headerByteCount = 32

  /// In bytes.
  var size: Int64
  /// How many names the file has.
  var linkCount: Int
  /// Whether it is long enough to hold changes.
  var hasFrames: Bool { size > Int64(Self.headerByteCount) }
}

/// Why a write-ahead log cannot be read, or is not this store's, judged by its header (sqlite.org/walformat.html, 2.1);
/// nil if it can.
func flaw(ofWALHeader bytes: [UInt8], store: StoreHeader) -> (reason: String, isForeign: Bool)? {
  func word(_ index: Int, bigEndian: Bool) -> UInt32 {
    let four = bytes[index * 4..<index * 4 + 4]
    return (bigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
  }
  guard bytes.count >= WriteAheadLog.headerByteCount else { return nil }
  let magic = word(0, bigEndian: true)
  guard magic & ~1 == 0x377f_0682 else { return ("it does not begin as a write-ahead log does", false) }
  guard word(1, bigEndian: true) == 3_007_000 else { return ("its format is unknown", false) }
  var sums: (UInt32, UInt32) = (0, 0)
  for index in stride(from: 0, to: 6, by: 2) {
    sums.0 &+= word(index, bigEndian: magic & 1 == 1) &+ sums.1
    sums.1 &+= word(index + 1, bigEndian: magic & 1 == 1) &+ sums.0
  }
  guard sums == (word(6, bigEndian: true), word(7, bigEndian: true)) else {
    return ("its checksum is wrong", false)
  }
  let pageSize = Int(word(2, bigEndian: true))
  guard pageSize == store.pageSize else {
    return ("its pages have \(pageSize) bytes, the store's \(store.pageSize)", true)
  }
  guard store.journalForm == .writeAhead else {
    return ("the store's file uses no write-ahead log", true)
  }
  return nil
}

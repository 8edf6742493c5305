extension FileStatus {
  /// Of the file of changes (`-wal`) beside a store that are not in the store's own file yet: whether it is long enough to hold
  /// any.
  var hasFrames: Bool { size > Int64(LogPages.headerByteCount) }
}

/// What a store's log has for it, as SQLite reads it (sqlite.org/walformat.html, 4.1): the frames before the first damaged one.
///
/// Frames of an earlier round of the log have another salt and count for nothing. They follow those of this round, which are
/// written one after another: one before any of these is a damaged one.
package struct LogPages {
  static let headerByteCount = 32

  /// Where in the log a page's content begins, as the last finished transaction left it.
  private(set) var places: [Int: Int64] = [:]
  /// Of the last finished transaction: how many pages the store has with it.
  package private(set) var pageCount: Int?
  /// The change counters of the first page, in the order in which it was written; SQLite raises the counter that it found
  /// (`pager_write_changecounter` in pager.c).
  private(set) var changeCounts: [Int] = []
  /// The first damaged frame, counted from 1, and how many transactions end there or after it.
  private(set) var damage: (frame: Int, transactions: Int)?
  private let log: OpenFile
  private let pageSize: Int

  /// Nil where the file does not begin as a log does.
  ///
  /// - Parameter header: of a store that the log may contradict; what comes after a first page that continues it is not read,
  ///   since nothing there could contradict it.
  package init?(ofLogAt path: String, judging header: StoreHeader? = nil) throws {
    log = try OpenFile(reading: path)
    let beginning = try log.read(Self.headerByteCount, at: 0)
    pageSize = beginning.number(at: 8, bytes: 4)
    guard beginning.count == Self.headerByteCount else { return nil }
    var sum = LogSum(ofHeader: beginning)
    guard (512...65536).contains(pageSize), sum.isWritten(in: beginning, at: 24) else { return nil }
    var (unfinished, counts, firstFormer) = ([Int: Int64](), [Int](), Int?.none)
    let end = try log.status().size
    for index in 0... {
      let start = Int64(beginning.count + index * (24 + pageSize))
      // Of what may be an earlier round, gigabytes perhaps, the salt alone is read.
      let count = firstFormer == nil ? 24 + pageSize : 24
      let frame = try log.read(count, at: start)
      guard frame.count == count, start + Int64(24 + pageSize) <= end else { break }
      guard frame[8..<16] == beginning[16..<24] else {
        firstFormer = firstFormer ?? index + 1
        // Whose log it is, those before it say.
        if header == nil { continue }
        break
      }
      sum.add(frame[..<8])
      sum.add(frame[24...])
      let (page, pages) = (frame.number(at: 0, bytes: 4), frame.number(at: 4, bytes: 4))
      if damage == nil, firstFormer != nil || !sum.isWritten(in: frame, at: 16) {
        damage = (frame: firstFormer ?? index + 1, transactions: 0)
      }
      if damage != nil {
        damage?.transactions += pages > 0 ? 1 : 0
        continue
      }
      unfinished[page] = start + 24
      if page == 1 { counts.append(frame.number(at: 48, bytes: 4)) }
      // Whether or not its transaction was finished.
      if let header, let first = counts.first, (first - 1...first).contains(header.changeCount),
        pageCount ?? header.pageCount == header.pageCount
      {
        break
      }
      guard pages > 0 else { continue }
      places.merge(unfinished) { $1 }
      (unfinished, pageCount, changeCounts) = ([:], pages, counts)
    }
  }

  package func page(_ number: Int) throws -> [UInt8]? {
    try places[number].map { try log.read(pageSize, at: $0) }
  }
}

/// Why a write-ahead log cannot be read, or is not this store's, judged by its header (sqlite.org/walformat.html, 2.1);
/// nil if it can.
func flaw(ofWALHeader bytes: [UInt8], store: StoreHeader) -> (reason: String, isForeign: Bool)? {
  guard bytes.count >= LogPages.headerByteCount else { return nil }
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

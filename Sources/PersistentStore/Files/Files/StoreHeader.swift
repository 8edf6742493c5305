/// The first 100 bytes of a SQLite file, as far as they tell what it is (sqlite.org/fileformat2.html, 1.3).
package struct StoreHeader: Hashable, Sendable {
  static let byteCount = 100
  static let magic = Array("SQLite format 3\u{0}".utf8)
  /// Where the two bytes stand that say which journal the file needs: 1 rollback, 2 write-ahead.
  static let journalFormOffset: Int64 = 18

  package enum JournalForm: UInt8, Sendable { case rollback = 1, writeAhead = 2 }

  /// In bytes: no SQLite file has more pages than 2^32, or larger ones than 65,536.
  static let largestFile: Int64 = 1 << 48

  package var pageSize: Int
  /// Nil if the last writer was too old to keep the number.
  package var pageCount: Int?
  package var journalForm: JournalForm
  /// Goes up with every transaction that is written without a log.
  package var changeCount: Int
  var freePageCount: Int

  /// Nil if the bytes are not header that SQLite would read.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
    let size = bytes.number(at: 16, bytes: 2)
    pageSize = size == 1 ? 65536 : size
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    guard let form = JournalForm(rawValue: bytes[19]) else { return nil }
    journalForm = form
    changeCount = bytes.number(at: 24, bytes: 4)
    freePageCount = bytes.number(at: 36, bytes: 4)
    // 0 in a file without tables; later formats would be unreadable.
    guard bytes.number(at: 44, bytes: 4) <= 4 else { return nil }
    let count = bytes.number(at: 28, bytes: 4)
    pageCount = changeCount == bytes.number(at: 92, bytes: 4) && count > 0 ? count : nil
  }
}

extension [UInt8] {
  /// A number whose first byte weighs most, as all numbers of SQLite's files; 0 beyond the end.
  package func number(at start: Int, bytes count: Int) -> Int {
    guard start >= 0, start + count <= self.count else { return 0 }
    return self[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
  }
}

extension OpenFile {
  /// Sets in which journal mode the next connection finds this SQLite file; none may be open.
  func setJournalForm(_ form: StoreHeader.JournalForm) throws(SystemError) {
    try write([form.rawValue, form.rawValue], at: StoreHeader.journalFormOffset)
  }
}

import Foundation
import GRDB
import ManagedModel
import PersistentStore

/// A SQLite file that is read page by page, around what is damaged (sqlite.org/fileformat2.html).
///
/// SQLite ends a question at the first page that is not as it should be. This reads as its `.recover` does: a cell that makes no
/// sense costs that row, a page that makes none costs its rows, and all others are found.
struct DamagedFile {
  /// A row, as its page has it: the cell of an `INTEGER PRIMARY KEY` is NULL, and the key beside it.
  struct Row {
    var key: Int64
    var cells: [StoredCell]
  }

  /// What was met on the way through a tree.
  struct Walk {
    var rows = 0
    /// Pages and cells that make no sense.
    var damages = 0
    /// The keys of the rows that should be in such pages.
    private(set) var gaps: [ClosedRange<Int64>] = []

    mutating func miss(_ keys: ClosedRange<Int64>) {
      // More than anyone damages by chance.
      if gaps.count < 100_000 { gaps.append(keys) }
    }
  }

  let name: String
  private let pageCount: Int
  private let isCancelled: () -> Bool
  private let file: OpenFile
  /// What of the file is in its log, as SQLite would read it.
  private let log: LogPages?
  private let pageSize: Int
  /// Without what an extension keeps at each page's end.
  private let usableSize: Int
  private let encoding: String.Encoding
  /// Pages that a tree has, a bit for each: no page is read twice, wherever damaged numbers lead.
  private var visited: [UInt64]
  /// How many pages behind records may still be read: each is one record's, so that more than there are lead in circles.
  private var pagesLeft: Int

  /// - Parameters:
  ///   - name: of the user's store, as messages have it.
  ///   - isCancelled: asked at every page; reading then ends with an error of SQLite.
  init(_ path: String, of name: String, isCancelled: @escaping () -> Bool = { false }) throws {
    (self.name, self.isCancelled) = (name, isCancelled)
    let (file, log) = (try OpenFile(reading: path), try? LogPages(ofLogAt: path + "-wal"))
    (self.file, self.log) = (file, log)
    let header = try log?.page(1) ?? file.read(100, at: 0)
    guard header.count >= 100, let store = StoreHeader(header) else {
      throw DiagnosticsError(.nothingToSave(name, ["its header is damaged"]))
    }
    pageSize = store.pageSize
    usableSize = max(480, pageSize - Int(header[20]))
    encoding = [2: .utf16LittleEndian, 3: .utf16BigEndian][header.number(at: 56, bytes: 4)] ?? .utf8
    let ownCount = Int(try file.status().size / Int64(pageSize))
    // What is past the end that the log says is stale; a forged log may count more pages than there are anywhere.
    pageCount = min(log?.pageCount ?? ownCount, ownCount + 1 << 20)
    visited = [UInt64](repeating: 0, count: pageCount / 64 + 1)
    pagesLeft = 2 * pageCount
  }

  /// Every row of a table, each page once.
  ///
  /// A page whose keys are not those that the pages above it say may be another one's copy: its rows come last, so that one that
  /// stands in its place is not kept from it.
  ///
  /// - Parameters:
  ///   - hasRowIDs: where it has none it is an index of all its columns.
  ///   - body: says whether the row is one of this table.
  mutating func readTable(root: Int, hasRowIDs: Bool = true, _ body: (Row) throws -> Bool) throws -> Walk {
    if !hasRowIDs { return try readIndex(root: root, body) }
    var walk = Walk()
    var open = claim([(root, Int64.min...Int64.max)], &walk)
    var doubtful: [Int] = []
    while let next = open.popLast() {
      guard let page = try page(next.page), page.isOfTable else {
        walk.damages += 1
        walk.miss(next.keys)
        continue
      }
      guard page.isLeaf else {
        open += claim(page.children(within: next.keys, &walk), &walk).reversed()
        continue
      }
      let keys = page.cells.compactMap { page.bytes.varint(at: $0)?.next }
        .compactMap { page.bytes.varint(at: $0)?.value }
      let isInOrder = zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
      if isInOrder, keys.allSatisfy(next.keys.contains) {
        let damages = walk.damages
        try read(page, &walk, body)
        if walk.damages > damages { walk.miss(next.keys) }
      } else {
        doubtful.append(next.page)
        walk.miss(next.keys)
      }
    }
    for number in doubtful { if let page = try page(number) { try read(page, &walk, body) } }
    return walk
  }

  /// Reads every entry of an index, each page once.
  ///
  /// - Parameter counts: whether the rows are counted, and not read.
  mutating func readIndex(root: Int, counts: Bool = false, _ body: (Row) throws -> Bool) throws -> Walk {
    var walk = Walk()
    let all = Int64.min...Int64.max
    var open = claim([(root, all)], &walk)
    while let next = open.popLast() {
      guard let page = try page(next.page), !page.isOfTable else {
        walk.damages += 1
        continue
      }
      if counts {
        walk.rows += page.cells.count
        walk.damages += page.cellCount - page.cells.count
      } else {
        try read(page, &walk, body)
      }
      if !page.isLeaf { open += claim(page.children(within: all, &walk), &walk) }
    }
    return walk
  }

  /// Leaf pages that no tree leads to any more, because a page above them is damaged. Free pages, which hold what was deleted,
  /// are not among them.
  ///
  /// - Returns: also whether they may be free all the same, because the list of free pages is damaged too.
  mutating func takeLostPages() throws -> (numbers: [Int], mayBeFree: Bool) {
    let mayBeFree = try !takeFreePages()
    let numbers = try stride(from: 2, through: pageCount, by: 1).filter { number in
      guard claim(number), let page = try page(number) else { return false }
      return page.isOfTable && page.isLeaf
    }
    return (numbers, mayBeFree)
  }

  mutating func read(_ pages: [Int], _ body: (Row) throws -> Bool) throws -> Walk {
    var walk = Walk()
    // They are read more than once, each time with all that stands behind their records.
    pagesLeft = 2 * pageCount
    for number in pages { if let page = try page(number) { try read(page, &walk, body) } }
    return walk
  }

  private mutating func read(_ page: Page, _ walk: inout Walk, _ body: (Row) throws -> Bool) throws {
    walk.damages += page.cellCount - page.cells.count
    for cell in page.cells {
      guard let row = try row(at: cell, of: page), try body(row) else {
        walk.damages += 1
        continue
      }
      walk.rows += 1
    }
  }

  /// Of pages that one leads to those that no other has led to.
  private mutating func claim(
    _ pages: [(page: Int, keys: ClosedRange<Int64>)], _ walk: inout Walk
  ) -> [(page: Int, keys: ClosedRange<Int64>)] {
    pages.filter { next in
      if claim(next.page) { return true }
      walk.damages += 1
      walk.miss(next.keys)
      return false
    }
  }

  private mutating func claim(_ number: Int) -> Bool {
    guard (1...max(1, pageCount)).contains(number) else { return false }
    let isNew = visited[number / 64] & 1 << (number % 64) == 0
    visited[number / 64] |= 1 << (number % 64)
    return isNew
  }

  /// Nil where it is none of a tree.
  private func page(_ number: Int) throws -> Page? {
    Page(try bytes(ofPage: number), isFirst: number == 1, usableSize)
  }

  private func bytes(ofPage number: Int) throws -> [UInt8] {
    if isCancelled() { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
    return try log?.page(number) ?? file.read(pageSize, at: Int64(number - 1) * Int64(pageSize))
  }

  /// Marks the free pages as read.
  ///
  /// - Returns: false where the list of them is damaged.
  private mutating func takeFreePages() throws -> Bool {
    var trunk = try bytes(ofPage: 1).number(at: 32, bytes: 4)
    var seen = 0
    while trunk != 0 {
      guard (2...max(2, pageCount)).contains(trunk), seen <= pageCount else { return false }
      _ = claim(trunk)
      let page = try bytes(ofPage: trunk)
      let count = page.number(at: 4, bytes: 4)
      guard count <= usableSize / 4 - 2, page.count == pageSize else { return false }
      for index in 0..<count {
        let leaf = page.number(at: 8 + 4 * index, bytes: 4)
        guard (2...max(2, pageCount)).contains(leaf) else { return false }
        _ = claim(leaf)
      }
      seen += 1
      trunk = page.number(at: 0, bytes: 4)
    }
    return true
  }

  /// - Returns: nil where the cell makes no sense, or leads to pages that do not.
  private mutating func row(at cell: Int, of page: Page) throws -> Row? {
    // Behind the page below it, where there is one.
    guard let size = page.bytes.varint(at: page.isOfTable || page.isLeaf ? cell : cell + 4),
      let key = page.isOfTable ? page.bytes.varint(at: size.next) : (value: 0, next: size.next),
      (1...Int64(1) << 30).contains(size.value), size.value <= Int64(pageCount) * Int64(pageSize)
    else { return nil }
    guard let payload = try payload(at: key.next, count: Int(size.value), of: page) else { return nil }
    return payload.record(encoding).map { Row(key: key.value, cells: $0) }
  }

  /// What a page holds of a record, and what stands in pages of their own behind it.
  private mutating func payload(at start: Int, count: Int, of page: Page) throws -> [UInt8]? {
    let most = page.isOfTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    var local = count
    if count > most {
      let least = (usableSize - 12) * 32 / 255 - 23
      let wanted = least + (count - least) % (usableSize - 4)
      local = wanted <= most ? wanted : least
    }
    guard start + local + (local < count ? 4 : 0) <= page.bytes.count else { return nil }
    var payload = Array(page.bytes[start..<start + local])
    var next = local < count ? page.bytes.number(at: start + local, bytes: 4) : 0
    while payload.count < count {
      guard (2...max(2, pageCount)).contains(next), pagesLeft > 0 else { return nil }
      pagesLeft -= 1
      let more = try bytes(ofPage: next)
      guard more.count == pageSize else { return nil }
      payload += more[4..<min(usableSize, 4 + count - payload.count)]
      next = more.number(at: 0, bytes: 4)
    }
    return payload
  }
}

/// A page of a tree.
private struct Page {
  let bytes: [UInt8]
  let isOfTable: Bool
  let isLeaf: Bool
  /// As its header says.
  let cellCount: Int
  /// Where its cells begin, of those that begin within it.
  let cells: [Int]
  /// Of a page that is no leaf, the last page below it.
  private let lastChild: Int

  init?(_ bytes: [UInt8], isFirst: Bool, _ usableSize: Int) {
    let start = isFirst ? 100 : 0
    guard bytes.count >= usableSize, [2, 5, 10, 13].contains(bytes[start]) else { return nil }
    self.bytes = Array(bytes.prefix(usableSize))
    isOfTable = [5, 13].contains(bytes[start])
    isLeaf = bytes[start] >= 10
    cellCount = bytes.number(at: start + 3, bytes: 2)
    lastChild = isLeaf ? 0 : bytes.number(at: start + 8, bytes: 4)
    let pointers = start + (isLeaf ? 8 : 12)
    cells = (0..<min(cellCount, (usableSize - pointers) / 2)).map {
      bytes.number(at: pointers + 2 * $0, bytes: 2)
    }
    .filter { (pointers..<usableSize - 4).contains($0) }
  }

  /// The pages below, with the keys that are in each; all those of the page where its own are in no order.
  func children(
    within keys: ClosedRange<Int64>, _ walk: inout DamagedFile.Walk
  ) -> [(page: Int, keys: ClosedRange<Int64>)] {
    walk.damages += cellCount - cells.count
    if cellCount > cells.count { walk.miss(keys) }
    let ends = isOfTable ? cells.map { bytes.varint(at: $0 + 4)?.value } : []
    let isInOrder = zip(ends, ends.dropFirst()).allSatisfy { ($0 ?? .max) < ($1 ?? .min) }
    var lower = keys.lowerBound
    var children: [(page: Int, keys: ClosedRange<Int64>)] = []
    for (index, cell) in cells.enumerated() {
      var range = keys
      if isOfTable, isInOrder, let end = ends[index], end >= lower, end < keys.upperBound {
        range = lower...end
        lower = end + 1
      }
      children.append((bytes.number(at: cell, bytes: 4), range))
    }
    return children + [(lastChild, lower...keys.upperBound)]
  }
}

extension [UInt8] {
  /// A number of one to nine bytes, and what follows it.
  fileprivate func varint(at start: Int) -> (value: Int64, next: Int)? {
    var value: UInt64 = 0
    for offset in 0..<9 {
      guard start >= 0, start + offset < count else { return nil }
      let byte = self[start + offset]
      if offset == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), start + 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (Int64(bitPattern: value), start + offset + 1) }
    }
    return nil
  }

  /// The cells of a record: a header of their types, and then their bytes.
  ///
  /// - Returns: nil where the two do not fit each other.
  fileprivate func record(_ encoding: String.Encoding) -> [StoredCell]? {
    guard let size = varint(at: 0), (1...Int64(count)).contains(size.value) else { return nil }
    var (place, start) = (size.next, Int(size.value))
    var cells: [StoredCell] = []
    while place < Int(size.value) {
      // No table of SQLite's has more columns.
      guard cells.count < 32_767 else { return nil }
      guard let type = varint(at: place), type.next <= Int(size.value), type.value >= 0 else { return nil }
      place = type.next
      let length =
        type.value < 12 ? [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][Int(type.value)] : Int((type.value - 12) / 2)
      guard ![10, 11].contains(type.value), length <= count - start else { return nil }
      cells.append(cell(ofType: type.value, self[start..<start + length], encoding))
      start += length
    }
    return cells
  }

  private func cell(ofType type: Int64, _ bytes: ArraySlice<UInt8>, _ encoding: String.Encoding) -> StoredCell
  {
    switch type {
    case 0: return .null
    case 1...6:
      let isNegative = (bytes.first ?? 0) >= 0x80
      return .integer(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) })
    case 7: return .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    case 8, 9: return .integer(type - 8)
    case let type where type % 2 == 0: return .blob(Data(bytes))
    default:
      let text = encoding == .utf8 ? nil : String(data: Data(bytes), encoding: encoding)
      return .text(text ?? String(decoding: bytes, as: UTF8.self))
    }
  }
}

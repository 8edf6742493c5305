import GRDB
import PersistentStore

/// The rows of a table of a damaged file that can be read, as ranges of keys.
struct ReadableRows {
  private(set) var ranges: [(keys: ClosedRange<Int64>, rows: Int)] = []
  private(set) var count = 0
  /// Keys at which reading fails. There need not have been a row at each.
  private(set) var unreadable: [ClosedRange<Int64>] = []

  private let db: Database
  private let table: String
  /// Quoted, with commas.
  private let columns: String
  /// The greatest key that anything else in the file tells of.
  private let greatestKnown: Int64
  /// Looks that are left: the tree below a damaged page has no end.
  private var looks = 400_000

  /// Reads every row once.
  init(_ db: Database, table: String, columns: String, greatestKnown: Int64) throws {
    self.db = db
    self.table = table
    self.columns = columns
    self.greatestKnown = greatestKnown
    try read(Int64.min...Int64.max)
    ranges.sort { $0.keys.lowerBound < $1.keys.lowerBound }
    unreadable.sort { $0.lowerBound < $1.lowerBound }
  }

  /// From both ends to the damage, and then in halves into it.
  private mutating func read(_ whole: ClosedRange<Int64>) throws {
    var open = [whole]
    while let range = open.popLast() {
      guard looks > 0 else {
        unreadable.append(range)
        continue
      }
      guard let gap = try readEnds(of: range) else { continue }
      guard gap.lowerBound < gap.upperBound else {
        unreadable.append(gap)
        continue
      }
      let middle = gap.lowerBound + Int64((UInt64(bitPattern: gap.upperBound &- gap.lowerBound)) / 2)
      open.append(middle + 1...gap.upperBound)
      open.append(gap.lowerBound...middle)
    }
  }

  /// - Returns: what is left in the middle; nil if all can be read.
  private mutating func readEnds(of range: ClosedRange<Int64>) throws -> ClosedRange<Int64>? {
    let forward = try step(range, "ASC")
    if forward.isWhole {
      keep(range, forward.rows)
      return nil
    }
    var rest = range
    if let last = forward.last {
      keep(range.lowerBound...last, forward.rows)
      guard last < range.upperBound else { return nil }
      rest = last + 1...range.upperBound
    }
    let backward = try step(rest, "DESC")
    if let last = backward.last {
      keep(last...rest.upperBound, backward.rows)
      guard last > rest.lowerBound else { return nil }
      return rest.lowerBound...last - 1
    }
    if backward.isWhole { return nil }
    // Beyond what is known no end would be found.
    let lower = max(rest.lowerBound, rest.lowerBound < 0 ? -1_024 : rest.lowerBound)
    let known = max(greatestKnown, forward.last ?? 0)
    let upper = min(rest.upperBound, known < Int64.max - 1_024 ? known + 1_024 : Int64.max)
    return lower <= upper ? lower...upper : nil
  }

  private mutating func keep(_ range: ClosedRange<Int64>, _ rows: Int) {
    guard rows > 0 else { return }
    ranges.append((range, rows))
    count += rows
  }

  private mutating func step(
    _ range: ClosedRange<Int64>, _ direction: String
  ) throws -> (last: Int64?, rows: Int, isWhole: Bool) {
    looks -= 1
    var (last, rows): (Int64?, Int) = (nil, 0)
    do {
      let cursor = try Row.fetchCursor(
        db,
        sql: "SELECT rowid, \(columns) FROM \(table) WHERE rowid BETWEEN \(range.lowerBound) "
          + "AND \(range.upperBound) ORDER BY rowid \(direction)")
      while let row = try cursor.next() {
        guard let key = Int64.fromDatabaseValue(row[0]) else { break }
        last = key
        rows += 1
      }
      return (last, rows, true)
    } catch let error as DatabaseError where error.isDamage {
      return (last, rows, false)
    }
  }
}

extension DatabaseError {
  /// Whether it says that the file's pages are not in order.
  var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR].contains(resultCode) }
}

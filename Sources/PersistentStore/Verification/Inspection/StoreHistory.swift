package import Foundation
package import GRDB

/// What a store's persistent history tells: who saved, when, how much of what.
package struct StoreHistory: Sendable {
  /// Who saved: an author that the app has set, and the program.
  package struct Writer: Sendable {
    package var author: String?
    package var bundle: String?
    package var transactions: Int
    package var changes: Int
    package var first: Date
    package var last: Date
  }

  /// Objects that saves inserted, updated or deleted, each time counted.
  package struct Changes: Sendable {
    package var entity: String
    package var inserted: Int
    package var updated: Int
    package var deleted: Int
  }

  /// A day in UTC with saves.
  package struct Day: Sendable {
    package var day: String
    package var transactions: Int
    package var changes: Int
  }

  package var transactions = 0
  package var changes = 0
  /// Of all transactions; nil if there are none.
  package var first: Date?
  package var last: Date?
  /// The two hundred with most transactions.
  package var writers: [Writer] = []
  /// In the order of most changes.
  package var entities: [Changes] = []
  /// The last thirty of them, the latest first.
  package var days: [Day] = []
  /// Of the history's tables and indexes.
  package var bytes: Int64
  /// Whether CloudKit mirroring reads it: what it has not exported yet must stay.
  package var isMirrored: Bool

  /// Reads a store's persistent history; nil if it keeps none. Every row is looked at once.
  package init?(_ db: Database) throws {
    let physical = try db.readPhysicalSchema()
    guard let saves = physical.table(named: "ATRANSACTION"), let changes = physical.table(named: "ACHANGE")
    else { return nil }
    let own = physical.tables.map(\.name).filter(\.isHistoryTable)
    let sizes = try db.countTableBytes(physical: physical)
    bytes = own.map { sizes[$0]?.total ?? 0 }.reduce(0, +)
    isMirrored = physical.tables.map(\.name).contains(where: \.isCloudKitTable)
    // Since iOS 15 a text stands once, and a transaction has its key; before, in the transaction.
    let hasTexts = physical.table(named: "ATRANSACTIONSTRING") != nil
    func text(_ column: String) -> String {
      let names = ["Z\(column)TS", "Z\(column)"].map { name in saves.columns.contains { $0.name == name } }
      let parts: [String] =
        (names[0] && hasTexts ? ["(SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = t.Z\(column)TS)"] : [])
        + (names[1] ? ["t.Z\(column)"] : [])
      return parts.isEmpty ? "NULL" : "COALESCE(\(parts.joined(separator: ", ")), NULL)"
    }
    let table = changes.name.quotedIdentifier
    let counts =
      "LEFT JOIN (SELECT ZTRANSACTIONID AS id, COUNT(*) AS n FROM \(table) GROUP BY 1) c ON c.id = t.Z_PK"
    let writers = try Row.fetchAll(
      db,
      sql: """
        SELECT \(text("AUTHOR")), \(text("BUNDLEID")), COUNT(*), TOTAL(c.n), MIN(t.ZTIMESTAMP), MAX(t.ZTIMESTAMP),
          SUM(COUNT(*)) OVER (), SUM(TOTAL(c.n)) OVER (), MIN(MIN(t.ZTIMESTAMP)) OVER (), MAX(MAX(t.ZTIMESTAMP)) OVER ()
        FROM ATRANSACTION t \(counts) GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 200
        """)
    if let all = writers.first {
      (transactions, self.changes, first, last) = (all.count(6), all.count(7), all.date(8), all.date(9))
    }
    self.writers = writers.map { row in
      StoreHistory.Writer(
        author: row.text(0), bundle: row.text(1), transactions: row.count(2), changes: row.count(3),
        first: row.date(4), last: row.date(5))
    }
    days = try Row.fetchAll(
      db,
      sql: """
        SELECT date(t.ZTIMESTAMP + 978307200, 'unixepoch'), COUNT(*), TOTAL(c.n) FROM ATRANSACTION t \(counts)
        GROUP BY 1 ORDER BY 1 DESC LIMIT 30
        """
    ).map { StoreHistory.Day(day: $0.text(0) ?? "unknown", transactions: $0.count(1), changes: $0.count(2)) }
    entities = try Row.fetchAll(
      db,
      sql: """
        SELECT (SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT = c.ZENTITY), COUNT(*) FILTER (WHERE ZCHANGETYPE = 0),
          COUNT(*) FILTER (WHERE ZCHANGETYPE = 1), COUNT(*) FILTER (WHERE ZCHANGETYPE = 2), c.ZENTITY
        FROM \(table) c GROUP BY c.ZENTITY ORDER BY COUNT(*) DESC LIMIT 1000
        """
    ).map {
      StoreHistory.Changes(
        entity: $0.text(0) ?? "entity \($0.count(4))", inserted: $0.count(1), updated: $0.count(2),
        deleted: $0.count(3))
    }
  }
}

extension Row {
  fileprivate func count(_ index: Int) -> Int {
    Int(exactly: (Double.fromDatabaseValue(self[index]) ?? 0).rounded()) ?? 0
  }

  /// Of the years that a calendar has a name for.
  fileprivate func date(_ index: Int) -> Date {
    let seconds = Double.fromDatabaseValue(self[index]) ?? 0
    return Date(
      timeIntervalSinceReferenceDate: Swift.min(Swift.max(seconds.isNaN ? 0 : seconds, -6e10), 2.5e11))
  }
}

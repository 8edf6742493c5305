import Foundation
import GRDB
import ManagedModel

/// A condition that no row of a table should satisfy.
struct RowCheck {
  /// Over the row `t` and the rows that the scan's joins add to it.
  var condition: String
  /// Aliases of the joins that the condition speaks of.
  var joins: [String] = []
  /// The value that it is about, for those who ask to see it.
  var value: String?
  /// What a first look asks in the place of the condition.
  var firstLook = QuickFilter.condition
  /// The rule as the model's file says it; empty if the check is of no such rule.
  var rule = ""
  /// Makes the finding from the number of rows.
  var diagnostic: @Sendable (_ count: Int) -> Diagnostic

  /// A quicker question, which may suspect a row that is in order but misses none that is not.
  enum QuickFilter {
    case condition
    /// What is true for rows that are in order alone.
    case holds(String)
    /// What is true for every row that is not.
    case breaks(String)
    /// Another check of the table asks it too.
    case covered
  }
}

/// All questions about the rows of one table. One pass over the table answers them, or a few where a table has very many
/// references.
///
/// The pass reads each row once, with the rows that it refers to. It keeps only counts, so memory does not grow with the
/// store.
struct RowScan {
  /// SQLite joins at most 64 tables.
  private static let joinLimit = 40
  /// SQLite yields at most 2,000 columns.
  private static let checkLimit = 400
  private let exampleLimit: Int

  private let table: String
  private let key: String
  private var joins: [(alias: String, sql: String)] = []
  private var checks: [RowCheck] = []
  private var ownScans: [RowCheck] = []
  /// Counts that are not checks.
  private var tallies: [String] = []

  /// - Parameter key: what names a row in findings.
  init(table: String, key: String = "Z_PK", exampleLimit: Int = 5) {
    self.table = table
    self.exampleLimit = exampleLimit
    self.key = key.quotedIdentifier
  }

  var checkCount: Int { checks.count + ownScans.count }

  /// Puts the row beside each row whose key the column holds.
  mutating func join(_ target: String, on column: String) -> String {
    add { "\(target.quotedIdentifier) AS \($0) ON \($0).Z_PK = t.\(column.quotedIdentifier)" }
  }

  /// Puts the number `n` of the rows of `target` whose column holds the row's key beside each row; null for none.
  mutating func joinCount(of target: String, by column: String) -> String {
    let (column, key) = (column.quotedIdentifier, key)
    return add { alias in
      "(SELECT \(column) AS k, COUNT(*) AS n FROM \(target.quotedIdentifier) WHERE \(column) IS NOT NULL "
        + "GROUP BY \(column)) AS \(alias) ON \(alias).k = t.\(key)"
    }
  }

  private mutating func add(_ sql: (_ alias: String) -> String) -> String {
    if let known = joins.first(where: { sql($0.alias) == $0.sql }) { return known.alias }
    let alias = "j\(joins.count)"
    joins.append((alias, sql(alias)))
    return alias
  }

  mutating func check(_ check: RowCheck) { checks.append(check) }

  mutating func check(
    _ condition: String, joins: [String] = [], value: String? = nil,
    _ diagnostic: @escaping @Sendable (_ count: Int) -> Diagnostic
  ) {
    check(RowCheck(condition: condition, joins: joins, value: value, diagnostic: diagnostic))
  }

  /// A check that reads one column and what it refers to: by itself it goes through an index alone, and meets the rows
  /// that are referred to in their order.
  mutating func checkByIndex(_ check: RowCheck) { ownScans.append(check) }

  /// Counts the rows for which a condition without joins holds.
  mutating func tally(_ condition: String) { tallies.append(condition) }

  /// - Returns: what was found, and the tallies in their order.
  func run(_ db: Database, showsValues: Bool) throws -> (findings: [Verification.Finding], tallies: [Int]) {
    var findings: [Verification.Finding] = []
    var counted: [Int] = []
    var rest = checks[...]
    var isFirst = true
    while isFirst || !rest.isEmpty {
      let batch = nextBatch(&rest)
      // Of two that one look asks, both have to be here.
      if isFirst, rest.isEmpty, tallies.isEmpty, try !suspects(batch, db) { break }
      let counts = try count(batch, tallies: isFirst ? tallies : [], db)
      if isFirst { counted = Array(counts.prefix(tallies.count)) }
      for (check, count) in zip(batch, counts.dropFirst(isFirst ? tallies.count : 0)) where count > 0 {
        findings.append(try finding(check, count: count, db, showsValues: showsValues))
      }
      isFirst = false
    }
    for check in ownScans {
      let count = try count([check], tallies: [], db).first ?? 0
      if count > 0 { findings.append(try finding(check, count: count, db, showsValues: showsValues)) }
    }
    return (findings, counted)
  }

  /// As many checks as one statement can hold.
  private func nextBatch(_ rest: inout ArraySlice<RowCheck>) -> [RowCheck] {
    var batch: [RowCheck] = []
    var aliases: Set<String> = []
    while let check = rest.first, batch.count < Self.checkLimit {
      let united = aliases.union(check.joins)
      if united.count > Self.joinLimit, !batch.isEmpty { break }
      aliases = united
      batch.append(check)
      rest = rest.dropFirst()
    }
    return batch
  }

  /// Whether a first look finds a row that may not be in order: most tables have none, and this ends with the first.
  private func suspects(_ batch: [RowCheck], _ db: Database) throws -> Bool {
    var (holding, breaking): ([String], [String]) = ([], [])
    for check in batch {
      switch check.firstLook {
      case .holds(let condition): holding.append("(\(condition))")
      case .breaks(let condition): breaking.append("(\(condition))")
      case .condition: breaking.append("(\(check.condition))")
      case .covered: break
      }
    }
    if !holding.isEmpty { breaking.insert("(\(holding.balanced(" AND "))) IS NOT TRUE", at: 0) }
    if breaking.isEmpty { return false }
    return try db.hasRows("\(source(joining: batch.flatMap(\.joins))) WHERE \(breaking.balanced(" OR "))")
  }

  private func count(_ batch: [RowCheck], tallies: [String], _ db: Database) throws -> [Int] {
    let conditions = tallies + batch.map(\.condition)
    if conditions.isEmpty { return [] }
    let columns = conditions.map { "COUNT(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
    let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM \(source(joining: batch.flatMap(\.joins)))")
    return conditions.indices.map { row?.number($0) ?? 0 }
  }

  private func source(joining aliases: [String]) -> String {
    let wanted = Set(aliases)
    let joined = joins.filter { wanted.contains($0.alias) }.map { " LEFT JOIN \($0.sql)" }.joined()
    return "\(table.quotedIdentifier) AS t\(joined)"
  }

  private func finding(
    _ check: RowCheck, count: Int, _ db: Database, showsValues: Bool
  ) throws -> Verification.Finding {
    let value = showsValues ? check.value.map { ", substr(CAST(\($0) AS TEXT), 1, 80)" } : nil
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT t.\(key)\(value ?? "") FROM \(source(joining: check.joins)) WHERE \(check.condition)"
        + " ORDER BY t.\(key) LIMIT \(exampleLimit)")
    let keys = rows.compactMap { $0.integer(0) }
    var diagnostic = check.diagnostic(count)
    if !keys.isEmpty { diagnostic.notes.append(.primaryKeys(Array(keys.prefix(5)), of: count)) }
    if value != nil {
      for row in rows {
        guard let key = row.integer(0), let text = row.text(1) else { continue }
        diagnostic.notes.append(Diagnostic.Note("\(key): '\(text)'"))
      }
    }
    return Verification.Finding(diagnostic, count: count, primaryKeys: keys)
  }
}

extension Diagnostic.Note {
  static func primaryKeys(_ keys: [Int64], of count: Int) -> Diagnostic.Note {
    let more = count > keys.count ? " and \(count - keys.count) more" : ""
    return Diagnostic.Note("primary key\(keys.count == 1 ? "" : "s") \(keys.sqlList)\(more)")
  }
}

/// `1 object of 'Hut'`, `12 objects of 'Hut'`.
package func objects(_ count: Int, of entity: String) -> String {
  "\(count) \(count == 1 ? "object" : "objects") of '\(entity)'"
}

package func verb(_ count: Int, _ one: String, _ many: String) -> String { count == 1 ? one : many }

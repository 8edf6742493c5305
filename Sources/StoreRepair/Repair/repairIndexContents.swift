import GRDB
import PersistentStore

extension Database {
  /// Makes indexes anew that do not hold what their tables hold, where nothing else is damaged.
  ///
  /// - Parameter lines: of SQLite's check.
  /// - Returns: nil if pages are damaged too.
  func repairIndexContents(_ lines: [String]) throws -> [StoreRepair]? {
    let flaw = #/(?:row \d+ missing from|wrong # of entries in|non-unique entry in) index (.+)/#
    let flawed = lines.compactMap { $0.wholeMatch(of: flaw).map { String($0.1).lowercased() } }
    guard flawed.count == lines.count else { return nil }
    let names = Set(flawed)
    let known = Set(
      try readPhysicalSchema().indexes.filter { names.contains($0.name.lowercased()) }.map(\.name))
    guard known.count == names.count else { return nil }
    // Not REINDEX: where it finds duplicates it stops half way. What is gone is recreated from the model.
    return try known.sorted().map { name in
      _ = try self.executeStatement("DROP INDEX \(name.quotedIdentifier)")
      return StoreRepair(
        kind: .indexContent, count: 1,
        summary: "index '\(name)' does not match its table, and is rebuilt")
    }
  }

  /// Lines of SQLite's full check; the first hundreds are enough to tell indexes from pages.
  func damageLines() throws -> [String] {
    do {
      // No statement can name such a column.
      let columns = try? readPhysicalSchema(readsEntityRows: false).tables.flatMap(\.columns)
      if columns?.contains(where: { $0.name.contains("\u{FFFD}") }) == true {
        return ["a column's name is not UTF-8"]
      }
      let lines: [String] = try values("PRAGMA main.integrity_check(500)")
      return lines.filter { $0 != "ok" }
        .flatMap { $0.split(separator: "\n") }.map { $0.lowercased() }
        .filter { !$0.hasPrefix("*** in database") && !$0.hasPrefix("null value in") }
    } catch let error as DatabaseError where error.isDamage {
      return [(error.message ?? "malformed pages").lowercased()]
    }
  }
}

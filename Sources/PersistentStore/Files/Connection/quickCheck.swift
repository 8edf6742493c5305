package import GRDB

extension Database {
  /// The first lines of SQLite's `quick_check`; empty if all pages and trees are in order.
  ///
  /// - Parameter tables: the only tables whose trees, and those of their indexes, are walked; nil for the whole file.
  package func quickCheckFindings(of tables: Set<String>? = nil) throws -> [String] {
    guard let tables else { return try checkFindings(self, "quick_check(5)") }
    var findings: [String] = []
    for table in tables.sorted() where findings.isEmpty {
      findings = try checkFindings(self, "quick_check(\(table.quotedIdentifier))")
    }
    return findings
  }

  /// The first lines of SQLite's `integrity_check`, which compares every index with its table too.
  package func integrityCheckFindings() throws -> [String] {
    try checkFindings(self, "integrity_check(5)")
  }
}

private func checkFindings(_ db: Database, _ pragma: String) throws -> [String] {
  do {
    // Of this file alone: a store that is attached has been read, and stays what it is.
    let lines: [String] = try db.values("PRAGMA main.\(pragma)")
    return lines.filter { $0 != "ok" }.flatMap { $0.split(separator: "\n") }.prefix(5).map { $0.lowercased() }
  } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_FULL].contains(error.resultCode) {
    // A check writes nothing: full is what a page number beyond every file is to SQLite.
    let isFull = error.resultCode == .SQLITE_FULL
    return [isFull ? "page numbers beyond its end" : (error.message ?? "malformed pages").lowercased()]
  }
}

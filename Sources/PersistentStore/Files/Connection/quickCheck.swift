package import GRDB

extension Database {
  /// The first lines of SQLite's `quick_check`; empty if all pages and trees are in order.
  ///
  /// - Parameter tables: the only tables whose trees, and those of their indexes, are walked; nil for the whole file.
  package func quickCheckFindings(of tables: Set<String>? = nil) throws -> [String] {
    guard let tables else { return try findings(of: "quick_check(5)") }
    var found: [String] = []
    for table in tables.sorted() where found.isEmpty {
      found = try findings(of: "quick_check(\(table.quotedIdentifier))")
    }
    return found
  }

  /// The first lines that a pragma finds. `integrity_check` compares every index with its table too.
  func findings(of pragma: String) throws -> [String] {
    do {
      // Of this file alone: a store that is attached has been read, and stays what it is.
      let lines: [String] = try values("PRAGMA main.\(pragma)")
      let found = lines.filter { $0 != "ok" }.flatMap { $0.split(separator: "\n") }
      return found.prefix(5).map { $0.lowercased() }
    } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_FULL].contains(error.resultCode) {
      // A check writes nothing: full is what a page number beyond every file is to SQLite.
      let isFull = error.resultCode == .SQLITE_FULL
      return [isFull ? "page numbers beyond its end" : (error.message ?? "malformed pages").lowercased()]
    }
  }
}

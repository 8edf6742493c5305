package import ManagedModel

extension RowScan {
  /// Checks of every row of an entity's table: it has a key of its own and an entity that can have objects.
  mutating func addRowIdentityChecks(of table: TableLayout, in store: VerifiedStore) {
    let name = table.name
    if table.column(for: .primaryKey) != nil {
      // SQLite itself keeps a rowid from being null; a column that only has the name does not.
      check("t.Z_PK IS NULL OR t.Z_PK < 1 OR t.Z_PK <> CAST(t.Z_PK AS INTEGER)") {
        Diagnostic(
          .unusablePrimaryKeys, .error,
          "\($0) \(verb($0, "row", "rows")) of '\(name)' \(verb($0, "has", "have")) no usable primary key",
          notes: ["nothing can refer to such a row, and Core Data counts keys from 1"],
          help: ["restore the store from a backup"])
      }
    }
    guard table.column(for: .entityNumber) != nil else { return }
    let entities = store.schema.entities(in: table)
    let list = entities.map(\.number).sqlList
    var stray = RowCheck(condition: "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(list))", value: "t.Z_ENT") {
      Diagnostic(
        .entityNumbersInconsistent, .warning,
        "\($0) \(verb($0, "row", "rows")) of '\(name)' \(verb($0, "has", "have")) a number that no entity "
          + "of the table has",
        notes: [
          "no fetch request, export or merge finds them; a migration leaves them in place, unless their table is dropped"
        ])
    }
    stray.firstLook = .holds("t.Z_ENT IN (\(list))")
    check(stray)
    for entity in entities where store.hierarchy.entity(named: entity.name)?.isAbstract == true {
      let name = entity.name
      check("t.Z_ENT = \(entity.number)") {
        Diagnostic(
          .entityNumbersInconsistent, .error,
          "there \(verb($0, "is", "are")) \(objects($0, of: name)), which is abstract",
          subject: ModelSubject(entity: name), help: ["restore the store from a backup"])
      }
    }
  }
}

extension StoreSource {
  /// What is in none of the objects: transactions behind a damaged frame of the log, and rows of no entity that has objects.
  package func findUnreadRows(_ db: StoreDatabase, path: String) throws -> [Diagnostic] {
    let store = VerifiedStore(schema: schema, model: version.model)
    let rows = try schema.tables.flatMap { table -> [Diagnostic] in
      var scan = RowScan(table: table.name)
      scan.addRowIdentityChecks(of: table, in: store)
      return try scan.run(db, showsValues: false).findings.map(\.diagnostic)
    }
    return ((try? StoreFile(path: path))?.examineLog() ?? [])
      + rows.filter { $0.code == .entityNumbersInconsistent }.map { $0.with { $0.severity = .warning } }
  }
}

extension Diagnostic.Code { package static let unusablePrimaryKeys = Self("MC5206") }

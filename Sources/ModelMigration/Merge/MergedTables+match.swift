package import ManagedModel
import PersistentStore

extension MergedTables {
  /// Finds the objects that two stores have in common, and gives the others new keys.
  ///
  /// An object is matched once all objects that its keys refer to are: first customers, then their orders, then the items of
  /// these. Where no keys say otherwise, two objects are the same if all their values and references are; of three equal
  /// visits in one store and two in the other, two are matched and one is new. So what is merged once more is found again.
  func match() throws {
    for sql in [
      "CREATE TABLE temp.modelc_same (root INTEGER, old INTEGER, new INTEGER, isNew INTEGER, PRIMARY KEY (root, old)) WITHOUT ROWID",
      "CREATE UNIQUE INDEX temp.modelc_same_new ON modelc_same (root, new)",
      "CREATE TABLE temp.modelc_side (side INTEGER, pk INTEGER, id, isKeyed INTEGER, place INTEGER)",
      "CREATE INDEX temp.modelc_side_id ON modelc_side (side, id, place)",
    ] { try db.executeStatement(sql) }
    var rest = schema.tables.flatMap { table in table.entities.map { (table: table, entity: $0) } }
    let total = try schema.tables.reduce(0) { try $0 + countRows(db, "FROM source.\($1.old)") }
    // Beyond the largest key SQLite goes on in fractions.
    for (table, entity) in rest {
      let keys =
        "SELECT Z_MAX AS k FROM main.Z_PRIMARYKEY WHERE Z_ENT = \(table.root) UNION SELECT MAX(Z_PK) FROM main.\(table.new)"
      if try db.hasRows("(\(keys)) WHERE typeof(k) = 'integer' AND k > \(Int64.max - Int64(total))") {
        throw DiagnosticsError(.noKeyLeft(entity.name))
      }
    }
    var (completed, before) = (0, -1)
    while !rest.isEmpty {
      // Objects that refer to one another in a cycle: their values have to do.
      let byValuesAlone = completed == before
      before = completed
      for (table, entity) in rest {
        monitor.report(.copy, entity: entity.name, completed: Int64(completed), total: Int64(2 * total))
        completed += try match(entity, of: table, byValuesAlone: byValuesAlone)
      }
      rest = try rest.filter { table, entity in
        try db.hasRows("source.\(table.old) AS o WHERE o.Z_ENT = \(entity.formerNumber) AND \(isOpen(table))")
      }
    }
  }

  private func isOpen(_ table: PairedSchema.Table) -> String {
    "NOT EXISTS (SELECT 1 FROM temp.modelc_same WHERE root = \(table.root) AND old = o.Z_PK)"
  }

  /// A value by which objects are matched: in the store, in the source, and where it is a key, the table that it leads to.
  private typealias Part = (new: String, old: String, target: PairedSchema.Table?)

  private func match(
    _ entity: PairedSchema.Entity, of table: PairedSchema.Table, byValuesAlone: Bool
  ) throws -> Int {
    let all = parts(of: entity, table).filter { !byValuesAlone || $0.target == nil }
    let names = rules.keys(of: entity.name, in: schema.hierarchy)
    let keys = names.compactMap { schema.column(named: $0, of: entity.name, in: table).map(part) }
    // An object without a value for a key, or with a key of no object, is matched as a whole.
    let isReady = byValuesAlone ? "1" : "((\(have(keys.map(mapped)))) OR \(isReady(all + keys)))"
    let isFree = "NOT EXISTS (SELECT 1 FROM temp.modelc_same WHERE root = \(table.root) AND new = n.Z_PK)"
    let highest = [
      "SELECT MAX(Z_PK) FROM main.\(table.new)",
      "SELECT Z_MAX FROM main.Z_PRIMARYKEY WHERE Z_ENT = \(table.root)",
      "SELECT MAX(new) FROM temp.modelc_same WHERE root = \(table.root)",
    ].map { "IFNULL((\($0)), 0)" }.joined(separator: ", ")
    // In a chain each object is ready once the one before it is matched: its rows are found from that one, and those of the
    // store, which stay what they are, are gathered once for all.
    let links = (all + keys).filter { $0.target?.root == table.root }
      .map { "\($0.old) IN (SELECT pk FROM temp.modelc_side WHERE side = 2)" }
    var (matched, rows) = (0, ["o.Z_ENT = \(entity.formerNumber)"])
    try db.executeStatement("DELETE FROM temp.modelc_side")
    while try gather(0, of: table, all, keys, where: rows + [isOpen(table), isReady]) > 0 {
      if matched == 0 { try gather(1, of: table, all, keys, where: ["n.Z_ENT = \(entity.number)", isFree]) }
      for side in [0, 1] where !keys.isEmpty { try refuseDuplicates(side, entity.name, names) }
      matched += try db.executeStatement(
        "INSERT INTO temp.modelc_same (root, old, new, isNew) SELECT \(table.root), o.pk, IFNULL(n.pk, MAX(\(highest))"
          + " + ROW_NUMBER() OVER (PARTITION BY n.pk IS NULL ORDER BY o.pk)), n.pk IS NULL FROM temp.modelc_side AS o"
          + " LEFT JOIN temp.modelc_side AS n ON n.side = 1 AND n.id = o.id AND n.place = o.place WHERE o.side = 0"
      )
      if links.isEmpty { break }
      try db.executeStatement("DELETE FROM temp.modelc_side WHERE side = 2")
      try db.executeStatement("UPDATE temp.modelc_side SET side = 2 WHERE side = 0")
      // The sign keeps SQLite from reading all rows of the entity by their number's index.
      rows = ["+o.Z_ENT = \(entity.formerNumber)", "(\(links.joined(separator: " OR ")))"]
    }
    return matched
  }

  /// A value of a row of the source; of a reference the key that its object has, or gets, in the store.
  private func mapped(_ part: Part) -> String {
    part.target.map { schema.mapped(part.old, in: $0) } ?? part.old
  }

  /// Whether the objects that a row of the source refers to are matched.
  private func isReady(_ parts: [Part]) -> String {
    let references = parts.compactMap { part in
      part.target.map {
        "(\(part.old) IS NULL OR \(mapped(part)) IS NOT NULL"
          + " OR NOT EXISTS (SELECT 1 FROM source.\($0.old) WHERE Z_PK = \(part.old)))"
      }
    }
    return "(\((["1"] + references).joined(separator: " AND ")))"
  }

  /// Writes down what the objects of one side are matched by, and says of how many.
  @discardableResult
  private func gather(
    _ side: Int, of table: PairedSchema.Table, _ all: [Part], _ keys: [Part], where conditions: [String]
  ) throws -> Int {
    let (rows, alias) = side == 0 ? ("source.\(table.old) AS o", "o") : ("main.\(table.new) AS n", "n")
    func values(_ parts: [Part]) -> [String] { side == 0 ? parts.map(mapped) : parts.map { $0.new } }
    let hasKeys = have(values(keys))
    let (whole, keyed) = (identity(values(all)), identity(values(keys)))
    let id = keys.isEmpty ? whole : "CASE WHEN \(hasKeys) THEN \(keyed) ELSE \(whole) END"
    return try db.executeStatement(
      "INSERT INTO temp.modelc_side (side, pk, id, isKeyed, place) SELECT \(side), pk, id, isKeyed,"
        + " ROW_NUMBER() OVER (PARTITION BY isKeyed, id ORDER BY pk) FROM (SELECT \(alias).Z_PK AS pk, \(id) AS id,"
        + " \(hasKeys) AS isKeyed FROM \(rows) WHERE \(conditions.joined(separator: " AND ")))")
  }

  /// Whether there are keys, and a row has a value for each.
  private func have(_ keys: [String]) -> String {
    keys.isEmpty ? "0" : keys.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
  }

  /// A function of SQLite's takes a hundred values or so.
  private func identity(_ values: [String]) -> String {
    var whole = "''"
    for start in stride(from: 0, to: values.count, by: 60) {
      whole =
        "modelc_identity(\(([whole] + values[start..<min(start + 60, values.count)]).joined(separator: ", ")))"
    }
    return whole
  }

  /// All values and references of an entity's objects, without what is computed from others.
  ///
  /// Of two to-one relationships that are each other's inverses one counts: else either object would wait for the other.
  private func parts(of entity: PairedSchema.Entity, _ table: PairedSchema.Table) -> [Part] {
    let hierarchy = schema.hierarchy
    return table.columns.filter { hierarchy.uses($0.role, entity: entity.name) }.compactMap { column in
      switch column.role {
      case .attribute(let reference):
        if hierarchy.attribute(reference)?.isDerived ?? true { return nil }
      case .toOne(let reference):
        if let inverse = schema.toOneInverse(of: column.role),
          (inverse.entity, inverse.property) <= (reference.entity, reference.property)
        {
          return nil
        }
      case .owner: break
      default: return nil
      }
      return part(column)
    }
  }

  private func part(_ column: PairedSchema.Column) -> Part {
    func cell(_ name: String, _ side: Int) -> String {
      let cell = schema.cell(name, side: side, of: column.role)
      guard case .attribute(let reference) = column.role,
        schema.hierarchy.attribute(reference)?.type.isText == true
      else { return cell }
      // SQLite hands a function a text up to its first zero byte, but a blob whole.
      return "CAST(\(cell) AS BLOB)"
    }
    let (new, old) = (cell("n.\(column.name)", 1), cell("o.\(column.former)", 0))
    return (new, old, schema.target(of: column.role))
  }

  /// Several objects with the same keys: which of them is meant cannot be told.
  private func refuseDuplicates(_ side: Int, _ entity: String, _ keys: [String]) throws {
    let sql =
      "SELECT COUNT(*), MIN(pk) FROM temp.modelc_side WHERE side = \(side) AND isKeyed AND place > 1"
      + " AND id IN (SELECT id FROM temp.modelc_side WHERE side = 0)"
    let rows = try RowReader(db, sql: sql)
    guard try rows.step(), let count = rows.integer(0), count > 0 else { return }
    let (key, store) = (keys.joined(separator: ", "), side == 0 ? store : destination)
    let (objects, have) = count == 1 ? ("object", "has") : ("objects", "have")
    let example = rows.integer(1).map { Diagnostic.Note("the first of them is object \($0)") }
    throw DiagnosticsError(
      .ambiguousMatch,
      "\(count) \(objects) of '\(entity)' in '\(store)' \(have) the \(key) of another one there",
      subject: ModelSubject(entity: entity),
      notes: [example].compactMap(\.self) + [
        "it is unclear which of them is the other store's object; nothing was written"
      ],
      help: [
        "match by one more attribute or to-one relationship: `--match \(entity)=\(keys.joined(separator: ",")),NAME`",
        "or remove the duplicates first; `modelc query \(store.shellWord) \(entity.shellWord)` lists the objects",
      ])
  }
}

extension Diagnostic.Code { package static let ambiguousMatch = Self("MC6601") }

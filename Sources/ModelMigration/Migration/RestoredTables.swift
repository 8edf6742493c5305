import ManagedModel
import PersistentStore

/// The tables of a store, and of a kept one that is attached to it as `source`.
struct RestoredTables {
  let db: StoreDatabase
  let schema: PairedSchema
  let lost: DowngradeLosses
  var restored = RestoredLosses()

  mutating func restore() throws {
    for table in schema.tables { try insertObjects(table) }
    for table in schema.tables {
      try updateObjects(table)
      for column in table.columns {
        try widen(column, table)
        try placeMembers(column, table)
      }
    }
    for table in schema.tables { try repointToRestored(table) }
    for table in schema.tables { try emptyDangling(table) }
    for (join, former) in schema.joins {
      try insertLinks(join, former)
      try placeLinks(join, former)
    }
  }

  /// Objects of entities that were not there, each under its old key.
  private mutating func insertObjects(_ table: PairedSchema.Table) throws {
    let numbers = numbers(\.formerNumber, of: table, lost.entities)
    if numbers.isEmpty { return }
    let rows = "FROM source.\(table.old) AS k WHERE k.Z_ENT IN (\(numbers))"
    let made = try db.executeStatement(
      "INSERT OR IGNORE INTO main.\(table.new) (\(table.columns.map(\.name).joined(separator: ", ")))"
        + " SELECT \(table.columns.map(keptCell).joined(separator: ", ")) \(rows)")
    restored.objects += made
    restored.gone += try countRows(db, rows) - made
  }

  /// Values and references of objects that went on, where the earlier version had no place for them.
  private mutating func updateObjects(_ table: PairedSchema.Table) throws {
    let lost = table.columns.compactMap { column in
      lostRows(of: column, table).map { (column: column, rows: $0) }
    }
    if lost.isEmpty { return }
    let cells = lost.map { column, rows in
      "\(column.name) = CASE WHEN \(rows) THEN \(keptCell(column)) ELSE \(table.new).\(column.name) END"
    }
    let differs = lost.map { "\($0.rows) AND \(table.new).\($0.column.name) IS NOT \(keptCell($0.column))" }
    restored.changed += try db.executeStatement(
      "UPDATE main.\(table.new) SET \(cells.joined(separator: ", ")) FROM source.\(table.old) AS k"
        + " WHERE \(isSame(table)) AND (\(differs.balanced(" OR ")))")
    let kept = lost.map { column, _ in
      "k.Z_ENT IN (\(numbers(\.formerNumber, of: table, losers(of: column)))) AND k.\(column.former) IS NOT NULL"
    }
    restored.gone += try countRows(
      db,
      "FROM source.\(table.old) AS k WHERE (\(kept.balanced(" OR ")))"
        + " AND NOT EXISTS (SELECT 1 FROM main.\(table.new) WHERE \(isSame(table)))")
  }

  private func losers(of column: PairedSchema.Column) -> Set<String> {
    guard let property = column.role.property else { return [] }
    if case .owner? = column.role.key {
      return lost.links[property]?.values.reduce(into: Set()) { $0.formUnion($1) } ?? []
    }
    return lost.values[property] ?? Set(lost.links[property, default: [:]].keys)
  }

  /// Which rows `k` have a cell that the earlier version had no place for: of a reference those to objects that are still
  /// there, if neither end has another one by now that went on.
  private func lostRows(of column: PairedSchema.Column, _ table: PairedSchema.Table) -> String? {
    let rows = numbers(\.formerNumber, of: table, losers(of: column))
    if rows.isEmpty { return nil }
    guard let key = column.role.key else { return "k.Z_ENT IN (\(rows))" }
    guard let reference = key.property, let own = table.column(key), let target = schema.target(of: key)
    else { return nil }
    let isOwner = key == .owner(reference)
    let pairs = lost.links[reference, default: [:]].sorted { $0.key < $1.key }.map { from, to in
      let own = numbers(\.formerNumber, of: table, isOwner ? to : [from])
      let other = numbers(\.number, of: target, isOwner ? [from] : to)
      return "k.Z_ENT IN (\(own)) AND o.Z_ENT IN (\(other))"
    }
    let inverse = isOwner ? nil : schema.hierarchy.inverse(of: reference)
    let isFree = inverse.flatMap { target.column(.toOne($0)) }.map {
      " AND (o.\($0.name) IS NULL OR o.\($0.name) = k.Z_PK)"
    }
    let leads =
      "EXISTS (SELECT 1 FROM main.\(target.new) AS o WHERE o.Z_PK = k.\(own.former)\(isFree ?? "")"
      + " AND (\(pairs.balanced(" OR "))))"
    return lost.partial.contains(reference)
      ? "\(table.new).\(own.name) IS NULL AND \(leads)"
      : "k.Z_ENT IN (\(rows)) AND (k.\(own.former) IS NULL OR \(leads))"
  }

  /// Numbers that the downgrade narrowed, where they are still what it made of them.
  private mutating func widen(_ column: PairedSchema.Column, _ table: PairedSchema.Table) throws {
    guard let value = column.role.property.flatMap({ lost.narrowed[$0] }) else { return }
    let own = "\(table.new).\(column.name)"
    let narrowed = value.converting(.column("modelc_kept")).sql
    restored.changed += try db.executeStatement(
      "UPDATE main.\(table.new) SET \(column.name) = modelc_kept"
        + " FROM (SELECT Z_PK, Z_ENT, \(column.former) AS modelc_kept FROM source.\(table.old)) AS k"
        + " WHERE \(isSame(table)) AND \(own) = \(narrowed) AND \(own) <> modelc_kept")
  }

  /// References of restored objects become nil if the other one was deleted meanwhile, or is the other half of another pair.
  private func emptyDangling(_ table: PairedSchema.Table) throws {
    let rows = numbers(\.number, of: table, lost.entities)
    if rows.isEmpty { return }
    for column in table.columns where column.role.holdsKeys {
      guard let reference = column.role.property, let target = schema.target(of: column.role) else {
        continue
      }
      let emptied = table.columns.filter { $0.role.key == column.role }.map { "\($0.name) = NULL" }
        .joined(separator: ", ")
      let inverse = column.role == .toOne(reference) ? schema.hierarchy.inverse(of: reference) : nil
      let leadsBack = inverse.flatMap { target.column(.toOne($0)) }.map {
        " AND (o.\($0.name) IS NULL OR o.\($0.name) = \(table.new).Z_PK)"
      }
      try db.executeStatement(
        "UPDATE main.\(table.new) SET \(emptied) WHERE Z_ENT IN (\(rows)) AND \(column.name) IS NOT NULL"
          + " AND NOT EXISTS (SELECT 1 FROM main.\(target.new) AS o"
          + " WHERE o.Z_PK = \(table.new).\(column.name)\(leadsBack ?? ""))")
    }
  }

  /// References that went on, and led to an object that did not.
  private mutating func repointToRestored(_ table: PairedSchema.Table) throws {
    for column in table.columns where column.role.holdsKeys {
      guard let target = schema.target(of: column.role), !numbers(\.number, of: target, lost.entities).isEmpty
      else { continue }
      restored.changed += try update(
        table, set: table.columns.filter { $0.role.key == column.role },
        where: "\(table.new).\(column.name) IS NULL AND \(isRestored("k.\(column.former)", target))")
    }
  }

  /// Places in an ordered relationship, of objects that are still in it.
  ///
  /// Members that came later have places behind them.
  private mutating func placeMembers(_ column: PairedSchema.Column, _ table: PairedSchema.Table) throws {
    guard let owning = column.role.placedBy, let reference = owning.property,
      owning == .owner(reference) ? lost.orders.contains(reference) : isOrdered(inverseOf: reference),
      let owner = table.column(owning)
    else { return }
    let own = "\(table.new).\(column.name)"
    let isMember = "\(table.new).\(owner.name) = k.\(owner.former)"
    try db.executeStatement(
      "UPDATE main.\(table.new) SET \(column.name) = \(own)"
        + " + (SELECT IFNULL(MAX(\(column.former)), 0) FROM source.\(table.old)) WHERE \(own) IS NOT NULL"
        + " AND NOT EXISTS (SELECT 1 FROM source.\(table.old) AS k WHERE \(isSame(table)) AND \(isMember))")
    restored.changed += try update(
      table, set: [column], where: "\(isMember) AND \(own) IS NOT k.\(column.former)")
  }

  private func isOrdered(inverseOf reference: PropertyReference) -> Bool {
    let hierarchy = schema.hierarchy
    guard let toOne = hierarchy.relationship(reference), let inverse = hierarchy.inverse(of: toOne) else {
      return false
    }
    return lost.orders.contains {
      $0.property == inverse.name && hierarchy.isKind(toOne.destinationEntityName, of: $0.entity)
    }
  }

  private mutating func placeLinks(_ join: JoinTableLayout, _ former: JoinTableLayout) throws {
    let own = join.name.quotedIdentifier
    let keys = zip(join.sides, former.sides).map {
      "k.\($1.column.quotedIdentifier) = \(own).\($0.column.quotedIdentifier)"
    }
    for (join, former) in [(join, former), (join.reversed, former.reversed)] {
      guard lost.orders.contains(join.destination), let place = join.near.order,
        let formerPlace = former.near.order
      else { continue }
      let (column, kept) = (place.quotedIdentifier, formerPlace.quotedIdentifier)
      let (links, isSame) = ("source.\(former.name.quotedIdentifier)", keys.joined(separator: " AND "))
      try db.executeStatement(
        "UPDATE main.\(own) SET \(column) = \(column) + (SELECT IFNULL(MAX(\(kept)), 0) FROM \(links))"
          + " WHERE NOT EXISTS (SELECT 1 FROM \(links) AS k WHERE \(isSame))")
      restored.changed += try db.executeStatement(
        "UPDATE main.\(own) SET \(column) = k.\(kept) FROM \(links) AS k WHERE \(isSame)"
          + " AND \(own).\(column) IS NOT k.\(kept)")
    }
  }

  private func insertLinks(_ join: JoinTableLayout, _ former: JoinTableLayout) throws {
    guard let sources = schema.target(of: .owner(join.source)),
      let destinations = schema.target(of: .owner(join.destination))
    else { return }
    let sides = zip(join.sides, former.sides)
    let pairs = (sides.map { ($0.column, $1.column) } + sides.map { ($0.order, $1.order) }).compactMap {
      own, kept in own.flatMap { own in kept.map { (own.quotedIdentifier, $0.quotedIdentifier) } }
    }
    let (left, right) = (pairs[0].1, pairs[1].1)
    let ends =
      [isRestored(left, sources), isRestored(right, destinations)]
      + lost.links[join.source, default: [:]].sorted { $0.key < $1.key }.map { from, to in
        "\(isOne(left, of: [from], in: sources)) AND \(isOne(right, of: to, in: destinations))"
      }
    try db.executeStatement(
      "INSERT OR IGNORE INTO main.\(join.name.quotedIdentifier) (\(pairs.map(\.0).joined(separator: ", ")))"
        + " SELECT \(pairs.map(\.1).joined(separator: ", ")) FROM source.\(former.name.quotedIdentifier)"
        + " WHERE \(left) IN (SELECT Z_PK FROM main.\(sources.new))"
        + " AND \(right) IN (SELECT Z_PK FROM main.\(destinations.new))"
        + " AND (\(ends.balanced(" OR ")))")
  }

  /// Restored cells that name a file beside the kept store get a file beside this one.
  func takeLargeValues(from kept: String, to files: MigratedExternalData) throws {
    try schema.takeLargeValues(in: db, to: files, reading: { try readExternalData($0, ofStoreAt: kept) }) {
      table, column in
      "Z_ENT IN (\(numbers(\.number, of: table, lost.entities.union(losers(of: column)))))"
    }
  }

  /// Gives the objects of a table what the kept store has in some columns, by its row `k` of the same object; how many got some.
  private func update(
    _ table: PairedSchema.Table, set columns: [PairedSchema.Column], where condition: String
  ) throws -> Int {
    try db.executeStatement(
      "UPDATE main.\(table.new) SET \(columns.map { "\($0.name) = \(keptCell($0))" }.joined(separator: ", "))"
        + " FROM source.\(table.old) AS k WHERE \(isSame(table)) AND \(condition)")
  }

  /// A cell of the row `k`, as it is in this store.
  private func keptCell(_ column: PairedSchema.Column) -> String {
    let cell = "k.\(column.former)"
    return switch column.role {
    case .entityNumber, .discriminator: schema.mappedNumber(cell)
    default: cell
    }
  }

  /// Whether the row `k` is of the object of the table's row.
  private func isSame(_ table: PairedSchema.Table) -> String {
    "k.Z_PK = \(table.new).Z_PK AND \(schema.mappedNumber("k.Z_ENT")) = \(table.new).Z_ENT"
  }

  /// Whether a key is that of an object of an entity that was not there.
  private func isRestored(_ key: String, _ table: PairedSchema.Table) -> String {
    isOne(key, of: lost.entities, in: table)
  }

  private func isOne(_ key: String, of names: Set<String>, in table: PairedSchema.Table) -> String {
    "\(key) IN (SELECT Z_PK FROM main.\(table.new) WHERE Z_ENT IN (\(numbers(\.number, of: table, names))))"
  }

  /// Of the entities among these that are in a table.
  private func numbers(
    _ number: KeyPath<PairedSchema.Entity, Int>, of table: PairedSchema.Table, _ names: Set<String>
  ) -> String {
    table.entities.filter { names.contains($0.name) }.map { "\($0[keyPath: number])" }.joined(separator: ", ")
  }
}

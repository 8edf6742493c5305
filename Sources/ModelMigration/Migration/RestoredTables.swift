import ManagedModel
import PersistentStore

/// The tables of a store, and of a kept one that is attached to it as `source`.
struct RestoredTables {
  let db: StoreDatabase
  let schema: PairedSchema
  let lost: DowngradeLosses
  var restored = RestoredLosses()

  mutating func restore() throws {
    for table in schema.tables {
      try insertObjects(table)
      try updateObjects(table)
      for column in table.columns {
        try widen(column, table)
        try placeMembers(column, table)
      }
    }
    for table in schema.tables {
      try repointToRestored(table)
      try emptyDangling(table)
    }
    for (join, former) in schema.joins {
      try insertLinks(join, former)
      try placeLinks(join, former)
    }
  }

  /// Objects of entities that were not there, each under its old key.
  private mutating func insertObjects(_ table: PairedSchema.Table) throws {
    let numbers = numbers(\.formerNumber, of: table)
    if numbers.isEmpty { return }
    let rows = "FROM source.\(table.old) AS k WHERE k.Z_ENT IN (\(numbers))"
    let made = try db.executeStatement(
      "INSERT OR IGNORE INTO main.\(table.new) (\(table.columns.map(\.name).joined(separator: ", ")))"
        + " SELECT \(table.columns.map(keptCell).joined(separator: ", ")) \(rows)")
    restored.objects += made
    restored.gone += try countRows(db, rows) - made
  }

  /// Values and references of objects that went on.
  private mutating func updateObjects(_ table: PairedSchema.Table) throws {
    let columns = table.columns.filter { $0.role.property.map(lost.properties.contains) == true }
    if columns.isEmpty { return }
    let numbers = "k.Z_ENT IN (\(numbers(\.formerNumber, of: table, areLost: false)))"
    let differs = columns.map { "\(table.new).\($0.name) IS NOT \(keptCell($0))" }
    restored.changed += try update(
      table, set: columns, where: "\(numbers) AND (\(differs.balanced(" OR ")))")
    restored.gone += try countRows(
      db,
      "FROM source.\(table.old) AS k WHERE \(numbers)"
        + " AND (\(columns.map { "k.\($0.former) IS NOT NULL" }.balanced(" OR ")))"
        + " AND NOT EXISTS (SELECT 1 FROM main.\(table.new) WHERE \(isSame(table)))")
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

  /// Restored references to objects that were deleted meanwhile become nil.
  private func emptyDangling(_ table: PairedSchema.Table) throws {
    for column in table.columns {
      guard let reference = column.role.property, let target = schema.target(of: column.role) else {
        continue
      }
      let rows = lost.properties.contains(reference) ? "1" : "Z_ENT IN (\(numbers(\.number, of: table)))"
      let emptied = table.columns.filter { $0.role.key == column.role }.map { "\($0.name) = NULL" }
        .joined(separator: ", ")
      try db.executeStatement(
        "UPDATE main.\(table.new) SET \(emptied) WHERE \(rows) AND \(column.name) IS NOT NULL"
          + " AND \(column.name) NOT IN (SELECT Z_PK FROM main.\(target.new))")
    }
  }

  /// References that went on, and led to an object that did not.
  private mutating func repointToRestored(_ table: PairedSchema.Table) throws {
    for column in table.columns {
      guard let reference = column.role.property, !lost.properties.contains(reference),
        let target = schema.target(of: column.role)
      else { continue }
      let numbers = numbers(\.number, of: target)
      if numbers.isEmpty { continue }
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
    let isLost = lost.properties.contains(join.source) || lost.properties.contains(join.destination)
    let sides = zip(join.sides, former.sides)
    let pairs = (sides.map { ($0.column, $1.column) } + sides.map { ($0.order, $1.order) }).compactMap {
      own, kept in own.flatMap { own in kept.map { (own.quotedIdentifier, $0.quotedIdentifier) } }
    }
    let (left, right) = (pairs[0].1, pairs[1].1)
    try db.executeStatement(
      "INSERT OR IGNORE INTO main.\(join.name.quotedIdentifier) (\(pairs.map(\.0).joined(separator: ", ")))"
        + " SELECT \(pairs.map(\.1).joined(separator: ", ")) FROM source.\(former.name.quotedIdentifier)"
        + " WHERE \(left) IN (SELECT Z_PK FROM main.\(sources.new))"
        + " AND \(right) IN (SELECT Z_PK FROM main.\(destinations.new))"
        + (isLost ? "" : " AND (\(isRestored(left, sources)) OR \(isRestored(right, destinations)))"))
  }

  /// Restored cells that name a file beside the kept store get a file beside this one.
  func takeLargeValues(from kept: String, to files: MigratedExternalData) throws {
    try schema.takeLargeValues(in: db, to: files, reading: { try readExternalData($0, ofStoreAt: kept) }) {
      table, column in
      guard let property = column.role.property, !lost.properties.contains(property) else { return "1" }
      return "Z_ENT IN (\(numbers(\.number, of: table)))"
    }
  }

  // MARK: - Rows

  /// Gives the objects of a table what the kept store has in some columns, by its row `k` of the same object.
  ///
  /// - Returns: how many objects.
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
    "\(key) IN (SELECT Z_PK FROM main.\(table.new) WHERE Z_ENT IN (\(numbers(\.number, of: table))))"
  }

  /// Of the entities in a table that were not there, or of the others.
  private func numbers(
    _ number: KeyPath<PairedSchema.Entity, Int>, of table: PairedSchema.Table, areLost: Bool = true
  ) -> String {
    table.entities.filter { lost.entities.contains($0.name) == areLost }
      .map { "\($0[keyPath: number])" }.joined(separator: ", ")
  }
}

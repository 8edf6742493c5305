import Foundation
import ManagedModel
import PersistentStore

/// The tables of a store, and of a kept one that is attached to it as `source`; both are of one version.
struct RestoredTables {
  let db: StoreDatabase
  let old: StoreSchema
  let new: StoreSchema
  let lost: LostParts
  let hierarchy: EntityHierarchy
  var restored = RestoredLosses()

  mutating func restore() throws {
    let tables = new.tables.compactMap { table in
      old.tables.first { $0.rootEntityName == table.rootEntityName }.map { (table, $0) }
    }
    for (table, former) in tables {
      try insertObjects(table, former)
      try updateObjects(table, former)
      for column in table.columns {
        try widen(column, table, former)
        try placeMembers(column, table, former)
      }
    }
    for (table, former) in tables {
      try repointToRestored(table, former)
      try emptyDangling(table)
    }
    for join in new.joinTables {
      guard
        let former = old.joinTables.first(where: {
          $0.source == join.source && $0.destination == join.destination
        })
      else { continue }
      try insertLinks(join, former)
      try placeLinks(join, former)
    }
  }

  /// Objects of entities that were not there, each under its old key.
  private mutating func insertObjects(_ table: TableLayout, _ former: TableLayout) throws {
    let numbers = numbersOfLost(in: table.rootEntityName)
    if numbers.isEmpty { return }
    let pairs = table.columns.compactMap { column in
      former.column(for: column.role).map { (column.name, $0.name) }
    }
    let (own, source) = ("main.\(table.name.quotedIdentifier)", "source.\(former.name.quotedIdentifier)")
    let made = try db.executeStatement(
      "INSERT OR IGNORE INTO \(own) (\(pairs.map { $0.0.quotedIdentifier }.joined(separator: ", ")))"
        + " SELECT \(pairs.map { $0.1.quotedIdentifier }.joined(separator: ", ")) FROM \(source)"
        + " WHERE Z_ENT IN (\(numbers))")
    restored.objects += made
    restored.gone += try countRows(db, "FROM \(source) WHERE Z_ENT IN (\(numbers))") - made
  }

  /// Values and references of objects that went on.
  private mutating func updateObjects(_ table: TableLayout, _ former: TableLayout) throws {
    let pairs = table.columns.filter { $0.role.property.map(lost.properties.contains) == true }.compactMap {
      column in
      former.column(for: column.role).map {
        (new: column.name.quotedIdentifier, old: $0.name.quotedIdentifier)
      }
    }
    if pairs.isEmpty { return }
    let (own, source) = ("main.\(table.name.quotedIdentifier)", "source.\(former.name.quotedIdentifier)")
    let kept = new.entities.filter {
      !lost.entities.contains($0.name) && $0.rootEntityName == table.rootEntityName
    }
    let name = table.name.quotedIdentifier
    let numbers = "k.Z_ENT IN (\(kept.map { "\($0.number)" }.joined(separator: ", ")))"
    let same = "k.Z_PK = \(name).Z_PK AND k.Z_ENT = \(name).Z_ENT"
    restored.changed += try db.executeStatement(
      "UPDATE \(own) SET \(pairs.map { "\($0.new) = k.\($0.old)" }.joined(separator: ", ")) FROM \(source) AS k"
        + " WHERE \(same) AND \(numbers)"
        + " AND (\(pairs.map { "\(name).\($0.new) IS NOT k.\($0.old)" }.balanced(" OR ")))")
    restored.gone += try countRows(
      db,
      "FROM \(source) AS k WHERE \(numbers) AND (\(pairs.map { "k.\($0.old) IS NOT NULL" }.balanced(" OR ")))"
        + " AND NOT EXISTS (SELECT 1 FROM \(own) WHERE \(same))")
  }

  /// Numbers that the downgrade narrowed, where they are still what it made of them.
  private mutating func widen(
    _ column: ColumnLayout, _ table: TableLayout, _ former: TableLayout
  ) throws {
    guard let value = column.role.property.flatMap({ lost.narrowed[$0] }),
      let kept = former.column(for: column.role)?.name
    else { return }
    let (own, name) = (table.name.quotedIdentifier, column.name.quotedIdentifier)
    restored.changed += try db.executeStatement(
      "UPDATE main.\(own) SET \(name) = k.kept FROM (SELECT Z_PK AS pk, Z_ENT AS ent, \(kept.quotedIdentifier) AS kept,"
        + " \(value.converting(.column(kept)).sql) AS narrowed FROM source.\(former.name.quotedIdentifier)) AS k"
        + " WHERE k.pk = \(own).Z_PK AND k.ent = \(own).Z_ENT AND \(name) = k.narrowed AND \(name) <> k.kept")
  }

  /// Restored references to objects that were deleted meanwhile become nil.
  private func emptyDangling(_ table: TableLayout) throws {
    let numbers = numbersOfLost(in: table.rootEntityName)
    for column in table.columns {
      guard let reference = column.role.property,
        let target = hierarchy.entityReferred(toBy: column.role).flatMap({ new.table(ofEntity: $0) })
      else { continue }
      let rows = lost.properties.contains(reference) ? "1" : "Z_ENT IN (\(numbers))"
      let beside = table.columns.filter { $0.role.property == reference && $0.role != column.role }
      let emptied = ([column] + beside).map { "\($0.name.quotedIdentifier) = NULL" }.joined(separator: ", ")
      let name = column.name.quotedIdentifier
      try db.executeStatement(
        "UPDATE main.\(table.name.quotedIdentifier) SET \(emptied) WHERE \(rows) AND \(name) IS NOT NULL"
          + " AND \(name) NOT IN (SELECT Z_PK FROM main.\(target.name.quotedIdentifier))")
    }
  }

  /// References that went on, and led to an object that did not.
  private mutating func repointToRestored(_ table: TableLayout, _ former: TableLayout) throws {
    let own = table.name.quotedIdentifier
    for column in table.columns {
      guard let reference = column.role.property, !lost.properties.contains(reference),
        let target = hierarchy.entityReferred(toBy: column.role).flatMap({ new.table(ofEntity: $0) })
      else { continue }
      let numbers = numbersOfLost(in: target.rootEntityName)
      if numbers.isEmpty { continue }
      let pairs = table.columns.filter { $0.role.property == reference }.compactMap { column in
        former.column(for: column.role).map { (column.name.quotedIdentifier, $0.name.quotedIdentifier) }
      }
      guard let key = former.column(for: column.role)?.name else { continue }
      restored.changed += try db.executeStatement(
        "UPDATE main.\(own) SET \(pairs.map { "\($0.0) = k.\($0.1)" }.joined(separator: ", "))"
          + " FROM source.\(former.name.quotedIdentifier) AS k WHERE k.Z_PK = \(own).Z_PK AND k.Z_ENT = \(own).Z_ENT"
          + " AND \(own).\(column.name.quotedIdentifier) IS NULL AND k.\(key.quotedIdentifier) IN"
          + " (SELECT Z_PK FROM main.\(target.name.quotedIdentifier) WHERE Z_ENT IN (\(numbers)))")
    }
  }

  /// Of the entities in a table that were not there.
  private func numbersOfLost(in root: String) -> String {
    new.entities.filter { lost.entities.contains($0.name) && $0.rootEntityName == root }
      .map { "\($0.number)" }.joined(separator: ", ")
  }

  /// Places in an ordered relationship, of objects that are still in it.
  private func placeMembers(_ column: ColumnLayout, _ table: TableLayout, _ former: TableLayout) throws {
    guard let owning = column.role.placedBy, let reference = owning.property,
      owning == .owner(reference) ? lost.orders.contains(reference) : isOrdered(inverseOf: reference),
      let place = former.column(for: column.role), let owner = table.column(for: owning),
      let formerOwner = former.column(for: owning)
    else { return }
    let own = table.name.quotedIdentifier
    try db.executeStatement(
      "UPDATE main.\(own) SET \(column.name.quotedIdentifier) = k.\(place.name.quotedIdentifier)"
        + " FROM source.\(former.name.quotedIdentifier) AS k WHERE k.Z_PK = \(own).Z_PK AND k.Z_ENT = \(own).Z_ENT"
        + " AND \(own).\(owner.name.quotedIdentifier) = k.\(formerOwner.name.quotedIdentifier)")
  }

  private func isOrdered(inverseOf reference: PropertyReference) -> Bool {
    guard let toOne = hierarchy.relationship(reference), let inverse = hierarchy.inverse(of: toOne) else {
      return false
    }
    return lost.orders.contains {
      $0.property == inverse.name && hierarchy.isKind(toOne.destinationEntityName, of: $0.entity)
    }
  }

  private func placeLinks(_ join: JoinTableLayout, _ former: JoinTableLayout) throws {
    let places = [
      (join.destination, join.sourceOrderColumn, former.sourceOrderColumn),
      (join.source, join.destinationOrderColumn, former.destinationOrderColumn),
    ]
    let own = join.name.quotedIdentifier
    for case (let relationship, let place?, let formerPlace?) in places
    where lost.orders.contains(relationship) {
      try db.executeStatement(
        "UPDATE main.\(own) SET \(place.quotedIdentifier) = k.\(formerPlace.quotedIdentifier)"
          + " FROM source.\(former.name.quotedIdentifier) AS k"
          + " WHERE k.\(former.sourceColumn.quotedIdentifier) = \(own).\(join.sourceColumn.quotedIdentifier)"
          + " AND k.\(former.destinationColumn.quotedIdentifier) = \(own).\(join.destinationColumn.quotedIdentifier)"
      )
    }
  }

  private func insertLinks(_ join: JoinTableLayout, _ former: JoinTableLayout) throws {
    guard let sources = new.table(ofEntity: join.source.entity),
      let destinations = new.table(ofEntity: join.destination.entity)
    else { return }
    let isLost = lost.properties.contains(join.source) || lost.properties.contains(join.destination)
    let pairs = [
      (join.sourceColumn, former.sourceColumn), (join.destinationColumn, former.destinationColumn),
      (join.sourceOrderColumn, former.sourceOrderColumn),
      (join.destinationOrderColumn, former.destinationOrderColumn),
    ].compactMap { own, kept in
      own.flatMap { own in kept.map { (own.quotedIdentifier, $0.quotedIdentifier) } }
    }
    try db.executeStatement(
      "INSERT OR IGNORE INTO main.\(join.name.quotedIdentifier) (\(pairs.map(\.0).joined(separator: ", ")))"
        + " SELECT \(pairs.map(\.1).joined(separator: ", ")) FROM source.\(former.name.quotedIdentifier)"
        + " WHERE \(pairs[0].1) IN (SELECT Z_PK FROM main.\(sources.name.quotedIdentifier))"
        + " AND \(pairs[1].1) IN (SELECT Z_PK FROM main.\(destinations.name.quotedIdentifier))"
        + (isLost
          ? "" : " AND (\(restoredEnd(pairs[0].1, sources)) OR \(restoredEnd(pairs[1].1, destinations)))"))
  }

  private func restoredEnd(_ column: String, _ table: TableLayout) -> String {
    "\(column) IN (SELECT Z_PK FROM main.\(table.name.quotedIdentifier)"
      + " WHERE Z_ENT IN (\(numbersOfLost(in: table.rootEntityName))))"
  }

  /// Restored cells that name a file beside the kept store get a file beside this one.
  func takeLargeValues(from kept: String, to files: MigratedExternalData) throws {
    try new.takeLargeValues(
      hierarchy, in: db, to: files, reading: { try readExternalData($0, ofStoreAt: kept) }
    ) { table, column in
      guard case .attribute(let reference) = column.role, !lost.properties.contains(reference) else {
        return "1"
      }
      return "Z_ENT IN (\(numbersOfLost(in: table.rootEntityName)))"
    }
  }
}

extension StoreSchema {
  /// Gives cells that name a file beside another store a file beside this one.
  ///
  /// - Parameters:
  ///   - read: the contents of a file there; nil if it is missing, and the cell then stays as it is.
  ///   - rows: which rows have a cell of the other store in a column.
  func takeLargeValues(
    _ hierarchy: EntityHierarchy, in db: StoreDatabase, to files: MigratedExternalData,
    reading read: (String) throws -> Data?, where rows: (TableLayout, ColumnLayout) -> String
  ) throws {
    for table in tables {
      for column in table.columns {
        guard case .attribute(let reference) = column.role,
          let attribute = hierarchy.attribute(reference),
          attribute.allowsExternalBinaryDataStorage
        else { continue }
        let (name, own) = (column.name.quotedIdentifier, table.name.quotedIdentifier)
        let update = try RowStatement(db, sql: "UPDATE main.\(own) SET \(name) = ? WHERE Z_PK = ?")
        let cells = try RowReader(
          db,
          sql: "SELECT Z_PK, \(name) FROM main.\(own) WHERE \(rows(table, column))"
            + " AND SUBSTR(\(name), 1, 1) = X'02' ORDER BY Z_PK")
        var found: [(key: Int64, cell: StoredCell)] = []
        while try cells.step() { if let key = cells.integer(0) { found.append((key, cells.cell(1))) } }
        for (key, cell) in found {
          guard case .external(let file) = cell.storedValue(of: attribute), let data = try read(file) else {
            continue
          }
          let id = ManagedObject.ID(entityName: reference.entity, primaryKey: key)
          let made = try files.store(data, of: id, property: reference.property)
          try update.bind(made.map(\.externalReference) ?? .blob(Data([1]) + data), at: 0)
          try update.bind(key, at: 1)
          try update.run()
        }
      }
    }
  }
}

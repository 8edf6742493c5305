import Foundation
package import ManagedModel
import PersistentStore

/// Notes in `temp.modelc_same` which objects two stores have in common, and writes what it says: new objects with all that
/// belongs to them, values and references of objects that both stores have, and links.
struct MergedTables {
  let schema: PairedSchema
  let rules: MergeRules
  /// As messages name the stores.
  let store: String
  let destination: String
  let db: StoreDatabase
  let monitor: MigrationMonitor

  /// - Returns: the counts by entity, how many references of new objects lead to no object of the source, and how many links
  ///   were added.
  func write() throws -> (entities: [MergeReport.EntityCount], dangling: Int, links: Int) {
    var counts: [MergeReport.EntityCount] = []
    var dangling = 0
    try notePlaces()
    for table in schema.tables { for entity in table.entities { try refuseConflicts(entity, of: table) } }
    for (index, table) in schema.tables.enumerated() {
      let count = Int64(schema.tables.count)
      monitor.report(
        .copy, entity: table.entities.first?.name, completed: count + Int64(index), total: 2 * count)
      let before = try db.countAllRows(table: table.name)
      dangling += try countDangling(table)
      let added = try insert(table)
      let rows = try db.countAllRows(table: table.name)
      if rows != before + added {
        let message = "the merged copy has \(rows) rows in \(table.name), but the plan says \(before + added)"
        throw DiagnosticsError(.bug(.rowCountsDiffer, message))
      }
    }
    for table in schema.tables {
      for entity in table.entities {
        var count = try self.count(entity, of: table)
        if count.matched > 0 { count.changed = try update(entity, of: table) }
        if count.added + count.matched > 0 { counts.append(count) }
      }
    }
    for table in schema.tables { try releasePartners(of: table) }
    for table in schema.tables { try joinPairs(of: table) }
    let links = try schema.joins.reduce(0) { try $0 + insertLinks($1.join, $1.former) }
    return (counts, dangling, links)
  }

  /// New objects whose values are to be unique, and which another object has that is not the same.
  private func refuseConflicts(_ entity: PairedSchema.Entity, of table: PairedSchema.Table) throws {
    for owner in schema.hierarchy.lineage(of: entity.name) {
      let kinds = Set(schema.hierarchy.descendantNames(includingSelf: owner.name))
      for constraint in owner.uniquenessConstraints {
        let columns = constraint.compactMap { name in schema.column(named: name, of: entity.name, in: table) }
        let same = columns.compactMap { column in
          value(of: column, in: table).map { "n.\(column.name) = \($0)" }
        }
        if same.isEmpty || same.count != constraint.count { continue }
        for holder in table.entities where kinds.contains(holder.name) {
          let count = try countRows(
            db,
            "FROM \(account(table)) WHERE s.isNew AND o.Z_ENT = \(entity.formerNumber) AND EXISTS (SELECT 1 FROM"
              + " main.\(table.new) AS n WHERE n.Z_ENT = \(holder.number) AND \(same.joined(separator: " AND ")))"
          )
          if count > 0 {
            throw DiagnosticsError(.constraintWouldBreak(entity.name, constraint, (count, holder.name)))
          }
        }
      }
    }
  }

  private func account(_ table: PairedSchema.Table) -> String {
    "source.\(table.old) AS o JOIN temp.modelc_same AS s ON s.root = \(table.root) AND s.old = o.Z_PK"
  }

  private func count(
    _ entity: PairedSchema.Entity, of table: PairedSchema.Table
  ) throws -> MergeReport.EntityCount {
    var count = MergeReport.EntityCount(entity: entity.name)
    for (isNew, path) in [(1, \MergeReport.EntityCount.added), (0, \.matched)] {
      count[keyPath: path] = try countRows(
        db, "FROM \(account(table)) WHERE o.Z_ENT = \(entity.formerNumber) AND s.isNew = \(isNew)")
    }
    return count
  }

  private func countDangling(_ table: PairedSchema.Table) throws -> Int {
    try table.columns.reduce(0) { count, column in
      guard let target = schema.target(of: column.role) else { return count }
      return try count
        + countRows(
          db,
          "FROM \(account(table)) WHERE s.isNew AND o.\(column.former) IS NOT NULL"
            + " AND \(schema.mapped("o.\(column.former)", in: target)) IS NULL")
    }
  }

  /// Cells of the source that name a file beside it get one beside the store.
  func takeLargeValues(to files: MigratedExternalData, reading read: (String) throws -> Data?) throws {
    try schema.takeLargeValues(in: db, to: files, reading: read) { table, column in
      // With `fill` a value keeps its own file, though the source has one of that name; a value without a file gets it.
      let cell = "\(table.new).\(column.name)"
      return
        "EXISTS (SELECT 1 FROM \(account(table)) WHERE s.new = \(table.new).Z_PK AND o.\(column.former) IS \(cell)"
        + " AND (s.isNew OR \(isOfEntities(of: table, existing: .replace)) OR"
        + " \(isOfEntities(of: table, existing: .fill)) AND \(schema.cell(cell, side: 1, of: column.role)) IS \(cell)))"
    }
  }

  private func isOfEntities(of table: PairedSchema.Table, existing mode: MergeRules.Existing) -> String {
    let entities = table.entities.filter { rules.existing($0.name, in: schema.hierarchy) == mode }
    return "o.Z_ENT IN (\(entities.map { "\($0.formerNumber)" }.joined(separator: ", ")))"
  }

  /// Counts URIs of the source's objects that would get into the store, where these have other keys, and values that the
  /// store has no column for.
  func surveyCells() throws -> [Diagnostic] {
    try schema.tables.flatMap { table -> [Diagnostic] in
      let left = try table.unpaired.compactMap { name -> Diagnostic? in
        let count = try countRows(db, "FROM \(account(table)) WHERE s.isNew AND o.\(name) IS NOT NULL")
        if count == 0 { return nil }
        return Diagnostic(
          .unknownSchemaObjects, .warning,
          "\(count) merged \(verb(count, "object has", "objects have")) a value in the column '\(name)' of '\(table.name)', which is in no model: it is not merged",
          notes: ["the store that is merged into has no such column"],
          help: ["add the column there first, or keep the other store"])
      }
      return try left
        + table.columns.compactMap { column -> Diagnostic? in
          guard case .attribute(let property) = column.role else { return nil }
          let count = try countRows(
            db,
            "FROM \(account(table)) LEFT JOIN main.\(table.new) AS t ON t.Z_PK = s.new"
              + " WHERE TYPEOF(o.\(column.former)) = 'text' AND INSTR(o.\(column.former), 'x-coredata://') > 0"
              + " AND (s.isNew OR t.\(column.name) IS NOT o.\(column.former) AND"
              + " (\(isOfEntities(of: table, existing: .replace)) OR t.\(column.name) IS NULL"
              + " AND \(isOfEntities(of: table, existing: .fill))))")
          if count == 0 { return nil }
          return Diagnostic(
            .objectURIsChange, .warning,
            "\(count) merged \(verb(count, "value", "values")) of '\(property.path)' \(verb(count, "holds", "hold")) URIs of objects",
            subject: ModelSubject(entity: property.entity, property: property.property),
            notes: ["merged objects have new keys: such a URI may point to no object, or to another one"],
            help: ["let the app look up the object by something other than its URI"])
        }
    }
  }

  /// Notes the last place of each ordered list, before anything is added to it.
  private func notePlaces() throws {
    try db.executeStatement(
      "CREATE TEMP TABLE modelc_places (list TEXT, owner INTEGER, place INTEGER, PRIMARY KEY (list, owner)) WITHOUT ROWID"
    )
    for table in schema.tables {
      for column in table.columns {
        guard let owner = column.role.placedBy.flatMap(table.column)?.name else { continue }
        try db.executeStatement(
          "INSERT INTO temp.modelc_places SELECT \(list(column, of: table)), \(owner), MAX(\(column.name))"
            + " FROM main.\(table.new) WHERE \(owner) IS NOT NULL GROUP BY \(owner)")
      }
    }
  }

  private func list(_ column: PairedSchema.Column, of table: PairedSchema.Table) -> String {
    StoredCell.text("\(table.name).\(column.name)").sql
  }

  /// A column's value in the store, by the source's row `o`.
  private func value(of column: PairedSchema.Column, in table: PairedSchema.Table) -> String? {
    switch column.role {
    case .attribute, .unknown: return "o.\(column.former)"
    case .toOne, .owner: return key(column.role, table)?.key
    case .discriminator(let property):
      return key(.toOne(property), table).map {
        "CASE WHEN \($0.key) IS NOT NULL THEN \(schema.mappedNumber("o.\(column.former)")) END"
      }
    case .order, .ownerOrder:
      // Behind the members that an object has already.
      return column.role.placedBy.flatMap { key($0, table) }.map { owner in
        "o.\(column.former) + IFNULL((SELECT place FROM temp.modelc_places"
          + " WHERE list = \(list(column, of: table)) AND owner = \(owner.key)), 0)"
      }
    case .primaryKey: return "s.new"
    case .entityNumber: return schema.mappedNumber("o.Z_ENT")
    case .optimisticLock: return "1"
    }
  }

  private func insert(_ table: PairedSchema.Table) throws -> Int {
    let values = table.columns.compactMap { column in value(of: column, in: table).map { (column.name, $0) } }
    let numbers = table.entities.map { "\($0.formerNumber)" }.joined(separator: ", ")
    return try db.executeStatement(
      "INSERT INTO main.\(table.new) (\(values.map(\.0).joined(separator: ", ")))"
        + " SELECT \(values.map(\.1).joined(separator: ", ")) FROM \(account(table))"
        + " WHERE s.isNew AND o.Z_ENT IN (\(numbers)) ORDER BY s.new")
  }

  /// Values and references of an entity's objects that both stores have; how many got some.
  private func update(_ entity: PairedSchema.Entity, of table: PairedSchema.Table) throws -> Int {
    let mode = rules.existing(entity.name, in: schema.hierarchy)
    if mode == .keep { return 0 }
    var changes: [(column: String, value: String)] = []
    for column in table.columns {
      var own = column.role.key.flatMap(table.column)
      if case .attribute(let reference) = column.role {
        // A derived value is computed anew.
        own = schema.hierarchy.attribute(reference)?.isDerived ?? true ? nil : column
      }
      guard let own, let value = value(of: column, in: table) else { continue }
      // A place belongs to its owner: it goes along only with another one.
      let (base, given) = (own.name, schema.cell(value, side: 0, of: column.role))
      let differs =
        column.role.placedBy.flatMap { key($0, table) }.map { "t.\(base) IS NOT \($0.key)" }
        ?? "\(schema.cell("t.\(base)", side: 1, of: column.role)) IS NOT \(given)"
      // A key that leads to no object of the source says nothing, nor does a file that is missing.
      let isSound =
        key(own.role, table).map { " AND (o.\(own.former) IS NULL OR \($0.key) IS NOT NULL)" }
        ?? (given == value ? "" : " AND (SUBSTR(\(value), 1, 1) IS NOT X'02' OR \(given) IS NOT \(value))")
      let isTaken = (mode == .fill ? isEmpty(base, of: column.role, in: table) : differs) + isSound
      changes.append((column.name, "CASE WHEN \(isTaken) THEN \(value) ELSE t.\(column.name) END"))
    }
    if changes.isEmpty { return 0 }
    do { return try write(changes, to: entity, of: table) } catch {
      guard let broken = error.columnsOfBrokenIndex else { throw error }
      let names = broken.map { column in
        table.columns.first { "\(table.name).\($0.name)" == column }?.role.property?.property ?? column
      }
      throw DiagnosticsError(.constraintWouldBreak(entity.name, names))
    }
  }

  /// Whether the store's row `t` has nothing there; of a composite, whose members belong together, in none of them.
  private func isEmpty(_ base: String, of role: ColumnRole, in table: PairedSchema.Table) -> String {
    func root(_ role: ColumnRole) -> [String]? {
      if case .attribute(let own) = role { [own.entity] + keys(of: own.property).prefix(1) } else { nil }
    }
    let members = table.columns.filter { $0.name == base || root(role) != nil && root($0.role) == root(role) }
    return members.map { "t.\($0.name) IS NULL" }.joined(separator: " AND ")
  }

  private func write(
    _ changes: [(column: String, value: String)], to entity: PairedSchema.Entity, of table: PairedSchema.Table
  ) throws -> Int {
    let differs = changes.map { "t.\($0.column) IS NOT (\($0.value))" }.balanced(" OR ")
    return try db.executeStatement(
      "UPDATE main.\(table.new) AS t SET \(changes.map { "\($0.column) = \($0.value)" }.joined(separator: ", ")),"
        + " Z_OPT = t.Z_OPT + 1 FROM \(account(table)) WHERE NOT s.isNew AND s.new = t.Z_PK"
        + " AND o.Z_ENT = \(entity.formerNumber) AND (\(differs))")
  }

  /// The key in the store that a column of the source's row `o` holds, and the store's column for it.
  private func key(_ role: ColumnRole, _ table: PairedSchema.Table) -> (key: String, column: String)? {
    guard let target = schema.target(of: role), let column = table.column(role) else { return nil }
    return (schema.mapped("o.\(column.former)", in: target), column.name)
  }

  /// Two to-one relationships that are each other's inverses, as assignments to the other one's row `b` for a row `a`.
  private func pairs(
    of table: PairedSchema.Table
  ) -> [(property: PropertyReference, column: String, other: String, back: String, number: String?)] {
    table.columns.compactMap { column in
      guard case .toOne(let property) = column.role, let inverse = schema.toOneInverse(of: column.role),
        let other = schema.target(of: column.role), let back = other.column(.toOne(inverse))?.name
      else { return nil }
      return (property, column.name, other.new, back, other.column(.discriminator(inverse))?.name)
    }
  }

  /// The former partner of an object that got another one by `replace`, or none, has no partner.
  private func releasePartners(of table: PairedSchema.Table) throws {
    for pair in pairs(of: table) {
      let number = pair.number.map { ", \($0) = NULL" } ?? ""
      try db.executeStatement(
        "UPDATE main.\(pair.other) AS b SET \(pair.back) = NULL\(number) FROM \(account(table))"
          + " JOIN main.\(table.new) AS a ON a.Z_PK = s.new WHERE NOT s.isNew"
          + " AND \(isOfEntities(of: table, existing: .replace)) AND b.\(pair.back) = a.Z_PK"
          + " AND a.\(pair.column) IS NOT b.Z_PK")
    }
  }

  /// Of two to-one relationships that are each other's inverses both columns say the same, and no object has two partners.
  private func joinPairs(of table: PairedSchema.Table) throws {
    for pair in pairs(of: table) {
      let partners = try countRows(
        db,
        "FROM (SELECT 1 FROM main.\(table.new) AS a WHERE a.\(pair.column) IS NOT NULL GROUP BY a.\(pair.column)"
          + " HAVING COUNT(*) > 1 AND MAX(EXISTS (SELECT 1 FROM temp.modelc_same WHERE root = \(table.root)"
          + " AND new = a.Z_PK)))")
      if partners > 0 {
        let (entity, property) = (pair.property.entity, pair.property.property)
        throw DiagnosticsError(
          .partnerTaken,
          "\(partners) \(verb(partners, "object", "objects")) would be '\(property)' of more than one '\(entity)'; the relationship is one-to-one",
          subject: ModelSubject(entity: entity, property: property),
          notes: ["the stores have different objects there and nothing matches them; nothing was written"],
          help: ["if they are the same, match them by it: `--match \(entity)=\(property)`"])
      }
      let number = pair.number.map { ", \($0) = a.Z_ENT" } ?? ""
      try db.executeStatement(
        "UPDATE main.\(pair.other) AS b SET \(pair.back) = a.Z_PK\(number) FROM main.\(table.new) AS a"
          + " JOIN temp.modelc_same AS s ON s.root = \(table.root) AND s.new = a.Z_PK"
          + " WHERE a.\(pair.column) = b.Z_PK AND b.\(pair.back) IS NULL")
    }
  }

  private func insertLinks(_ join: JoinTableLayout, _ former: JoinTableLayout) throws -> Int {
    guard let source = schema.target(of: .owner(join.source)),
      let far = schema.target(of: .owner(join.destination))
    else { return 0 }
    let table = join.name.quotedIdentifier
    let (left, right) = (join.near.column.quotedIdentifier, join.far.column.quotedIdentifier)
    var (columns, values) = ([left, right], ["l", "r"])
    var ends = ""
    var read = [
      "\(schema.mapped("j.\(former.near.column.quotedIdentifier)", in: source)) AS l",
      "\(schema.mapped("j.\(former.far.column.quotedIdentifier)", in: far)) AS r",
    ]
    let places = [
      (join.near.order, former.near.order, right, "r"),
      (join.far.order, former.far.order, left, "l"),
    ]
    for case (let place?, let formerPlace?, let owner, let key) in places {
      let name = place.quotedIdentifier
      columns.append(name)
      read.append("j.\(formerPlace.quotedIdentifier) AS p\(key)")
      // The end of each list once, not once more for each of its members.
      ends +=
        " LEFT JOIN (SELECT \(owner) AS of\(key), MAX(\(name)) AS end\(key) FROM main.\(table) GROUP BY 1) ON of\(key) = \(key)"
      values.append("p\(key) + IFNULL(end\(key), 0)")
    }
    return try db.executeStatement(
      "INSERT INTO main.\(table) (\(columns.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) FROM"
        + " (SELECT \(read.joined(separator: ", ")) FROM source.\(former.name.quotedIdentifier) AS j)\(ends)"
        + " WHERE l IS NOT NULL AND r IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.\(table) AS m"
        + " WHERE m.\(left) = l AND m.\(right) = r)")
  }
}

extension Diagnostic.Code { package static let partnerTaken = Self("MC6602") }

extension Diagnostic {
  /// - Parameter new: how many new objects, and the entity of those that have the values; nil where an object that both
  ///   stores have is changed.
  fileprivate static func constraintWouldBreak(
    _ entity: String, _ names: [String], _ new: (count: Int, holder: String)? = nil
  ) -> Self {
    let what =
      new.map {
        "\($0.count) new \(verb($0.count, "object", "objects")) of '\(entity)' \(verb($0.count, "has", "have"))"
      }
      ?? "an object of '\(entity)' would get"
    let key = names.joined(separator: ", ")
    let help =
      switch new?.holder {
      case nil: "keep what the other store has: `--existing \(entity)=keep`, or `--existing \(entity)=fill`"
      case entity:
        "if they are the same objects, match them by it: `--match \(entity)=\(names.joined(separator: ","))`"
      case let holder?:
        "objects of '\(entity)' and '\(holder)' never match: delete one of the two with the app, or give it another \(key)"
      }
    return Self(
      .constraintConflict, .error,
      "\(what) the \(key) of another object, but the model requires it to be unique",
      subject: ModelSubject(entity: entity), notes: ["nothing was written"], help: [help])
  }
}

/// Two stores that become one: `temp.modelc_same` says which object each one of the source becomes, by the number of its
/// table's root entity.
extension PairedSchema {
  func column(named name: String, of entity: String, in table: Table) -> Column? {
    guard let reference = hierarchy.reference(to: name, seenFrom: entity) else { return nil }
    return table.column(.attribute(reference)) ?? table.column(.toOne(reference))
  }

  /// A cell as it compares: where its value may lie in a file, the value itself.
  ///
  /// - Parameter side: 0 for the source, 1 for the store.
  func cell(_ column: String, side: Int, of role: ColumnRole) -> String {
    guard case .attribute(let reference) = role,
      hierarchy.attribute(reference)?.allowsExternalBinaryDataStorage == true
    else { return column }
    return "modelc_large(\(side), \(column))"
  }

  /// The to-one relationship that leads back, where both ends are one object; each has a column then.
  func toOneInverse(of role: ColumnRole) -> PropertyReference? {
    guard case .toOne(let reference) = role, let inverse = hierarchy.inverse(of: reference),
      hierarchy.relationship(inverse)?.isToMany == false
    else { return nil }
    return inverse
  }

  /// The object that a key of the source becomes; NULL where the source has none of that key.
  func mapped(_ key: String, in table: Table) -> String {
    "(SELECT new FROM temp.modelc_same WHERE root = \(table.root) AND old = \(key))"
  }
}

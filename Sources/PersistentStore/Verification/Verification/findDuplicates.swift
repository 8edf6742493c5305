package import GRDB
package import ManagedModel

extension Database {
  /// Groups of rows that break a uniqueness constraint, and places of ordered relationships that two objects share. No
  /// single row shows either.
  func findDuplicates(in store: VerifiedStore) throws -> [Verification.Finding] {
    try findBrokenConstraints(in: store) + findSharedPlaces(in: store)
  }

  /// A constraint binds every entity that has its properties, wherever it is declared. Nulls are distinct.
  package func findBrokenConstraints(in store: VerifiedStore) throws -> [Verification.Finding] {
    try store.storedConstraints.compactMap { constraint in
      let columns = constraint.columns.map { "t.\($0.name.quotedIdentifier)" }
      let entity = "t.Z_ENT IN (\(constraint.numbers.sqlList))"
      let conditions = [entity] + columns.map { "\($0) IS NOT NULL" }
      return try equalRows(
        self, constraint.table.name, by: columns, where: conditions.balanced(" AND "), key: "t.Z_PK"
      ) { groups in
        let names = constraint.properties.map { "'\($0)'" }.joined(separator: ", ")
        return Diagnostic(
          .constraintConflict, .error,
          "'\(constraint.entity)' is unique by \(names), but the store has \(groups.count) "
            + "\(verb(groups.count, "group", "groups")) of duplicates",
          subject: ModelSubject(entity: constraint.entity, key: "uniquenessConstraints"), notes: groups.notes,
          help: ["remove the duplicates with the app: the next save of one of them fails"], cocoaCode: 133021)
      }
    }
  }

  func findSharedPlaces(in store: VerifiedStore) throws -> [Verification.Finding] {
    try store.orderedLists.compactMap { list in
      let columns = [list.owner, list.place].map { "t.\($0.quotedIdentifier)" }
      return try equalRows(
        self, list.table, by: columns, where: columns.map { "\($0) IS NOT NULL" }.balanced(" AND "),
        key: "t.\(list.key.quotedIdentifier)"
      ) { groups in
        Diagnostic(
          .placesInconsistent, .warning,
          "'\(list.relationship.path)' is ordered and \(groups.count) "
            + "\(verb(groups.count, "position is", "positions are")) taken more than once",
          subject: ModelSubject(list.relationship), notes: groups.notes,
          help: ["order the relationship again with the app"])
      }
    }
  }
}

/// A uniqueness constraint with the columns and the entities that it binds.
package struct StoredConstraint {
  package var entity: String
  package var properties: [String]
  package var table: TableLayout
  package var columns: [ColumnLayout]
  /// Of the entities that have all its properties.
  package var numbers: [Int]
}

extension VerifiedStore {
  /// The constraints of a model all of whose properties have a column.
  package var storedConstraints: [StoredConstraint] {
    var constraints: [StoredConstraint] = []
    for table in checkedTables {
      let names = hierarchy.descendantNames(includingSelf: table.rootEntityName)
      for name in names {
        for properties in hierarchy.entity(named: name)?.uniquenessConstraints ?? [] {
          let declared = properties.compactMap { hierarchy.reference(to: $0, seenFrom: name) }
          let columns = declared.compactMap {
            table.column(for: .attribute($0)) ?? table.column(for: .toOne($0))
          }
          guard !columns.isEmpty, columns.count == properties.count else { continue }
          let holders = names.filter { holder in
            declared.allSatisfy { hierarchy.isKind(holder, of: $0.entity) }
          }
          constraints.append(
            StoredConstraint(
              entity: name, properties: properties, table: table, columns: columns,
              numbers: schema.numbers(of: holders)))
        }
      }
    }
    return constraints
  }

  /// Where members of ordered relationships have their places, and which column says whose they are.
  package var orderedLists: [OrderedList] {
    var lists: [OrderedList] = []
    for table in checkedTables {
      for column in table.columns {
        guard let role = column.role.placedBy, let reference = role.property,
          let key = table.column(for: role)
        else { continue }
        lists.append((table.name, key.name, column.name, "Z_PK", reference))
      }
    }
    for join in checkedJoinTables.flatMap({ [$0, $0.reversed] }) {
      guard let place = join.far.order else { continue }
      lists.append((join.name, join.near.column, place, join.far.column, join.source))
    }
    return lists
  }
}

package typealias OrderedList = (
  table: String, owner: String, place: String, key: String, relationship: PropertyReference
)

/// Rows that have the same values: how many groups, and what is said of the first of them.
private typealias Groups = (count: Int, notes: [Diagnostic.Note])

/// The finding that a diagnostic of the groups is; nil where there are none.
private func equalRows(
  _ db: Database, _ table: String, by columns: [String], where condition: String, key: String,
  _ diagnostic: (Groups) -> Diagnostic
) throws -> Verification.Finding? {
  let list = columns.joined(separator: ", ")
  let values = columns.indices.map { "\(columns[$0]) AS v\($0)" }.joined(separator: ", ")
  let isSame = columns.indices.map { "\(columns[$0]) = g.v\($0)" }.joined(separator: " AND ")
  let rows = "FROM \(table.quotedIdentifier) AS t WHERE \(condition)"
  let groups =
    "SELECT MIN(\(key)) AS first, COUNT(*) AS n, \(values) \(rows) GROUP BY \(list) HAVING COUNT(*) > 1"
  let count = try countRows(db, "FROM (\(groups))")
  guard count > 0 else { return nil }
  // A group may have millions of keys: they are asked for where they are shown.
  let keys = "SELECT GROUP_CONCAT(k) FROM (SELECT \(key) AS k \(rows) AND \(isSame) ORDER BY k LIMIT 3)"
  let shown = try Row.fetchAll(
    db, sql: "SELECT (\(keys)), n FROM (\(groups) ORDER BY first LIMIT 5) AS g ORDER BY first")
  var (notes, first) = ([Diagnostic.Note](), [Int64]())
  for row in shown {
    let keys = (row.text(0) ?? "").split(separator: ",").compactMap { Int64($0) }.sorted()
    let size = row.number(1) ?? 0
    let all = size > keys.count ? " (\(size) in all)" : ""
    notes.append(
      Diagnostic.Note("\(Diagnostic.Note.examples(keys, count: size).message)\(all) have the same values"))
    first += keys.prefix(1)
  }
  return Verification.Finding(diagnostic((count, notes)), count: count, primaryKeys: first)
}

extension Diagnostic.Code { package static let constraintConflict = Self("MC6201") }

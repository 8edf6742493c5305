import ManagedModel
import PersistentStore

extension ReferenceColumn {
  fileprivate var value: String { "t.\(column.name.quotedIdentifier)" }

  /// The statement that makes it lead nowhere.
  fileprivate func clearing(where condition: String) -> String {
    "UPDATE \(table.name.quotedIdentifier) AS t SET \(emptying) WHERE \(condition)"
  }

  /// That there is a row that it leads to, of which the condition holds; the row is `f`.
  fileprivate func found(_ condition: String? = nil) -> String {
    "EXISTS (SELECT 1 FROM \(target.name.quotedIdentifier) AS f WHERE f.Z_PK = \(value)"
      + (condition.map { " AND \($0))" } ?? ")")
  }
}

extension StoreRepairer {
  private var referenceColumns: [ReferenceColumn] {
    store.schema.referenceColumns(store.hierarchy).filter { $0.target.column(for: .primaryKey) != nil }
  }

  /// What leads nowhere, or to an object of another entity, leads nowhere in the model's way: it is nil.
  func repairReferences() throws {
    for column in referenceColumns {
      let name = "'\(column.reference.path)'"
      try change(
        .reference, of: column.reference,
        column.clearing(where: "\(column.value) IS NOT NULL AND NOT \(column.found())")
      ) {
        "\($0) \(verb($0, "reference", "references")) of \(name) to missing objects \(verb($0, "becomes", "become")) nil"
      }
      guard let isKind = store.isKind("f", of: column.entity) else { continue }
      try change(
        .reference, of: column.reference, isLoss: true,
        column.clearing(where: "\(column.value) IS NOT NULL AND \(column.found("NOT (\(isKind))"))")
      ) {
        "\($0) \(verb($0, "reference", "references")) of \(name) to an object that is not a "
          + "'\(column.entity)' \(verb($0, "becomes", "become")) nil"
      }
    }
  }

  /// Rows of a join table that lack an end, or lead to an object of another entity, go.
  func repairJoins() throws {
    for join in store.schema.joinTables {
      let name = "'\(join.source.path)'"
      let table = join.name.quotedIdentifier
      for side in join.sides {
        let entity = side.entity
        guard let target = store.schema.table(ofEntity: entity) else { continue }
        let value = "t.\(side.column.quotedIdentifier)"
        let found = "EXISTS (SELECT 1 FROM \(target.name.quotedIdentifier) AS f WHERE f.Z_PK = \(value)"
        try change(
          .joinRow, of: join.source,
          "DELETE FROM \(table) AS t WHERE \(value) IS NULL OR NOT \(found))"
        ) {
          "\($0) \(verb($0, "row", "rows")) of \(name) \(verb($0, "is dropped", "are dropped")): '\(entity)' is missing"
        }
        guard let isKind = store.isKind("f", of: entity) else { continue }
        try change(
          .joinRow, of: join.source, isLoss: true,
          "DELETE FROM \(table) AS t WHERE \(found) AND NOT (\(isKind)))"
        ) {
          "\($0) \(verb($0, "row", "rows")) of \(name) to an object that is not a '\(entity)' \(verb($0, "is dropped", "are dropped"))"
        }
      }
    }
  }

  /// A one-to-one that only one side knows is answered by the other, where that is free; else it is given up.
  func repairInverses() throws {
    let answered: [(column: ReferenceColumn, inverse: PropertyReference, back: ColumnLayout)] =
      referenceColumns.compactMap { column in
        guard case .toOne = column.column.role, let inverse = store.oneToOneInverse(of: column.reference),
          let back = column.target.column(for: .toOne(inverse))
        else { return nil }
        return (column, inverse, back)
      }
    for (column, inverse, back) in answered { try answer(column, by: back, inverse) }
    for (column, _, back) in answered {
      let reference = column.reference
      let condition = store.among(
        reference.entity, column.found("f.\(back.name.quotedIdentifier) IS NOT t.Z_PK"))
      try change(.inverse, of: reference, isLoss: true, column.clearing(where: condition)) {
        "\($0) \(verb($0, "reference", "references")) of '\(reference.path)' \(verb($0, "does", "do")) not match the other side "
          + "and \(verb($0, "becomes", "become")) nil"
      }
    }
  }

  private func answer(_ column: ReferenceColumn, by back: ColumnLayout, _ inverse: PropertyReference) throws {
    let answer = back.name.quotedIdentifier
    let (asking, source) = (column.column.name.quotedIdentifier, column.table.name.quotedIdentifier)
    let kind = store.isKind("s", of: column.reference.entity).map { " AND \($0)" } ?? ""
    let first = "(SELECT MIN(s.Z_PK) FROM \(source) AS s WHERE s.\(asking) = t.Z_PK\(kind))"
    try change(
      .inverse, of: inverse,
      "UPDATE \(column.target.name.quotedIdentifier) AS t SET \(answer) = \(first) "
        + "WHERE t.\(answer) IS NULL AND \(store.among(inverse.entity, "\(first) IS NOT NULL"))"
    ) {
      "\($0) \(verb($0, "reference", "references")) of '\(inverse.path)' "
        + "\(verb($0, "is", "are")) set to match the other side"
    }
  }

  /// The number beside a reference is that of the object's entity.
  func repairDiscriminators() throws {
    for column in referenceColumns {
      guard let number = column.table.column(for: .discriminator(column.reference)) else { continue }
      let name = number.name.quotedIdentifier
      let entity =
        "(SELECT f.Z_ENT FROM \(column.target.name.quotedIdentifier) AS f WHERE f.Z_PK = \(column.value))"
      try change(
        .discriminator, of: column.reference,
        "UPDATE \(column.table.name.quotedIdentifier) AS t SET \(name) = \(entity) "
          + "WHERE \(column.value) IS NOT NULL AND t.\(name) IS NOT \(entity)"
      ) {
        "\($0) \(verb($0, "reference", "references")) of '\(column.reference.path)' "
          + "\(verb($0, "names", "name")) the entity of the object"
      }
    }
  }

  /// Members without a place come last; of two in one place the one with the lesser key comes first.
  func repairOrders() throws {
    for list in store.orderedLists {
      let (name, table) = ("'\(list.relationship.path)'", list.table.quotedIdentifier)
      let (owner, place) = (list.owner.quotedIdentifier, list.place.quotedIdentifier)
      let broken =
        "SELECT \(owner) FROM \(table) WHERE \(owner) IS NOT NULL "
        + "AND (\(place) IS NULL OR typeof(\(place)) <> 'integer') "
        + "UNION SELECT \(owner) FROM \(table) WHERE \(owner) IS NOT NULL GROUP BY \(owner), \(place) HAVING COUNT(*) > 1"
      try change(
        .order, of: list.relationship,
        numberOrderSQL(
          list.table, owner: list.owner, by: "typeof(\(place)) <> 'integer', \(place), rowid", list.place,
          where: "\(owner) IN (\(broken))")
      ) {
        "\($0) \(verb($0, "member", "members")) of \(name) \(verb($0, "gets", "get")) a new position in the order"
      }
    }
  }
}

package import ManagedModel

extension RowScan {
  /// Checks of the references in a table's rows: they lead to rows that exist, of an entity of the relationship; required
  /// ones are there; both sides of a one-to-one agree.
  mutating func addReferenceChecks(of table: TableLayout, in store: VerifiedStore) {
    for column in table.columns {
      guard let reference = column.role.property,
        let destination = store.hierarchy.entityReferred(toBy: column.role)
      else { continue }
      addChecks(of: column, reference, to: destination, of: table, in: store)
      if case .toOne = column.role, store.hierarchy.relationship(reference)?.isOptional == false {
        check(store.among(reference.entity, "t.\(column.name.quotedIdentifier) IS NULL")) { count in
          Diagnostic(
            .requiredValueMissing, .information,
            "\(objects(count, of: reference.entity)) \(verb(count, "lacks", "lack")) the required '\(reference.property)'",
            subject: ModelSubject(reference), notes: ["Core Data checks this only when an object is saved"],
            cocoaCode: 1570)
        }
      }
    }
  }

  /// - Parameter destination: the entity whose keys the column holds.
  private mutating func addChecks(
    of column: ColumnLayout, _ reference: PropertyReference, to destination: String, of table: TableLayout,
    in store: VerifiedStore
  ) {
    guard let target = store.schema.table(ofEntity: destination), target.column(for: .primaryKey) != nil
    else { return }
    let value = "t.\(column.name.quotedIdentifier)"
    let found = join(target.name, on: column.name)
    let isThere = "\(found).Z_PK IS NOT NULL"
    checkByIndex(
      RowCheck(condition: "\(value) IS NOT NULL AND \(found).Z_PK IS NULL", joins: [found], value: value) {
        .danglingReferences(reference, $0)
      })
    if let isKind = store.isKind(found, of: destination) {
      check("\(isThere) AND NOT (\(isKind))", joins: [found], value: value) {
        .referencesToOthers(reference, destination, $0)
      }
    }
    if let discriminator = table.column(for: .discriminator(reference)) {
      let number = "t.\(discriminator.name.quotedIdentifier)"
      check("\(isThere) AND \(number) IS NOT \(found).Z_ENT", joins: [found], value: value) {
        .references(
          .entityNumbersInconsistent, reference, $0,
          "\(verb($0, "names", "name")) an entity that is not the object's own",
          notes: ["the app treats the object as one of that entity"],
          help: "restore the store from a backup")
      }
    }
    if let inverse = store.oneToOneInverse(of: reference), let back = target.column(for: .toOne(inverse)) {
      let isUnanswered = "\(isThere) AND \(found).\(back.name.quotedIdentifier) IS NOT t.Z_PK"
      check(store.among(reference.entity, isUnanswered), joins: [found], value: value) {
        .references(
          .unansweredReferences, reference, $0, "\(verb($0, "does", "do")) not match '\(inverse.path)'",
          notes: ["the two sides of a one-to-one must point at each other"],
          help: "set the relationship again with the app, from either side")
      }
    }
    for role in [ColumnRole.order(reference), .ownerOrder(reference)] {
      guard let order = table.column(for: role) else { continue }
      let place = "t.\(order.name.quotedIdentifier)"
      check("\(value) IS NOT NULL AND (\(place) IS NULL OR typeof(\(place)) <> 'integer')") {
        .placesMissing(reference, $0)
      }
    }
  }

  /// A join table's rows: two keys each, both of rows that exist and are of the relationship's entities.
  mutating func addJoinChecks(of table: JoinTableLayout, in store: VerifiedStore) {
    let relationship = table.source
    let isHalf = table.sides.map { "t.\($0.column.quotedIdentifier) IS NULL" }.joined(separator: " OR ")
    check(isHalf) {
      Diagnostic(
        .danglingReferences, .error,
        "\($0) \(verb($0, "row", "rows")) of the join table of '\(relationship.path)' \(verb($0, "lacks", "lack")) a key",
        subject: ModelSubject(relationship),
        help: ["delete them in a copy, or restore the store from a backup"])
    }
    for side in table.sides {
      let entity = side.entity
      guard let target = store.schema.table(ofEntity: entity) else { continue }
      let found = join(target.name, on: side.column)
      check("t.\(side.column.quotedIdentifier) IS NOT NULL AND \(found).Z_PK IS NULL", joins: [found]) {
        .danglingReferences(relationship, $0)
      }
      if let isKind = store.isKind(found, of: entity) {
        check("\(found).Z_PK IS NOT NULL AND NOT (\(isKind))", joins: [found]) {
          .referencesToOthers(relationship, entity, $0)
        }
      }
    }
    for (side, reference) in zip(table.sides, [table.destination, table.source]) {
      guard let place = side.order.map({ "t.\($0.quotedIdentifier)" }) else { continue }
      check("\(place) IS NULL OR typeof(\(place)) <> 'integer'") { .placesMissing(reference, $0) }
    }
  }
}

extension Diagnostic.Code {
  package static let danglingReferences = Self("MC5203")
  package static let unansweredReferences = Self("MC5204")
  package static let placesInconsistent = Self("MC5205")
}

extension Diagnostic {
  fileprivate static func danglingReferences(_ property: PropertyReference, _ count: Int) -> Self {
    references(
      .danglingReferences, property, count,
      verb(count, "points to a missing object", "point to missing objects"),
      notes: ["in the app they are faults that cannot be fulfilled"],
      help: "set them to nil in a copy, or restore the objects from a backup")
  }

  fileprivate static func referencesToOthers(
    _ property: PropertyReference, _ entity: String, _ count: Int
  ) -> Self {
    references(
      .danglingReferences, property, count,
      "\(verb(count, "points", "point")) to an object that is not a '\(entity)'",
      help: "restore the store from a backup")
  }

  fileprivate static func placesMissing(_ property: PropertyReference, _ count: Int) -> Self {
    references(
      .placesInconsistent, property, count, "\(verb(count, "has", "have")) no position in the order",
      help: "order the relationship again with the app")
  }

  fileprivate static func references(
    _ code: Code, _ property: PropertyReference, _ count: Int, _ what: String, notes: [Note] = [],
    help: String
  ) -> Self {
    Self(
      code, .error, "\(count) \(verb(count, "reference", "references")) of '\(property.path)' \(what)",
      subject: ModelSubject(property), notes: notes, help: [help])
  }
}

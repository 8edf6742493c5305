package import ManagedModel

extension RowScan {
  /// Checks of the references in a table's rows: they lead to rows that exist, of an entity of the relationship; required
  /// ones are there; both sides of a one-to-one agree.
  mutating func addReferenceChecks(of table: TableLayout, in store: VerifiedStore) {
    for column in table.columns {
      switch column.role {
      case .toOne(let reference):
        guard let relationship = store.relationship(reference) else { continue }
        addChecks(
          of: column, reference, to: relationship.destinationEntityName, to: &self, of: table, in: store)
        if !relationship.isOptional {
          let condition = store.among(reference.entity, "t.\(column.name.quotedIdentifier) IS NULL")
          check(RowCheck(condition: condition) { .requiredReferenceMissing(reference, $0) })
        }
      case .owner(let reference):
        addChecks(of: column, reference, to: reference.entity, to: &self, of: table, in: store)
      default: break
      }
    }
  }
}

/// - Parameter destination: the entity whose keys the column holds.
private func addChecks(
  of column: ColumnLayout, _ reference: PropertyReference, to destination: String, to scan: inout RowScan,
  of table: TableLayout, in store: VerifiedStore
) {
  guard let target = store.schema.table(ofEntity: destination), target.column(for: .primaryKey) != nil else {
    return
  }
  let value = "t.\(column.name.quotedIdentifier)"
  let found = scan.join(target.name, on: column.name)
  func check(
    _ condition: String, onlyOf entity: String? = nil, _ diagnostic: @escaping @Sendable (Int) -> Diagnostic
  ) {
    let condition = entity.map { store.among($0, condition) } ?? condition
    scan.check(RowCheck(condition: condition, joins: [found], value: value, diagnostic: diagnostic))
  }
  scan.checkByIndex(
    RowCheck(condition: "\(value) IS NOT NULL AND \(found).Z_PK IS NULL", joins: [found], value: value) {
      .danglingReferences(reference, $0)
    })
  if let isKind = store.isKind(found, of: destination) {
    check("\(found).Z_PK IS NOT NULL AND NOT (\(isKind))") { .referencesToOthers(reference, destination, $0) }
  }
  if let discriminator = table.column(for: .discriminator(reference)) {
    let number = "t.\(discriminator.name.quotedIdentifier)"
    check("\(found).Z_PK IS NOT NULL AND \(number) IS NOT \(found).Z_ENT") {
      .wrongDiscriminator(reference, $0)
    }
  }
  if let inverse = store.oneToOneInverse(of: reference), let back = target.column(for: .toOne(inverse)) {
    let answer = "\(found).\(back.name.quotedIdentifier)"
    check("\(found).Z_PK IS NOT NULL AND \(answer) IS NOT t.Z_PK", onlyOf: reference.entity) {
      .unansweredReferences(reference, inverse, $0)
    }
  }
  for role in [ColumnRole.order(reference), .ownerOrder(reference)] {
    guard let order = table.column(for: role) else { continue }
    let place = "t.\(order.name.quotedIdentifier)"
    scan.check(
      RowCheck(condition: "\(value) IS NOT NULL AND (\(place) IS NULL OR typeof(\(place)) <> 'integer')") {
        .placesMissing(reference, $0)
      })
  }
}

extension RowScan {
  /// A join table's rows: two keys each, both of rows that exist and are of the relationship's entities.
  mutating func addJoinChecks(of table: JoinTableLayout, in store: VerifiedStore) {
    let relationship = table.source
    let (source, destination) = (
      table.sourceColumn.quotedIdentifier, table.destinationColumn.quotedIdentifier
    )
    check(
      RowCheck(condition: "t.\(source) IS NULL OR t.\(destination) IS NULL") { .halfLinks(relationship, $0) })
    for (column, entity) in [
      (table.sourceColumn, table.source.entity), (table.destinationColumn, table.destination.entity),
    ] {
      guard let target = store.schema.table(ofEntity: entity) else { continue }
      let found = join(target.name, on: column)
      check(
        RowCheck(
          condition: "t.\(column.quotedIdentifier) IS NOT NULL AND \(found).Z_PK IS NULL", joins: [found]
        ) {
          .danglingReferences(relationship, $0)
        })
      if let isKind = store.isKind(found, of: entity) {
        check(
          RowCheck(condition: "\(found).Z_PK IS NOT NULL AND NOT (\(isKind))", joins: [found]) {
            .referencesToOthers(relationship, entity, $0)
          })
      }
    }
    for (column, reference) in [
      (table.sourceOrderColumn, table.destination), (table.destinationOrderColumn, table.source),
    ] {
      guard let column else { continue }
      let place = "t.\(column.quotedIdentifier)"
      check(
        RowCheck(condition: "\(place) IS NULL OR typeof(\(place)) <> 'integer'") {
          .placesMissing(reference, $0)
        })
    }
  }
}

extension Diagnostic.Code {
  package static let danglingReferences = Self("MC5203")
  package static let unansweredReferences = Self("MC5204")
  package static let placesInconsistent = Self("MC5205")
}

extension Diagnostic {
  fileprivate static func requiredReferenceMissing(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .requiredValueMissing, .information,
      "\(objects(count, of: property.entity)) \(verb(count, "lacks", "lack")) the required '\(property.property)'",
      subject: ModelSubject(property), notes: ["Core Data asks for it when an object is saved, not before"],
      cocoaCode: 1570)
  }

  fileprivate static func danglingReferences(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .danglingReferences, .error,
      "\(references(count)) of '\(property.entity).\(property.property)' \(verb(count, "points to a missing object", "point to missing objects"))",
      subject: ModelSubject(property),
      notes: ["the app meets them as faults that cannot be fulfilled"],
      help: ["set them to nil in a copy, or restore the objects from a backup"])
  }

  fileprivate static func referencesToOthers(
    _ property: PropertyReference, _ entity: String, _ count: Int
  ) -> Self {
    Self(
      .danglingReferences, .error,
      "\(references(count)) of '\(property.entity).\(property.property)' \(verb(count, "points", "point")) to an "
        + "object that is not a '\(entity)'",
      subject: ModelSubject(property), help: ["restore the store from a backup"])
  }

  fileprivate static func wrongDiscriminator(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .entityNumbersInconsistent, .error,
      "\(references(count)) of '\(property.entity).\(property.property)' \(verb(count, "names", "name")) another "
        + "entity than the object's own",
      subject: ModelSubject(property), notes: ["the app takes the object for one of that entity"],
      help: ["restore the store from a backup"])
  }

  fileprivate static func unansweredReferences(
    _ property: PropertyReference, _ inverse: PropertyReference, _ count: Int
  ) -> Self {
    Self(
      .unansweredReferences, .error,
      "\(references(count)) of '\(property.entity).\(property.property)' \(verb(count, "is", "are")) not answered "
        + "by '\(inverse.entity).\(inverse.property)'",
      subject: ModelSubject(property), notes: ["the two sides of a one-to-one must point at each other"],
      help: ["set the relationship again with the app, from either side"])
  }

  fileprivate static func halfLinks(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .danglingReferences, .error,
      "\(count) \(verb(count, "row", "rows")) of the join table of '\(property.entity).\(property.property)' "
        + "\(verb(count, "lacks", "lack")) a key",
      subject: ModelSubject(property), help: ["delete them in a copy, or restore the store from a backup"])
  }

  fileprivate static func placesMissing(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .placesInconsistent, .error,
      "\(references(count)) of '\(property.entity).\(property.property)' \(verb(count, "has", "have")) no place in "
        + "the order",
      subject: ModelSubject(property), help: ["order the relationship again with the app"])
  }

  private static func references(_ count: Int) -> String {
    "\(count) \(verb(count, "reference", "references"))"
  }
}

package import GRDB
package import ManagedModel

/// Writes objects as rows, each entity through one prepared statement.
///
/// A relationship may be stated from either side or both: the other side, join rows, ordering keys and entity
/// numbers follow. References that reach forward are written by ``finish()``.
package final class ObjectWriter {
  let db: Database
  let schema: StoreSchema
  let hierarchy: EntityHierarchy
  /// Takes large values that may lie beside the store; without it all stay inline.
  let externalData: ExternalDataWriter?
  private var entityWriters: [String: EntityRowWriter] = [:]
  private var places: [PropertyReference: OrderKeys] = [:]
  /// By the concrete entity that uses a relationship.
  private var links: [PropertyReference: Link] = [:]
  private var linkWriters: [PropertyReference: any LinkWriter] = [:]
  /// The highest key written, by root entity.
  private var maxima: [String: Int64] = [:]

  package init(
    _ db: Database, schema: StoreSchema, model: ManagedObjectModel, externalData: ExternalDataWriter? = nil
  ) {
    (self.db, self.schema, hierarchy) = (db, schema, EntityHierarchy(model))
    self.externalData = externalData
  }

  package func write(_ object: ManagedObject) throws {
    do {
      let writer = try entityWriters[object.id.entityName] ?? EntityRowWriter(for: object.id, owner: self)
      entityWriters[object.id.entityName] = writer
      try writer.write(object, &places)
      for (name, destinations) in object.toMany {
        try link(object.id, by: name, to: destinations, isToMany: true)
      }
      for (name, destination) in object.toOne {
        try link(object.id, by: name, to: [destination], isToMany: false)
      }
      maxima[writer.shape.rootEntityName, default: 0] = max(
        maxima[writer.shape.rootEntityName, default: 0], object.id.primaryKey)
    } catch let error as DatabaseError {
      throw DiagnosticsError(.rowRefused(object.id, reason: error.message ?? "SQLite error"))
    }
  }

  /// Writes what had to wait for later rows.
  ///
  /// - Returns: the highest primary key written, by root entity.
  package func finish() throws -> [String: Int64] {
    for writer in linkWriters.values { try writer.finish() }
    return maxima
  }

  private func link(
    _ source: ManagedObject.ID, by name: String, to destinations: [ManagedObject.ID], isToMany: Bool
  ) throws {
    let key = PropertyReference(entity: source.entityName, property: name)
    let link = try links[key] ?? makeLink(key)
    links[key] = link
    guard let link, link.isToMany == isToMany else {
      throw DiagnosticsError(.unknownProperty(name, of: source))
    }
    for destination in destinations where !link.destinations.contains(destination.entityName) {
      throw DiagnosticsError(
        .rowRefused(
          source, name, reason: "'\(name)' cannot lead to an object of '\(destination.entityName)'"))
    }
    try link.writer?.link(source, to: destinations)
  }

  /// Nil if the entity stores no relationship of that name.
  private func makeLink(_ key: PropertyReference) throws -> Link? {
    guard let relationship = hierarchy.relationship(key),
      // Entities that inherit a relationship write it through one writer.
      let reference = hierarchy.reference(to: key.property, seenFrom: key.entity),
      !relationship.isTransient
    else { return nil }
    let writer = try linkWriters[reference] ?? makeLinkWriter(for: reference, relationship)
    linkWriters[reference] = writer
    return (
      isToMany: relationship.isToMany,
      destinations: Set(hierarchy.descendantNames(includingSelf: relationship.destinationEntityName)),
      writer: writer
    )
  }

  /// Nil if the row of the source itself says it all: a to-one whose inverse is to-many or absent.
  private func makeLinkWriter(
    for reference: PropertyReference, _ relationship: RelationshipDescription
  ) throws -> (any LinkWriter)? {
    if relationship.isToMany, let join = schema.joinTable(seenFrom: reference) {
      return try JoinRowWriter(db, join)
    }
    let destination = relationship.destinationEntityName
    let inverse = hierarchy.storedInverse(of: relationship)
    guard let table = schema.table(ofEntity: destination) else { return nil }
    guard let inverse else {
      guard relationship.isToMany, let key = table.column(for: .owner(reference)) else { return nil }
      return try ReferenceWriter(
        self, table: table, key: key, number: nil, order: table.column(for: .ownerOrder(reference)))
    }
    guard !inverse.isToMany, let back = hierarchy.inverse(of: reference),
      let key = table.column(for: .toOne(back))
    else { return nil }
    return try ReferenceWriter(
      self, table: table, key: key, number: table.column(for: .discriminator(back)),
      order: table.column(for: .order(back)))
  }
}

/// The entities whose objects a relationship may lead to, and what writes it: nil if the row of the source says it all.
private typealias Link = (isToMany: Bool, destinations: Set<String>, writer: (any LinkWriter)?)

extension Diagnostic {
  static func rowRefused(_ id: ManagedObject.ID, _ property: String? = nil, reason: String) -> Diagnostic {
    Diagnostic(
      .storeWriteFailed, .error,
      "object \(id.primaryKey) of '\(id.entityName)' cannot be written: \(reason)",
      subject: ModelSubject(entity: id.entityName, property: property), cocoaCode: 134160)
  }

  static func unknownProperty(_ name: String, of id: ManagedObject.ID) -> Diagnostic {
    rowRefused(id, name, reason: "its entity has no stored property '\(name)'")
  }

  package static func wrongValue(_ name: String, of id: ManagedObject.ID, type: AttributeType) -> Diagnostic {
    rowRefused(id, name, reason: "the value of '\(name)' is not a valid \(type.name)")
  }
}

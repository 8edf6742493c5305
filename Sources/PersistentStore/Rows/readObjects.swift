package import Foundation
package import GRDB
public import ManagedModel

/// Reads all objects of an entity, in the order of their primary keys, their to-many relationships included.
///
/// - Parameters:
///   - includingSubentities: whether objects of sub-entities come too.
///   - externalData: the content of a file of external data, by its name. Values that it does not know are
///     refused (MC5303), so that nothing reads as absent that is only elsewhere.
package func readObjects(
  ofEntity name: String, in db: Database, schema: StoreSchema, model: ManagedObjectModel,
  includingSubentities: Bool = true, externalData: (String) throws -> Data? = { _ in nil }
) throws -> [ManagedObject] {
  let hierarchy = EntityHierarchy(model)
  let kinds = includingSubentities ? hierarchy.descendantNames(includingSelf: name) : [name]
  let decoders = kinds.compactMap { RowDecoder($0, schema: schema, hierarchy: hierarchy) }
  guard let table = schema.table(ofEntity: name), !decoders.isEmpty else { return [] }
  let numbers = decoders.map { String($0.number) }.joined(separator: ", ")
  let decodersByNumber = Dictionary(decoders.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
  let columns = table.columns.map { quotedIdentifier($0.name) }.joined(separator: ", ")
  let rows = try Row.fetchCursor(
    db,
    sql: "SELECT Z_PK, Z_ENT, \(columns) FROM \(quotedIdentifier(table.name))"
      + " WHERE Z_ENT IN (\(numbers)) ORDER BY Z_PK")
  var objects: [ManagedObject] = []
  while let row = try rows.next() {
    guard let key = Int64.fromDatabaseValue(row[0]), let number = Int.fromDatabaseValue(row[1]),
      let decoder = decodersByNumber[number]
    else { continue }
    objects.append(try decoder.object(key, row, externalData: externalData))
  }
  try addToMany(to: &objects, kinds: kinds, in: db, schema: schema, hierarchy: hierarchy)
  return objects
}

/// Reads the columns of one concrete entity.
private struct RowDecoder {
  let entityName: String
  let number: Int
  private var attributes: [(index: Int, name: String, attribute: AttributeDescription)] = []
  private var toOnes: [(index: Int, numberIndex: Int?, name: String, destination: String)] = []
  private let namesByNumber: [Int: String]

  init?(_ entityName: String, schema: StoreSchema, hierarchy: EntityHierarchy) {
    guard let layout = schema.entity(named: entityName), let table = schema.table(ofEntity: entityName) else {
      return nil
    }
    self.entityName = entityName
    self.number = layout.number
    self.namesByNumber = Dictionary(
      schema.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    // Two columns of the statement come before those of the table.
    let positions = Dictionary(
      table.columns.enumerated().map { ($1.role, $0 + 2) }, uniquingKeysWith: { first, _ in first })
    for entity in hierarchy.lineage(of: entityName) {
      for leaf in storedLeaves(of: entity.attributes, composites: hierarchy.model.composites) {
        let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
        guard let index = positions[.attribute(reference)] else { continue }
        attributes.append((index, leaf.keyPath, leaf.attribute))
      }
      for relationship in entity.relationships {
        let reference = PropertyReference(entity: entity.name, property: relationship.name)
        guard let index = positions[.toOne(reference)] else { continue }
        let numberIndex = positions[.discriminator(reference)]
        toOnes.append((index, numberIndex, relationship.name, relationship.destinationEntityName))
      }
    }
  }

  func object(
    _ key: Int64, _ row: Row, externalData: (String) throws -> Data?
  ) throws -> ManagedObject {
    var object = ManagedObject(entityName, key)
    for (index, name, attribute) in attributes {
      switch storedValue(row[index], of: attribute) {
      case .absent: break
      case .value(let value): object.values[name] = value
      case .external(let file):
        guard let data = try externalData(file) else {
          throw DiagnosticsError(.externalDataMissing(file, name, of: object.id))
        }
        object.values[name] = .binary(data)
      case .unreadable: throw DiagnosticsError(.unreadableValue(name, of: object.id, type: attribute.type))
      }
    }
    for (index, numberIndex, name, destination) in toOnes {
      guard let target = Int64.fromDatabaseValue(row[index]) else { continue }
      let number = numberIndex.flatMap { Int.fromDatabaseValue(row[$0]) }
      object.toOne[name] = ManagedObject.ID(
        entityName: number.flatMap { namesByNumber[$0] } ?? destination, primaryKey: target)
    }
    return object
  }
}

/// One statement per to-many relationship of the entities at hand.
private func addToMany(
  to objects: inout [ManagedObject], kinds: [String], in db: Database, schema: StoreSchema,
  hierarchy: EntityHierarchy
) throws {
  let positions = Dictionary(
    objects.enumerated().map { ($1.id.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
  let namesByNumber = Dictionary(
    schema.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
  var seen: Set<PropertyReference> = []
  for entity in kinds.flatMap(hierarchy.lineage(of:)) {
    for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
      let reference = PropertyReference(entity: entity.name, property: relationship.name)
      guard seen.insert(reference).inserted,
        let sql = membersQuery(of: relationship, reference, in: schema, hierarchy: hierarchy)
      else { continue }
      let rows = try Row.fetchCursor(db, sql: sql)
      while let row = try rows.next() {
        guard let owner = Int64.fromDatabaseValue(row[0]), let position = positions[owner],
          let member = Int64.fromDatabaseValue(row[1]),
          hierarchy.isKind(objects[position].id.entityName, of: entity.name)
        else { continue }
        let name = Int.fromDatabaseValue(row[2]).flatMap { namesByNumber[$0] }
        let id = ManagedObject.ID(
          entityName: name ?? relationship.destinationEntityName, primaryKey: member)
        objects[position].toMany[relationship.name, default: []].append(id)
      }
    }
  }
}

/// A query of owner's key, member's key and member's entity number, in the order of the relationship.
private func membersQuery(
  of relationship: RelationshipDescription, _ reference: PropertyReference, in schema: StoreSchema,
  hierarchy: EntityHierarchy
) -> String? {
  let destination = relationship.destinationEntityName
  guard let table = schema.table(ofEntity: destination) else { return nil }
  let members = quotedIdentifier(table.name)
  if let join = schema.joinTable(of: reference) {
    let isSource = join.source == reference
    let near = quotedIdentifier(isSource ? join.sourceColumn : join.destinationColumn)
    let far = quotedIdentifier(isSource ? join.destinationColumn : join.sourceColumn)
    let order = (isSource ? join.destinationOrderColumn : join.sourceOrderColumn).map {
      "j.\(quotedIdentifier($0)), "
    }
    return "SELECT j.\(near), j.\(far), d.Z_ENT FROM \(quotedIdentifier(join.name)) AS j"
      + " LEFT JOIN \(members) AS d ON d.Z_PK = j.\(far) ORDER BY j.\(near), \(order ?? "")j.\(far)"
  }
  guard let keys = schema.ownerKeys(of: relationship.name, seenFrom: reference.entity, hierarchy: hierarchy)
  else { return nil }
  let key = quotedIdentifier(keys.column)
  let owner = table.columns.first { $0.name == keys.column }?.role
  let orderRole: ColumnRole? =
    switch owner {
    case .toOne(let inverse): .order(inverse)
    case .owner(let own): .ownerOrder(own)
    default: nil
    }
  let order = orderRole.flatMap { table.column(for: $0) }.map { quotedIdentifier($0.name) + ", " } ?? ""
  return "SELECT \(key), Z_PK, Z_ENT FROM \(members) WHERE \(key) IS NOT NULL ORDER BY \(key), \(order)Z_PK"
}

extension Diagnostic.Code {
  public static let externalDataMissing = Self("MC5303")
}

extension Diagnostic {
  fileprivate static func externalDataMissing(
    _ file: String, _ property: String, of id: ManagedObject.ID
  ) -> Diagnostic {
    Diagnostic(
      .externalDataMissing, .error,
      "the file '\(file)' with '\(property)' of object \(id.primaryKey) of '\(id.entityName)' is missing",
      subject: ModelSubject(entity: id.entityName, property: property),
      help: ["restore the folder '.<store name>_SUPPORT' beside the store"])
  }

  fileprivate static func unreadableValue(
    _ property: String, of id: ManagedObject.ID, type: AttributeType
  ) -> Diagnostic {
    Diagnostic(
      .storeReadFailed, .error,
      "'\(property)' of object \(id.primaryKey) of '\(id.entityName)' holds no \(type.name)",
      subject: ModelSubject(entity: id.entityName, property: property), cocoaCode: 134150)
  }
}

import Foundation
import ManagedModel
import PersistentStore

/// One of the two stores, and what is remembered of its objects.
final class DifferenceSide {
  let end: StoreEnd
  let version: ModelVersion
  let uuid: String
  private let reader: ObjectReader
  private let unreadable = UnreadableValues()
  /// By this store's names of entities.
  private var digests: [String: ObjectDigests] = [:]

  init(_ db: StoreDatabase, path: String, end: StoreEnd, among models: [VersionedModel]) throws {
    self.end = end
    let source = try db.readStoreSource(path: path, among: models)
    (version, uuid) = (source.version, source.metadata.uuid)
    reader = ObjectReader(
      db, schema: source.schema, model: source.version.model,
      externalData: { [unreadable] name in
        try readExternalData(name, ofStoreAt: path) ?? unreadable.data(ofMissingFile: name)
      }, mark: { [unreadable] in unreadable.add($0) })
  }

  /// Cells that hold no value of their property.
  var unreadableCount: Int { unreadable.count }

  func name(of entity: ComparedEntity) -> String? { end == .before ? entity.before : entity.after }
  func name(of attribute: ComparedEntity.Attribute) -> String {
    end == .before ? attribute.before : attribute.after
  }
  func name(of relationship: ComparedEntity.Relationship) -> String {
    end == .before ? relationship.before : relationship.after
  }

  func digests(of entity: ComparedEntity) -> ObjectDigests {
    name(of: entity).flatMap { digests[$0] } ?? ObjectDigests()
  }

  /// Remembers by what each object of an entity is found.
  ///
  /// - Returns: whether all objects have values for it, and no two the same.
  func identify(_ entity: ComparedEntity, by identity: StoreDifference.Identity) throws -> Bool {
    guard let name = name(of: entity) else { return true }
    let attributes = entity.attributes(of: identity)
    var found = ObjectDigests()
    var isWhole = true
    try forEachObject(of: name) { object in
      if identity != .content, attributes.contains(where: { value(of: $0, in: object) == nil }) {
        isWhole = false
      }
      var digest = ContentDigest()
      digest.add("entity", Data(entity.name.utf8))
      if identity == .primaryKey { digest.add("key", Data("\(object.id.primaryKey)".utf8)) }
      for attribute in attributes { digest.add(attribute.after, bytes(of: attribute, in: object)) }
      let short = ShortDigest(digest)
      found.rows.append(ObjectDigest(key: object.id.primaryKey, identity: short, content: short))
    }
    digests[name] = found
    return isWhole && found.areDistinct
  }

  /// Remembers all that each object of an entity holds; every entity is identified by then.
  func digest(_ entity: ComparedEntity) throws {
    guard let name = name(of: entity), var found = digests[name] else { return }
    var place = 0
    unreadable.isOn = true
    defer { unreadable.isOn = false }
    try forEachObject(of: name) { object in
      var digest = ContentDigest()
      for attribute in entity.attributes { digest.add(attribute.after, bytes(of: attribute, in: object)) }
      for relationship in entity.relationships {
        let targets = identities(of: relationship, in: object).map(\.text)
        let text = (relationship.isOrdered ? targets : targets.sorted()).joined(separator: ",")
        digest.add(relationship.after, Data(text.utf8))
      }
      guard place < found.rows.count else { return }
      found.rows[place].content = ShortDigest(digest)
      place += 1
    }
    digests[name] = found
  }

  func object(_ key: Int64, of entity: ComparedEntity) throws -> ManagedObject? {
    try name(of: entity).flatMap { try reader.object(ManagedObject.ID(entityName: $0, primaryKey: key)) }
      .map(unreadable.completing)
  }

  private func forEachObject(of entity: String, _ body: (ManagedObject) throws -> Void) throws {
    try reader.forEachObject(ofEntity: entity, includingSubentities: false) {
      try body(unreadable.completing($0))
    }
  }

  func value(of attribute: ComparedEntity.Attribute, in object: ManagedObject) -> AttributeValue? {
    object.values[name(of: attribute)] ?? (end == .before ? attribute.fallback : nil)
  }

  /// What a relationship leads to, in its order.
  func targets(of relationship: ComparedEntity.Relationship, in object: ManagedObject) -> [ManagedObject.ID] {
    let name = name(of: relationship)
    return object.toOne[name].map { [$0] } ?? object.toMany[name] ?? []
  }

  /// The same by their identities; one that leads to no object has that of nothing.
  func identities(of relationship: ComparedEntity.Relationship, in object: ManagedObject) -> [ShortDigest] {
    targets(of: relationship, in: object).map(identity)
  }

  func identity(of id: ManagedObject.ID) -> ShortDigest {
    digests[id.entityName]?[id.primaryKey]?.identity ?? ShortDigest(ContentDigest())
  }

  private func bytes(of attribute: ComparedEntity.Attribute, in object: ManagedObject) -> Data {
    guard let value = value(of: attribute, in: object) else { return Data() }
    return Data("=\(attribute.comparedText(value))".utf8)
  }
}

/// Stands in for what cannot be read, so that it is equal to itself alone: `40000` in an integer16 is not `nil`.
private final class UnreadableValues {
  /// Objects are read more than once; what is wrong in them is counted once.
  var isOn = false
  private(set) var count = 0
  /// Those of the object that is being read, by the property.
  private var values: [String: AttributeValue] = [:]
  private var missing: Set<Data> = []

  func add(_ cell: UnreadableCell) {
    values[cell.property] = .string("no \(cell.kind): \(cell.text)")
    if isOn { count += 1 }
  }

  func data(ofMissingFile name: String) -> Data {
    if isOn { count += 1 }
    let data = Data("the file '\(name)' is missing".utf8)
    missing.insert(data)
    return data
  }

  func completing(_ object: ManagedObject) -> ManagedObject {
    var object = object
    object.values.merge(values) { value, _ in value }
    values = [:]
    if missing.isEmpty { return object }
    // Bytes would be shown as the file's.
    for case (let name, .binary(let data)) in object.values where missing.contains(data) {
      object.values[name] = .string(String(decoding: data, as: UTF8.self))
    }
    return object
  }
}

extension ComparedEntity.Attribute {
  /// What two values have in common that are the same.
  func comparedText(_ value: AttributeValue) -> String { isConverted ? value.numberText : value.text }
}

extension AttributeValue {
  /// The same text for the same number, whatever its type.
  fileprivate var numberText: String {
    switch self {
    case .boolean(let flag): flag ? "1" : "0"
    case .double(let number), .date(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
    default: text
    }
  }
}

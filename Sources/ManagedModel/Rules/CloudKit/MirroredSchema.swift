/// The record types in which `NSPersistentCloudKitContainer` keeps a model's objects.
///
/// Apple, "Reading CloudKit Records for Core Data": names, record types by root entity, relationships, assets. It gives
/// classes of values; the types of fields are those of exported schemas. What is a guess is in ``notes``.
package struct MirroredSchema: Sendable {
  package private(set) var schema = CloudKitSchema()
  /// What is not documented, by `CD_Hut.CD_spot`.
  package private(set) var notes: [String: String] = [:]
  /// What has no place in the schema, because CloudKit does not take its name.
  package private(set) var unnameable: [String] = []

  /// What holds for all of them.
  package static let generalNote =
    "CD_moveReceipt, and INT64 and DOUBLE for what Apple calls NSNumber; exported schemas have them"
  static let assetSuffix = "_ckAsset"
  /// Where many-to-many relationships are.
  private static let joins = "CDMR"

  /// Whether Core Data has made a record type or field of that name.
  static func isMirrored(_ name: String) -> Bool { name.hasPrefix("CD_") || name == joins }

  package init(_ model: ManagedObjectModel) {
    let hierarchy = EntityHierarchy(model)
    let marked = model.configurations.filter { model.editorSettings.cloudKitConfigurations.contains($0.name) }
    let members = Set(marked.flatMap(\.entityNames))
    var seen: Set<String> = []
    for entity in model.entities
    where (marked.isEmpty || members.contains(entity.name)) && !model.sparedEntities.contains(entity.name) {
      let type = "CD_" + hierarchy.rootName(of: entity.name)
      guard CloudKitSchema.allowsName(type) else {
        unnameable.append(entity.name)
        continue
      }
      add("CD_entityName", .init(primitive: .string), to: type)
      addWithAsset("CD_moveReceipt", .init(primitive: .bytes), to: type)
      for ancestor in hierarchy.lineage(of: entity.name) where seen.insert(ancestor.name).inserted {
        for attribute in ancestor.attributes where !attribute.isTransient { add(attribute, to: type) }
        for relationship in ancestor.relationships where !relationship.isTransient {
          add(relationship, to: type, hierarchy)
        }
      }
    }
  }

  private mutating func add(_ attribute: AttributeDescription, to type: String) {
    let name = "CD_" + attribute.name
    func field(_ primitive: CloudKitSchema.Primitive) -> CloudKitSchema.FieldType {
      .init(primitive: primitive, isEncrypted: attribute.allowsCloudEncryption)
    }
    var note = attribute.isDerived ? "whether a derived attribute is mirrored" : nil
    if attribute.enumTypeName != nil || attribute.type == .composite {
      note = "the type of a composite or an enum; an exported schema has BYTES"
      return add(name, field(.bytes), to: type, note: note)
    }
    switch attribute.type {
    case .integer16, .integer32, .integer64, .boolean: add(name, field(.int64), to: type, note: note)
    case .double, .float: add(name, field(.double), to: type, note: note)
    case .decimal:
      note = note ?? "the type of a decimal; Apple says NSNumber"
      add(name, field(.double), to: type, note: note)
    case .date: add(name, field(.timestamp), to: type, note: note)
    case .string: addWithAsset(name, field(.string), to: type, note: note)
    case .binary, .transformable: addWithAsset(name, field(.bytes), to: type, note: note)
    // CloudKit supports neither (MC1807, MC1808).
    case .undefined, .objectID, .composite: break
    // Identifiers and addresses are texts.
    default: add(name, field(.string), to: type, note: note)
    }
  }

  private mutating func add(
    _ relationship: RelationshipDescription, to type: String, _ hierarchy: EntityHierarchy
  ) {
    if !relationship.isToMany { return add("CD_" + relationship.name, .init(primitive: .string), to: type) }
    // Of one to many only the other end is kept.
    guard hierarchy.inverse(of: relationship)?.isToMany == true else { return }
    for name in ["CD_entityNames", "CD_recordNames", "CD_relationships"] {
      add(name, .init(primitive: .string), to: Self.joins)
    }
    notes["\(Self.joins).CD_entityNames"] = "whether CDMR has CD_moveReceipt; this schema omits it"
  }

  private mutating func addWithAsset(
    _ name: String, _ field: CloudKitSchema.FieldType, to type: String, note: String? = nil
  ) {
    add(name, field, to: type, note: note)
    // Assets are always encrypted, and have no word for it.
    add(name + Self.assetSuffix, .init(primitive: .asset), to: type)
  }

  private mutating func add(
    _ name: String, _ field: CloudKitSchema.FieldType, to type: String, note: String? = nil
  ) {
    guard CloudKitSchema.allowsName(name) else {
      unnameable.append("\(type.dropFirst(3)).\(name.dropFirst(3))")
      return
    }
    if let other = schema.recordTypes[type]?[name], other != field {
      notes["\(type).\(name)"] = "two sub-entities with one name and two types: \(other) and \(field)"
      return
    }
    schema.recordTypes[type, default: [:]][name] = field
    if let note { notes["\(type).\(name)"] = note }
  }
}

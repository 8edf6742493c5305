package import Foundation
package import ManagedModel

extension ManagedObjectModel {
  /// Compiles a model: the bytes of a `.mom`, a keyed archive of `NSManagedObjectModel` as Core Data's own compiler
  /// writes it.
  ///
  /// Equal models give equal bytes. As in genuine compiled models, an entity lists its own properties only. What
  /// Core Data's archive has no place for stands under keys that begin with `Modelc` and that Core Data passes over,
  /// so that `unarchiveModel(file:)` gives the same model back.
  package func keyedArchive() -> Data { ModelArchiver(self, isCache: false).data() }
}

/// Archives one model; the parts are in the `ModelArchiver+…` files.
struct ModelArchiver {
  let model: ManagedObjectModel
  let hierarchy: EntityHierarchy
  /// Whether it is for a store's `Z_MODELCACHE`: inherited properties repeated in every entity, entities by name. Else it is
  /// a `.mom`: own properties only, entities in a plain dictionary.
  let isCache: Bool
  var builder: KeyedArchiveBuilder
  /// Entities in the order in which they are written, each name once.
  let entities: [EntityDescription]
  private(set) var entityReferences: [String: Int] = [:]
  /// What each of ``entities`` lists, and the number of the first of it; the others follow.
  private(set) var listings: [(properties: ListedProperties, first: Int)] = []
  /// The numbers of relationships, by the entity in whose list they stand and by their name.
  private var relationshipReferences: [PropertyReference: Int] = [:]
  var sharedParts: [AttributeDescription: AttributeParts] = [:]
  private(set) var compositeReferences: [String: [Int]] = [:]

  init(_ model: ManagedObjectModel, isCache: Bool) {
    self.model = model
    self.isCache = isCache
    hierarchy = EntityHierarchy(model)
    let hierarchy = hierarchy
    // By their places: a copy of a description costs more than looking at it.
    let all = model.entities
    let firsts = all.indices.filter { hierarchy.index(of: all[$0].name) == $0 }
    let entities = firsts.count == all.count ? all : firsts.map { all[$0] }
    let propertyCount = entities.indices.reduce(0) {
      $0 + entities[$1].attributes.count + entities[$1].relationships.count
    }
    builder = KeyedArchiveBuilder(entityCount: entities.count, propertyCount: propertyCount)
    self.entities = isCache ? entities.sorted { $0.name.precedesInCodePointOrder($1.name) } : entities
  }

  /// Consumes the archiver, so that its lists grow in place.
  consuming func data() -> Data {
    let root = builder.reserve()
    reserve()
    for index in entities.indices { fillEntity(at: index, modelReference: root) }
    fillComposites()
    fillModel(at: root)
    return builder.data(root: root)
  }

  /// Numbers everything that others refer to.
  private mutating func reserve() {
    let firstEntity = builder.reserve(count: entities.count)
    entityReferences.reserveCapacity(entities.count)
    for index in entities.indices { entityReferences[entities[index].name] = firstEntity + index }
    listings.reserveCapacity(entities.count)
    for index in entities.indices {
      let properties = listedProperties(of: entities[index])
      let first = builder.reserve(count: properties.count)
      let firstRelationship = first + properties.attributes.count
      for place in properties.relationships.indices {
        let name = properties.relationships[place].name
        relationshipReferences[PropertyReference(entity: entities[index].name, property: name)] =
          firstRelationship + place
      }
      listings.append((properties, first))
    }
    for composite in model.composites where compositeReferences[composite.name] == nil {
      compositeReferences[composite.name] = composite.elements.map { _ in builder.reserve() }
    }
  }

  private mutating func fillModel(at root: Int) {
    let identifiers = model.versionIdentifiers.map { builder.string($0) }
    builder.begin()
    builder.put(own: "NSEntities", entityDictionary())
    builder.put(own: "NSFetchRequestTemplates", fetchRequestTemplates())
    builder.put(own: "NSVersionIdentifiers", builder.collection("NSSet", identifiers))
    if !model.configurations.isEmpty { builder.put(own: "NSConfigurations", configurations()) }
    builder.put(own: ModelcKey.format, .integer(1))
    if !model.composites.isEmpty { builder.put(own: ModelcKey.composites, compositeDictionary()) }
    if !model.retired.isEmpty {
      let names = model.retired.map { builder.string($0) }
      builder.put(own: ModelcKey.retired, builder.collection("NSArray", names))
    }
    if !model.localizationDictionary.isEmpty {
      builder.put(own: ModelcKey.localization, builder.dictionary(of: model.localizationDictionary))
    }
    let settings = model.editorSettings
    builder.put(own: ModelcKey.minimumToolsVersion, ifAny: settings.minimumToolsVersion)
    builder.put(own: ModelcKey.sourceLanguage, ifAny: settings.sourceLanguage)
    builder.put(own: ModelcKey.usedWithCloudKit, ifTrue: settings.usedWithCloudKit)
    builder.put(own: ModelcKey.usedWithSwiftData, ifTrue: settings.usedWithSwiftData)
    builder.end(root, as: "NSManagedObjectModel")
  }

  private mutating func entityDictionary() -> PropertyListValue {
    let references = entities.indices.map {
      PropertyListValue.Entry(entities[$0].name, reference(toEntity: entities[$0].name))
    }
    guard isCache else { return builder.dictionary("NSMutableDictionary", references) }
    let keys = references.map { builder.string($0.key) }
    let mapping = builder.object(
      "NSKnownKeysMappingStrategy1",
      [
        .init("length", .integer(Int64(keys.count))), .init("keys", builder.collection("NSArray", keys)),
        .init("version", .integer(1)),
      ])
    return builder.object(
      "NSKnownKeysDictionary1",
      [
        .init("values", builder.collection("NSArray", references.map(\.value))),
        .init("searchMapping", mapping),
        .init("emptyToken", builder.string("__empty_slot_token_4c24_98dc_ac1e_b773__")),
        .init("version", .integer(1)),
      ])
  }

  private mutating func configurations() -> PropertyListValue {
    let sets = model.configurations.map { configuration in
      let members = configuration.entityNames.map(reference(toEntity:))
      return PropertyListValue.Entry(configuration.name, builder.collection("NSSet", members))
    }
    return builder.dictionary("NSMutableDictionary", sets)
  }

  private mutating func compositeDictionary() -> PropertyListValue {
    var lists: [PropertyListValue.Entry] = []
    for composite in model.composites where !lists.contains(where: { $0.key == composite.name }) {
      let elements = (compositeReferences[composite.name] ?? []).map { PropertyListValue.reference($0) }
      lists.append(.init(composite.name, builder.collection("NSArray", elements)))
    }
    return builder.dictionary("NSDictionary", lists)
  }

  private mutating func fillComposites() {
    var filled: Set<String> = []
    for composite in model.composites where filled.insert(composite.name).inserted {
      for (element, reference) in zip(composite.elements, compositeReferences[composite.name] ?? []) {
        fill(element, at: reference, entityReference: KeyedArchiveBuilder.null, isIndexed: element.isIndexed)
      }
    }
  }

  /// Null if the model has no such entity.
  func reference(toEntity name: String) -> PropertyListValue {
    entityReferences[name].map { .reference($0) } ?? KeyedArchiveBuilder.null
  }

  /// The relationship as it is in that entity's list or, where that lists own properties only, in an ancestor's.
  func reference(toRelationship name: String, of entity: String) -> PropertyListValue {
    let found = ([entity] + hierarchy.ancestorNames(of: entity)).lazy
      .compactMap { relationshipReferences[PropertyReference(entity: $0, property: name)] }.first
    return found.map { .reference($0) } ?? KeyedArchiveBuilder.null
  }
}

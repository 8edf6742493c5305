import ManagedModel
import ModelMapping
import PersistentStore

/// One store's way from the model it has to the model it gets: what every part of the statement planner asks.
struct StoreTransition {
  let source: EntityHierarchy
  let destination: EntityHierarchy
  let mappingModel: MappingModel
  /// The store as it is, its real names bound to the source model.
  let schema: StoreSchema
  /// What the source model alone would have given: tells which real names the store has chosen otherwise.
  let derivedSchema: StoreSchema
  /// What the destination model gives.
  let layout: StoreSchema
  private let mappingByDestination: [String: EntityMapping]
  private let destinationBySource: [String: String]

  init(
    source: ManagedObjectModel, destination: ManagedObjectModel, mappingModel: MappingModel,
    schema: StoreSchema,
    derivedSchema: StoreSchema, layout: StoreSchema
  ) {
    self.source = EntityHierarchy(source)
    self.destination = EntityHierarchy(destination)
    self.mappingModel = mappingModel
    self.schema = schema
    self.derivedSchema = derivedSchema
    self.layout = layout
    var mappingByDestination: [String: EntityMapping] = [:]
    var destinationBySource: [String: String] = [:]
    for mapping in mappingModel.entityMappings {
      guard let name = mapping.destinationEntityName else { continue }
      mappingByDestination[name] = mapping
      if let sourceName = mapping.sourceEntityName { destinationBySource[sourceName] = name }
    }
    self.mappingByDestination = mappingByDestination
    self.destinationBySource = destinationBySource
  }

  func mapping(toEntity name: String) -> EntityMapping? { mappingByDestination[name] }
  func sourceName(ofEntity name: String) -> String? { mappingByDestination[name]?.sourceEntityName }
  func destinationName(ofEntity name: String) -> String? { destinationBySource[name] }

  func oldNumber(ofSource name: String) -> Int? { schema.entity(named: name)?.number }
  func newNumber(ofDestination name: String) -> Int? { layout.entity(named: name)?.number }

  /// Old entity number → new one, for every entity that goes on.
  var renumbering: [Int: Int] {
    var numbers: [Int: Int] = [:]
    for (sourceName, destinationName) in destinationBySource {
      if let old = oldNumber(ofSource: sourceName), let new = newNumber(ofDestination: destinationName) {
        numbers[old] = new
      }
    }
    return numbers
  }

  /// The property as the entity that declares it knows it, in the source.
  func sourceReference(_ property: String, seenFrom entity: String) -> PropertyReference? {
    source.declaringEntityName(of: property, seenFrom: entity).map {
      PropertyReference(entity: $0, property: property)
    }
  }

  /// The relationship of the source that the destination's relationship continues.
  func sourceRelationship(of reference: PropertyReference) -> PropertyReference? {
    // An abstract parent may be new; then the relationship's past is that of the entities below it.
    for name in destination.descendantNames(includingSelf: reference.entity) {
      guard let sourceEntity = sourceName(ofEntity: name),
        let property = mapping(toEntity: name)?.propertyMapping(named: reference.property)?.value.sourceName
      else { continue }
      return sourceReference(property, seenFrom: sourceEntity)
    }
    return nil
  }

  /// Numbers, in the source, of entities whose objects a relationship could lead to and, after the migration, no
  /// longer can: their entity is gone or lies outside the relationship's destination.
  func unreachableNumbers(from old: RelationshipDescription, to new: RelationshipDescription) -> [Int] {
    source.descendantNames(includingSelf: old.destinationEntityName).compactMap { name in
      if let kept = destinationName(ofEntity: name), destination.isKind(kept, of: new.destinationEntityName) {
        return nil
      }
      return oldNumber(ofSource: name)
    }
  }
}

import ManagedModel
import PersistentStore

/// One store, the model it has and the model it gets: the input of every part of the statement planner.
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
  /// Old entity number → new one, for every entity that goes on.
  let renumbering: [Int: Int]
  /// The store's `CREATE TABLE` texts, by table: where they are known, a column's type can change where it stands.
  var tableTexts: [String: String] = [:]
  /// Whether a table may be written anew where that costs less than to alter it.
  var mayRebuild = false
  /// The store's views, none of which is Core Data's.
  var views: [TriggerLayout] = []
  /// The numbers of rows of no entity, by table; none where these have no numbers at all.
  var orphanRows: [String: [Int]] = [:]
  /// Where the store keeps persistent history.
  var changeTable: PhysicalSchema.Table?
  private let mappingByDestination: [String: EntityMapping]
  private let propertiesByDestination: [String: [String: PropertyMapping]]
  private let destinationBySource: [String: String]
  /// The destination's relationships that take references of a source's over, from its own side or the other.
  private(set) var takers: [PropertyReference: [(mapping: EntityMapping, property: PropertyMapping)]] = [:]

  init(
    source: ManagedObjectModel, destination: ManagedObjectModel, mappingModel: MappingModel,
    schema: StoreSchema, derivedSchema: StoreSchema, layout: StoreSchema
  ) {
    self.source = EntityHierarchy(source)
    self.destination = EntityHierarchy(destination)
    self.mappingModel = mappingModel
    self.schema = schema
    self.derivedSchema = derivedSchema
    self.layout = layout
    let made = mappingModel.entityMappings.compactMap { mapping in
      mapping.destinationEntityName.map { ($0, mapping) }
    }
    mappingByDestination = Dictionary(made) { $1 }
    propertiesByDestination = mappingByDestination.mapValues {
      Dictionary(firstOf: ($0.attributeMappings + $0.relationshipMappings).map { ($0.name, $0) })
    }
    let heirs = made.compactMap { name, mapping in mapping.sourceEntityName.map { ($0, name) } }
    destinationBySource = Dictionary(heirs) { $1 }
    let numbers = destinationBySource.compactMap { old, new in
      schema.entity(named: old).flatMap { old in layout.entity(named: new).map { (old.number, $0.number) } }
    }
    renumbering = Dictionary(numbers) { $1 }
    for mapping in mappingModel.entityMappings {
      for property in mapping.relationshipMappings {
        let pasts = property.sources(in: mapping).compactMap {
          self.source.reference(to: $0.property, seenFrom: $0.entity)
        }
        for past in pasts.unique { takers[past, default: []].append((mapping, property)) }
      }
    }
  }

  func mapping(toEntity name: String) -> EntityMapping? { mappingByDestination[name] }
  func property(_ name: String, of entity: String) -> PropertyMapping? {
    propertiesByDestination[entity]?[name]
  }
  func sourceName(ofEntity name: String) -> String? { mappingByDestination[name]?.sourceEntityName }
  func destinationName(ofEntity name: String) -> String? { destinationBySource[name] }

  func mapping(fromEntity name: String) -> EntityMapping? {
    destinationBySource[name].flatMap { mappingByDestination[$0] }
  }

  func oldNumber(ofSource name: String) -> Int? { schema.entity(named: name)?.number }
  func oldNumber(ofDestination name: String) -> Int? {
    sourceName(ofEntity: name).flatMap(oldNumber(ofSource:))
  }
  func newNumber(ofDestination name: String) -> Int? { layout.entity(named: name)?.number }
}

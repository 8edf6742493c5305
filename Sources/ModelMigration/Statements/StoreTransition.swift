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
  /// Whether a table may be written anew where that costs less than to alter it. A view would go on with the old one.
  var mayRebuild = false
  /// The numbers of rows of no entity, by table; none where these have no numbers at all.
  var orphanRows: [String: [Int]] = [:]
  /// Where the store keeps persistent history.
  var changeTable: ChangeTable?
  private let mappingByDestination: [String: EntityMapping]
  private let destinationBySource: [String: String]

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
    var mappingByDestination: [String: EntityMapping] = [:]
    var destinationBySource: [String: String] = [:]
    for mapping in mappingModel.entityMappings {
      guard let name = mapping.destinationEntityName else { continue }
      mappingByDestination[name] = mapping
      if let sourceName = mapping.sourceEntityName { destinationBySource[sourceName] = name }
    }
    self.mappingByDestination = mappingByDestination
    self.destinationBySource = destinationBySource
    var renumbering: [Int: Int] = [:]
    for (sourceName, destinationName) in destinationBySource {
      if let old = schema.entity(named: sourceName)?.number,
        let new = layout.entity(named: destinationName)?.number
      {
        renumbering[old] = new
      }
    }
    self.renumbering = renumbering
  }

  func mapping(toEntity name: String) -> EntityMapping? { mappingByDestination[name] }
  func sourceName(ofEntity name: String) -> String? { mappingByDestination[name]?.sourceEntityName }
  func destinationName(ofEntity name: String) -> String? { destinationBySource[name] }

  func oldNumber(ofSource name: String) -> Int? { schema.entity(named: name)?.number }
  func newNumber(ofDestination name: String) -> Int? { layout.entity(named: name)?.number }

  /// The same for one entity of the source and all below it.
  func renumbering(ofSource entity: String) -> [Int: Int] {
    let members = Set(numbers(ofSource: entity) { $1 != nil })
    return renumbering.filter { members.contains($0.key) }
  }
}

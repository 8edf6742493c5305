import Foundation
public import ManagedModel
import PersistentStore

/// The migration, as policies see it (`NSMigrationManager`).
public final class MigrationManager {
  /// The version that the step leads from.
  public var sourceModel: ManagedObjectModel { sourceContext.hierarchy.model }
  /// The version that the step leads to.
  public var destinationModel: ManagedObjectModel { destinationContext.hierarchy.model }
  /// The mapping of the whole step.
  public let mappingModel: MappingModel
  /// Reads the old objects; nothing can be written.
  public let sourceContext: ManagedObjectContext
  /// Reads and writes the new objects.
  public let destinationContext: ManagedObjectContext
  /// Anything that policies want to hand to one another; when a step begins, ``PolicyRegistry/userInfo``.
  public var userInfo: [AnyHashable: Any]?
  /// The mapping that is carried out just now.
  public var currentEntityMapping: EntityMapping { currentWork.mapping }
  /// From 0 to 1.
  public internal(set) var migrationProgress: Float = 0

  let associations: AssociationTable
  let work: [MappingWork]
  private let numbers: [String: Int]
  /// The error with which a policy ended the migration.
  private(set) var cancellation: (any Error)?
  var currentWork: MappingWork {
    didSet { isFirstOfName = numbers[currentWork.mapping.name] == currentWork.number }
  }
  /// Whether the current mapping is the one that its name means.
  private var isFirstOfName = false
  /// The entity and the key of the source object that destination objects are made for just now.
  private(set) var sourceShape: EntityShape?
  private(set) var sourceKey: Int64 = 0
  /// Whether an object has its key already.
  var hasGivenKey = false
  /// Whether that object is associated with it.
  var isAssociated = false
  var isCopying = false
  /// The source objects that a mapping made one of.
  let groups: GroupTable
  /// Where we are, for messages.
  var callback = PolicyCallback.begin
  var calledShape: EntityShape?
  var calledKey: Int64 = 0
  /// One moment and one set of caches for the whole run.
  var evaluation = EvaluationContext()

  init(
    mappingModel: MappingModel, sourceContext: ManagedObjectContext, destinationContext: ManagedObjectContext,
    associations: AssociationTable, groups: GroupTable, work: [MappingWork], first: MappingWork
  ) {
    self.mappingModel = mappingModel
    self.sourceContext = sourceContext
    self.destinationContext = destinationContext
    self.associations = associations
    self.groups = groups
    self.work = work
    numbers = Dictionary(firstOf: work.map { ($0.mapping.name, $0.number) })
    currentWork = first
    evaluation.variables["manager"] = .object(ManagerObject(manager: self))
    sourceContext.manager = self
    destinationContext.manager = self
  }

  // MARK: - Entities

  /// Nil if the mapping adds objects.
  public func sourceEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.sourceEntityName.flatMap { sourceContext.completeEntity(named: $0) }
  }

  /// Nil if the mapping removes objects.
  public func destinationEntity(for mapping: EntityMapping) -> EntityDescription? {
    mapping.destinationEntityName.flatMap { destinationContext.completeEntity(named: $0) }
  }

  // MARK: - Associations

  /// States that an object of the destination is what became of one of the source. A source object may have several,
  /// and several may share one.
  public func associate(
    sourceInstance: MigratingObject, withDestinationInstance destinationInstance: MigratingObject,
    for mapping: EntityMapping
  ) {
    destinationContext.recording(destinationInstance, nil) {
      guard sourceInstance.managedObjectContext === sourceContext,
        destinationInstance.managedObjectContext === destinationContext
      else {
        throw PolicyMisuse(
          "objects are associated in the wrong order: first the source's, then the destination's")
      }
      let number = try number(of: mapping.name)
      if number == currentWork.number, currentWork.fills.isEmpty, isCurrentSource(sourceInstance),
        hasGivenKey,
        !isAssociated, associations.isKeyed(number), sourceInstance.key == destinationInstance.key,
        destinationInstance.shape === currentWork.destination
      {
        isAssociated = true
        return associations.addKeyed(1, mapping: number)
      }
      if number == currentWork.number { try materializeAllButCurrent(currentWork) }
      try associations.associate(sourceInstance.id, with: destinationInstance.id, mapping: number)
      return
    }
  }

  /// The destination objects that a mapping created from source objects, in the order of association; all objects of
  /// the mapping if none are given.
  ///
  /// A mapping that does not exist ends the migration (MC4203).
  public func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [MigratingObject]? = nil
  ) -> [MigratingObject] {
    destinationContext.recording(nil, nil) {
      try destinations(mappingName, sourceInstances).compactMap { destinationContext.object($0) }
    } ?? []
  }

  /// What the default work made of the current source object by the current mapping: it need not be written to be found.
  private func justCreated(_ mappingName: String, of sources: [MigratingObject]) -> MigratingObject? {
    guard sources.count == 1, let source = sources.first, isCurrentSource(source), isFirstOfName,
      !destinationContext.hasFailed, mappingName == currentWork.mapping.name,
      associations.isKeyed(currentWork.number), let shape = currentWork.destination
    else { return nil }
    return destinationContext.freshObject(sourceKey, shape)
  }

  /// The source objects from which destination objects were created.
  public func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [MigratingObject]? = nil
  ) -> [MigratingObject] {
    destinationContext.recording(nil, nil) {
      let number = try number(of: mappingName)
      guard let destinationInstances else {
        return try associations.all(.source, ofMapping: number).compactMap { sourceContext.object($0) }
      }
      return try destinationInstances.flatMap {
        try associations.counterparts(of: $0.id, on: .destination, mapping: number)
      }.unique.compactMap { sourceContext.object($0) }
    } ?? []
  }

  func destinations(_ mappingName: String, _ sources: [MigratingObject]?) throws -> [ManagedObject.ID] {
    let number = try number(of: mappingName)
    guard let sources else { return try associations.all(.destination, ofMapping: number) }
    if isAssociated, let made = justCreated(mappingName, of: sources) { return [made.id] }
    guard sources.allSatisfy({ $0.managedObjectContext === sourceContext }) else {
      throw PolicyMisuse(
        "'\(mappingName)' was asked for the counterpart of an object that is not in the source")
    }
    return try destinations(of: sources, by: [number])
  }

  private func destinations(of sources: [MigratingObject], by mappings: [Int]) throws -> [ManagedObject.ID] {
    try sources.flatMap { source in
      try mappings.flatMap { try associations.counterparts(of: source.id, on: .source, mapping: $0) }
    }.unique
  }

  /// What became of source objects by any mapping into an entity that the relationship may lead to.
  func destinations(
    reachableBy relationship: String, of entity: String, _ sources: [MigratingObject]
  ) throws -> [ManagedObject.ID] {
    guard let destination = destinationContext.hierarchy.relationship(named: relationship, of: entity) else {
      throw PolicyMisuse("'\(entity)' has no relationship '\(relationship)'")
    }
    let candidates = work.filter { $0.makes(destination.destinationEntityName, destinationContext.hierarchy) }
    return try destinations(of: sources, by: candidates.map(\.number))
  }

  private func number(of mappingName: String) throws -> Int {
    guard let number = numbers[mappingName] else {
      let names = work.map(\.mapping.name)
      throw DiagnosticsError(
        .unknownMappingName, "the mapping model has no entity mapping '\(mappingName)'",
        help: .didYouMean(
          mappingName, among: names,
          else: ["it has \(names.prefix(10).map { "'\($0)'" }.joined(separator: ", "))"]))
    }
    return number
  }

  // MARK: - Where we are

  func enterSource(_ key: Int64, _ shape: EntityShape?) {
    if sourceShape !== shape { sourceShape = shape }
    sourceKey = key
    hasGivenKey = false
    isAssociated = false
  }

  func leaveSource() { enterSource(0, nil) }

  func isCurrentSource(_ object: MigratingObject) -> Bool {
    object.key == sourceKey && object.shape === sourceShape && object.managedObjectContext === sourceContext
  }

  // MARK: - Control

  /// Ends the migration with an error, after the callback.
  public func cancelMigrationWithError(_ error: any Error) { if cancellation == nil { cancellation = error } }

  /// Forgets all associations; objects and contexts stay.
  public func reset() { destinationContext.recording(nil, nil) { try associations.clear() } }

  /// All objects of a source's entity that satisfy a predicate, without those of its sub-entities.
  public func fetchRequest(
    forSourceEntityNamed entityName: String, predicateString: String
  ) -> FetchRequest<MigratingObject> {
    FetchRequest(
      entityName: entityName,
      predicate: predicateString == "TRUEPREDICATE" ? nil : FetchPredicate(format: predicateString),
      includesSubentities: false)
  }

  func throwFailures() throws {
    guard destinationContext.hasFailed || sourceContext.hasFailed || cancellation != nil else { return }
    let failure = destinationContext.failure ?? sourceContext.failure
    if let failure = failure ?? cancellation.map({ ManagedObjectContext.Failure(error: $0) }) {
      throw error(of: failure)
    }
  }
}

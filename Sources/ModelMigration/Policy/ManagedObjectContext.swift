import Foundation
public import ManagedModel
import PersistentStore

/// The objects of one side of a migration (`NSManagedObjectContext`): the source's, which can only be read, or the
/// destination's.
///
/// Changes are written in batches. A fetch sees all of them.
public final class ManagedObjectContext {
  package let rows: ObjectRows
  package let hierarchy: EntityHierarchy
  /// What went wrong first, until somebody takes it.
  package private(set) var failure: Failure?
  private(set) var hasFailed = false
  /// Objects of the destination that are in use, so that there is one for each row.
  private var live: [ManagedObject.ID: WeakObject] = [:]
  private var pending: [MigratingObject] = []
  /// New objects that are found here, and not among those in use, until they are written: most end there.
  private var fresh: [MigratingObject] = []
  /// The object that a callback is about.
  private var current: MigratingObject?
  /// Relationships, by the entity that declares them, whose references stand in rows before they are due; ``willFollow``
  /// is called before anybody can see that.
  var early: Set<PropertyReference> = []
  var willFollow: () throws -> Void = {}
  /// References that were written to rows already, by the shape of their objects, and whether a policy changed one.
  var watches: [ObjectIdentifier: (slots: Set<Int>, sawChange: Bool)] = [:]
  private var spareList: [(slot: Int, cell: StoredCell)] = []
  /// The last key that was given to a new object, by root entity.
  private var lastKeys: [String: CheckedKey] = [:]
  private var orders: [PropertyReference: Int64] = [:]
  /// Keys up to these belong to objects that are yet to come, by root entity.
  package var reservedKeys: [String: CheckedKey] = [:]
  /// Objects that were inserted since it was set to 0.
  var insertedCount = 0
  /// Of the run; it may end what a policy does.
  var monitor = MigrationMonitor()
  var transformers = PolicyRegistry()
  /// The store that the objects are of, during a migration.
  var store: MigratingStore?
  /// The migration that the context belongs to.
  weak var manager: MigrationManager?
  /// Entities with what they inherit, once they were asked for.
  private var completeEntities: [String: EntityDescription] = [:]

  package struct Failure {
    package var error: any Error
    package var object: ManagedObject.ID?
    package var property: String?

    /// What code of the program threw; nil of what was found here.
    var underlyingError: (any Error)? { error is DiagnosticsError || error is PolicyMisuse ? nil : error }
  }

  private struct WeakObject { weak var object: MigratingObject? }

  package init(_ rows: ObjectRows) {
    self.rows = rows
    hierarchy = rows.hierarchy
  }

  /// Whether objects can be changed: those of the source cannot.
  public var isReadOnly: Bool { !rows.isWritable }
  /// Whether changes wait to be written, which a migration does by itself.
  public var hasChanges: Bool { !pending.isEmpty }
  /// The version whose objects the context has.
  public var model: ManagedObjectModel { hierarchy.model }

  func completeEntity(named name: String) -> EntityDescription? {
    if let known = completeEntities[name] { return known }
    let complete = hierarchy.entity(named: name).map(hierarchy.complete)
    completeEntities[name] = complete
    return complete
  }

  // MARK: - Fetching

  /// The objects that a request fetches, as its result type says; by primary key unless it has sort descriptors.
  ///
  /// - Throws: `DiagnosticsError` for an unknown entity, a predicate that cannot be read, does not fit the entity or
  ///   has no form in SQL; the migration ends, also where it is caught.
  public func fetch<Result>(_ request: FetchRequest<Result>) throws -> [Result] {
    try identities(request).compactMap { object($0).flatMap { $0 as? Result } }
  }

  /// The identities of the objects that a request fetches.
  package func identities<Result>(_ request: FetchRequest<Result>) throws -> [ManagedObject.ID] {
    try found { try rows.fetch(objectFetch(request)) }
  }

  /// How many objects a request finds.
  public func count<Result>(for request: FetchRequest<Result>) throws -> Int {
    try found { try rows.count(objectFetch(request)) }
  }

  /// What goes wrong ends the migration, even if `try?` catches it: code would go on as if there were no objects.
  private func found<Found>(_ body: () throws -> Found) throws -> Found {
    do {
      try flush()
      return try body()
    } catch {
      record(error, nil, nil)
      throw error
    }
  }

  /// All objects of an entity that satisfy a condition: `fetch("Hut", where: "code == $code", ["code": code])`.
  public func fetch(
    _ entityName: String, where format: String? = nil, _ variables: [String: Any] = [:]
  ) throws -> [MigratingObject] {
    try fetch(
      FetchRequest(
        entityName: entityName, predicate: format.map { FetchPredicate(format: $0, variables: variables) }))
  }

  /// The first object whose properties have these values, or nil.
  public func first(_ entityName: String, having values: [String: Any]) throws -> MigratingObject? {
    let parts = values.sorted { $0.key < $1.key }.map { FetchPredicate(format: "%K == %@", $0.key, $0.value) }
    let predicate = parts.isEmpty ? nil : FetchPredicate(andPredicateWithSubpredicates: parts)
    return try fetch(FetchRequest(entityName: entityName, predicate: predicate, fetchLimit: 1)).first
  }

  /// The object whose properties have these values; a new one if there is none.
  public func findOrCreate(_ entityName: String, having values: [String: Any]) throws -> MigratingObject {
    if let found = try first(entityName, having: values) { return found }
    let made = try insert(entityName)
    for (key, value) in values { made.setValue(value, forKey: key) }
    return made
  }

  func objectFetch<Result>(_ request: FetchRequest<Result>) throws -> ObjectFetch {
    var fetch = ObjectFetch(entityName: request.entityName, includesSubentities: request.includesSubentities)
    (fetch.sortDescriptors, fetch.limit) = (request.sortDescriptors, request.fetchLimit)
    if let predicate = request.predicate {
      let parsed = try predicate.condition(in: self) { $0.operand(&fetch.arguments) }
      fetch.predicate = parsed
      let follows = parsed.referencedKeyPaths.contains {
        $0.keys.count > 1 || hierarchy.relationship(named: $0.keys.first ?? "", of: fetch.entityName) != nil
      }
      if !early.isEmpty, follows { try willFollow() }
    }
    return fetch
  }

  /// Makes references what they are to be seen as, before those of a relationship are read or changed.
  func follow(_ relationship: PropertyReference) throws {
    if early.contains(relationship) { try willFollow() }
  }

  /// The relationship at the other end of a to-one, by the entity that declares it.
  func inverse(of toOne: ToOneShape) -> PropertyReference? {
    toOne.inverseName.flatMap { hierarchy.reference(to: $0, seenFrom: toOne.destinationEntityName) }
  }

  // MARK: - Inserting and deleting

  /// A new object with the model's default values.
  ///
  /// - Throws: `DiagnosticsError` for an unknown or abstract entity, in the source, and where the run was cancelled.
  public func insert(_ entityName: String) throws -> MigratingObject {
    let (shape, key) = try place(forNew: entityName)
    return adopt(MigratingObject(key, shape, self, isInserted: true))
  }

  /// The shape and the key of an object that is to be inserted.
  func place(forNew entityName: String) throws -> (shape: EntityShape, key: Int64) {
    // A policy may make many objects of one, with nothing written in between.
    if insertedCount % 256 == 0 { try monitor.checkCancellation() }
    guard let shape = rows.shape(named: entityName) else {
      throw DiagnosticsError(.unknownEntity(entityName, among: rows.schema.entities.map(\.name)))
    }
    guard rows.isWritable else { throw DiagnosticsError(.writeToSource(entityName)) }
    guard !shape.isAbstract else {
      throw PolicyMisuse("'\(entityName)' is abstract: it can have no objects of its own")
    }
    return (shape, try manager?.preferredKey(shape) ?? newKey(shape))
  }

  /// Makes a new object one of the context's, which writes it with the next batch.
  @discardableResult
  func adopt(_ object: MigratingObject) -> MigratingObject {
    if fresh.count >= 32 {
      for object in fresh where !object.isDeleted { register(object) }
      fresh = []
    }
    fresh.append(object)
    insertedCount += 1
    noteChange(of: object)
    return object
  }

  /// A key above all that are there and all that are yet to come.
  func newKey(_ shape: EntityShape) throws -> Int64 {
    let root = shape.rootEntityName
    if lastKeys[root] == nil {
      try flush()
      lastKeys[root] = max(try rows.highestKey(ofEntity: root), reservedKeys[root] ?? .none)
    }
    guard let next = lastKeys[root]?.next else { throw DiagnosticsError(.noKeyLeft(root)) }
    lastKeys[root] = next
    return next.value
  }

  /// Deletes an object, and what its delete rules delete with it; references to deleted objects become nil.
  ///
  /// A relationship with the rule `deny` that still leads to an object ends the migration after the callback.
  public func delete(_ object: MigratingObject) {
    recording(object, nil) {
      try requireWritable(object, nil)
      try flush()
      for object in try object.removedByRules() {
        object.isDeleted = true
        live[object.id] = nil
        try rows.delete(object.shape, object.id.primaryKey)
      }
      refault()
    }
  }

  // MARK: - Objects

  /// The object of a row that exists.
  package func object(_ id: ManagedObject.ID) -> MigratingObject? {
    if let known = known(id) { return known }
    guard let shape = rows.shape(named: id.entityName) else { return nil }
    let object = MigratingObject(id.primaryKey, shape, self)
    if rows.isWritable { register(object) }
    return object
  }

  private func known(_ id: ManagedObject.ID) -> MigratingObject? {
    guard rows.isWritable else { return nil }
    if let current, current.key == id.primaryKey, current.shape.name == id.entityName { return current }
    return fresh.first { $0.key == id.primaryKey && $0.shape.name == id.entityName } ?? live[id]?.object
  }

  private func register(_ object: MigratingObject) {
    object.isRegistered = true
    live[object.id] = WeakObject(object: object)
  }

  /// The object of a key that was made and not written yet.
  func freshObject(_ key: Int64, _ shape: EntityShape) -> MigratingObject? {
    fresh.first { $0.key == key && $0.shape === shape && !$0.isDeleted }
  }

  /// Runs a callback about one object, which needs no place among those in use.
  func with(_ key: Int64, _ shape: EntityShape, _ body: (MigratingObject) throws -> Void) rethrows {
    if !live.isEmpty || !fresh.isEmpty || current != nil,
      let known = known(ManagedObject.ID(entityName: shape.name, primaryKey: key))
    {
      return try body(known)
    }
    var object = MigratingObject(key, shape, self)
    current = object
    defer { current = nil }
    try body(object)
    current = nil
    // Who kept it is to find the same one.
    if !object.isRegistered, object.isPending || !isKnownUniquelyReferenced(&object) { register(object) }
  }

  /// The object of a reference; nil if it leads nowhere.
  func existingObject(_ id: ManagedObject.ID) -> MigratingObject? {
    if let known = known(id) { return known }
    guard let name = try? rows.entityName(ofKey: id.primaryKey, inTableOf: id.entityName) else { return nil }
    return object(ManagedObject.ID(entityName: name, primaryKey: id.primaryKey))
  }

  /// Lets objects in use read their rows anew.
  func refault() {
    for entry in live.values { entry.object?.refault() }
    current?.refault()
  }

  func unregister(_ id: ManagedObject.ID) { if live[id]?.object == nil { live[id] = nil } }

  func noteChange(of object: MigratingObject) {
    guard !object.isPending else { return }
    object.isPending = true
    pending.append(object)
  }

  package func flush() throws {
    guard !pending.isEmpty else { return }
    let objects = pending
    pending = []
    for object in objects { try object.write() }
    for index in fresh.indices where !fresh[index].isDeleted { register(fresh[index]) }
    fresh = []
  }

  /// The same for the few objects of one callback; those that nobody has kept are let go.
  func flushFresh() throws {
    if pending.count > 16 { return try flush() }
    for object in pending { try object.write() }
    while !pending.isEmpty { pending.removeLast() }
    while var object = fresh.popLast() {
      if !isKnownUniquelyReferenced(&object), !object.isDeleted { register(object) }
    }
  }

  /// Lets an object use the list that another one has no more use for.
  func takeList(_ list: inout [(slot: Int, cell: StoredCell)]) { swap(&list, &spareList) }

  func giveBack(_ list: inout [(slot: Int, cell: StoredCell)]) {
    if list.isEmpty { return }
    while !list.isEmpty { list.removeLast() }
    swap(&list, &spareList)
  }

  /// The same where much has gathered.
  func flushIfMany() throws { if pending.count >= 256 { try flush() } }

  package func close() {
    pending = []
    fresh = []
    live = [:]
  }

  /// A place after all that were given so far, and after those of a list of a million objects.
  func nextOrder(_ relationship: PropertyReference) -> Int64 {
    let order = (orders[relationship] ?? 1 << 30) + Int64(OrderKey.step)
    orders[relationship] = order
    return order
  }

  // MARK: - Failures

  func requireWritable(_ object: MigratingObject, _ key: String?) throws {
    guard rows.isWritable else { throw DiagnosticsError(.writeToSource(object.shape.name, key)) }
    guard !object.isDeleted else { throw PolicyMisuse("the object is already deleted") }
  }

  package func record(_ error: any Error, _ object: MigratingObject?, _ key: String?) {
    hasFailed = true
    if failure == nil { failure = Failure(error: error, object: object?.id, property: key) }
  }

  /// Runs the body; what it throws is remembered, and after that nothing more is done.
  @discardableResult
  func recording<Result>(_ object: MigratingObject?, _ key: String?, _ body: () throws -> Result) -> Result? {
    guard !hasFailed else { return nil }
    do { return try body() } catch {
      record(error, object, key)
      return nil
    }
  }
}

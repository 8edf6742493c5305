import Foundation
public import ManagedModel
package import PersistentStore

/// One object during a migration (`NSManagedObject`): of the source, which can only be read, or of the destination.
///
/// Values are read and set by key, as with key-value coding. What goes wrong (a key that the entity does not have, a
/// value of another type, a write to the source) is remembered by the migration and ends it after the callback, so that
/// ported code needs no `try`.
///
/// Nothing of an object's row is kept in memory longer than the object is.
public final class MigratingObject: Hashable {
  public let managedObjectContext: ManagedObjectContext
  package let shape: EntityShape
  /// `Z_PK`
  package let key: Int64
  /// The cells of all slots, once they were read or set.
  private var cells: [StoredCell]?
  /// Slots that changed since the row was written.
  private var changedSlots: Set<Int> = []
  /// Where its row stands, or of a new object the one that its cells come from, as long as the cursor stands there.
  private var cursor: ObjectCursor?
  private let position: Int
  /// Of a new object: how its cells come from the cursor's row, until it is written.
  private var plan: RowPlan?
  /// What is otherwise than the plan has it.
  private var changes: [(slot: Int, cell: StoredCell)] = []
  /// References that stand in the row already, though nobody has set them yet.
  private var hiddenSlots: [Int] = []
  /// What few objects have.
  private var rest: Rest?
  /// Whether its row has not been written yet.
  public private(set) var isInserted: Bool
  public internal(set) var isDeleted = false
  /// Whether it waits to be written.
  var isPending = false
  /// Whether it is among its context's objects in use.
  var isRegistered = false

  private final class Rest {
    /// `Z_OPT` of a new object.
    var lock = StoredCell.integer(1)
    var transientValues: [String: Any] = [:]
  }

  /// An object whose row exists.
  init(
    _ key: Int64, _ shape: EntityShape, _ context: ManagedObjectContext, at cursor: ObjectCursor? = nil
  ) {
    self.key = key
    self.shape = shape
    managedObjectContext = context
    self.cursor = cursor
    position = cursor?.position ?? 0
    isInserted = false
  }

  /// A new object with the model's default values.
  init(inserting key: Int64, _ shape: EntityShape, _ context: ManagedObjectContext) {
    self.key = key
    self.shape = shape
    managedObjectContext = context
    cells = shape.defaults
    position = 0
    isInserted = true
  }

  /// A new object with the cells of another one's row.
  init(inserting key: Int64, _ plan: RowPlan, from cursor: ObjectCursor, _ context: ManagedObjectContext) {
    self.key = key
    shape = plan.shape
    managedObjectContext = context
    self.cursor = cursor
    position = cursor.position
    self.plan = plan
    isInserted = true
  }

  deinit { if isRegistered { managedObjectContext.forget(objectID) } }

  public var objectID: ManagedObject.ID { ManagedObject.ID(entityName: shape.name, primaryKey: key) }

  /// The cursor that stands at its row, where one does.
  var currentCursor: ObjectCursor? {
    guard let cursor, !isInserted, cursor.position == position else { return nil }
    return cursor
  }

  public static func == (left: MigratingObject, right: MigratingObject) -> Bool {
    left === right
      || (left.key == right.key && left.managedObjectContext === right.managedObjectContext
        && left.shape.name == right.shape.name)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }

  public var entity: EntityDescription {
    managedObjectContext.hierarchy.entity(named: shape.name) ?? EntityDescription(name: shape.name)
  }

  // MARK: - Cells

  package func cell(_ slot: Int) throws -> StoredCell {
    if let cells { return cells[slot] }
    if let cursor {
      if let plan { return changes.last { $0.slot == slot }?.cell ?? plan.cell(slot, from: cursor) }
      if cursor.position == position { return cursor.cell(slot) }
    }
    return try loadedCells()[slot]
  }

  func loadedCells() throws -> [StoredCell] {
    if let cells { return cells }
    if let cursor {
      if let plan {
        var made = shape.columnNames.indices.map { plan.cell($0, from: cursor) }
        for change in changes { made[change.slot] = change.cell }
        others.lock = cursor.lock
        endPlan()
        cells = made
        return made
      }
      if cursor.position == position { return cursor.cells }
    }
    cursor = nil
    // A row that is gone, or of another entity than a reference says, reads as an object without values.
    var loaded =
      try managedObjectContext.rows.load(shape, key) ?? shape.columnNames.map { _ in .null }
    for slot in hiddenSlots { loaded[slot] = .null }
    cells = loaded
    return loaded
  }

  private var others: Rest {
    if let rest { return rest }
    let made = Rest()
    rest = made
    return made
  }

  private func endPlan() {
    plan = nil
    cursor = nil
    managedObjectContext.giveBack(&changes)
  }

  /// Changes cells; the body tells which slots.
  package func change(_ body: (inout [StoredCell]) -> [Int]) throws {
    if cells == nil { _ = try loadedCells() }
    guard var changed = cells else { return }
    cells = nil
    let slots = body(&changed)
    cells = changed
    if !isInserted { changedSlots.formUnion(slots) }
    if !hiddenSlots.isEmpty { hiddenSlots.removeAll(where: slots.contains) }
    managedObjectContext.noteChange(of: self)
  }

  package func setCell(_ cell: StoredCell, _ slot: Int) throws {
    if plan != nil {
      if changes.isEmpty { managedObjectContext.takeList(&changes) }
      changes.append((slot, cell))
      return managedObjectContext.noteChange(of: self)
    }
    try change { cells in
      cells[slot] = cell
      return [slot]
    }
  }

  /// Writes the row, if something changed.
  func write() throws {
    isPending = false
    guard !isDeleted else { return }
    let rows = managedObjectContext.rows
    if let plan, let cursor {
      try rows.insert(plan, key, from: cursor, changes: changes)
      isInserted = false
      return endPlan()
    }
    guard let cells else { return }
    if isInserted {
      try rows.insert(shape, key, lock: rest?.lock ?? .integer(1), cells)
      isInserted = false
    } else {
      if !managedObjectContext.watches.isEmpty,
        let watch = managedObjectContext.watches[ObjectIdentifier(shape)],
        !watch.slots.isDisjoint(with: changedSlots)
      {
        watch.sawChange = true
      }
      try rows.update(shape, key, cells, slots: changedSlots.sorted())
    }
    changedSlots = []
  }

  /// Forgets what was read, after rows were changed by other ways than through objects.
  func refault() { if !isInserted, changedSlots.isEmpty { cells = nil } }

  // MARK: - References that stand already

  /// Lets references that stand in the row be nil, as they are before they are set.
  func hide(_ slots: [Int]) {
    hiddenSlots = slots
    if !slots.isEmpty { refault() }
  }

  /// Lets them be seen: they were set.
  func reveal(_ slots: [Int]) throws {
    guard cells != nil else {
      hiddenSlots = []
      return
    }
    hiddenSlots = []
    guard let row = try managedObjectContext.rows.load(shape, key) else { return }
    for slot in slots { cells?[slot] = row[slot] }
    changedSlots.subtract(slots)
  }

  /// Empties those that nobody has set.
  func emptyHidden() throws {
    for slot in hiddenSlots {
      try change { cells in
        cells[slot] = .null
        return [slot]
      }
    }
  }

  // MARK: - Key-value access

  /// The value of an attribute (numbers and Booleans as `NSNumber`, decimals as `NSDecimalNumber`, dates as `Date`, URIs
  /// as `URL`), the object of a to-one, the objects of a to-many (a `Set`, or an array where it is ordered), or a
  /// composite as a dictionary.
  public func value(forKey key: String) -> Any? {
    managedObjectContext.recording(self, key) { try readValue(key) } ?? nil
  }

  /// Sets an attribute or a relationship, with its inverse; nil empties it.
  public func setValue(_ value: Any?, forKey key: String) {
    managedObjectContext.recording(self, key) { try writeValue(value, key) }
  }

  public func primitiveValue(forKey key: String) -> Any? { value(forKey: key) }
  public func setPrimitiveValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

  /// Follows to-one relationships to the last key.
  public func value(forKeyPath keyPath: String) -> Any? {
    if case .attribute? = shape.properties[keyPath] { return value(forKey: keyPath) }
    let keys = keyPath.split(separator: ".").map(String.init)
    var value: Any? = self
    for key in keys {
      guard let object = value as? MigratingObject else { return nil }
      value = object.value(forKey: key)
    }
    return value
  }

  /// The objects of a to-many, to be changed in place.
  public func mutableSetValue(forKey key: String) -> RelatedObjects { RelatedObjects(self, key) }
  public func mutableOrderedSetValue(forKey key: String) -> RelatedObjects { RelatedObjects(self, key) }

  /// The objects of a to-many, in its order, else by primary key; those of a to-one are one or none.
  public func objects(forKey key: String) -> [MigratingObject] {
    managedObjectContext.recording(self, key) { try relatedObjects(key) } ?? []
  }

  /// Typed access: `object["name"] as String?`.
  ///
  /// Compiled where it is used, for the type that is asked for.
  @inlinable
  public subscript<Value: KeyedValue>(_ key: String) -> Value? {
    get {
      // An attribute's value needs no box on its way.
      switch found(key) {
      case .attribute(let value): return Value(attributeValue: value)
      case .other(let value): return Value(keyedValue: value)
      case .nothing: return nil
      }
    }
    set {
      if let newValue, let type = attributeType(of: key), let typed = newValue.attributeValue(as: type) {
        set(typed, key)
      } else {
        setValue(newValue?.keyedValue, forKey: key)
      }
    }
  }

  @usableFromInline enum Found {
    case attribute(AttributeValue)
    case other(Any)
    case nothing
  }

  @usableFromInline func found(_ key: String) -> Found {
    guard !managedObjectContext.hasFailed else { return .nothing }
    do {
      if let attribute = shape.attribute(key) {
        return try attributeValue(attribute, key).map { .attribute($0) } ?? .nothing
      }
      return try readValue(key).map { .other($0) } ?? .nothing
    } catch {
      managedObjectContext.record(error, self, key)
      return .nothing
    }
  }

  /// Nil where the key is no attribute's.
  @usableFromInline func attributeType(of key: String) -> AttributeType? { shape.attribute(key)?.type }

  @usableFromInline func set(_ value: AttributeValue, _ key: String) {
    guard !managedObjectContext.hasFailed, let attribute = shape.attribute(key) else { return }
    do {
      try managedObjectContext.requireWritable(self, key)
      guard let cell = storedCell(value, of: attribute) else {
        throw PolicyMisuse.wrongValue(key, of: shape.name, type: attribute.type)
      }
      try setCell(cell, attribute.slot)
    } catch {
      managedObjectContext.record(error, self, key)
    }
  }

  private func readValue(_ key: String) throws -> Any? {
    if let attribute = shape.attribute(key) { return try attributeValue(attribute, key)?.foundationValue }
    switch try property(key) {
    case .attribute(let attribute): return try attributeValue(attribute, key)?.foundationValue
    case .toOne: return try relatedObjects(key).first
    case .toMany(let toMany):
      let members = try relatedObjects(key)
      return toMany.isOrdered ? members : Set(members)
    case .composite(let paths):
      var elements: [String: Any] = [:]
      for path in paths { elements[String(path.dropFirst(key.count + 1))] = try readValue(path) }
      return elements.isEmpty ? nil : elements
    case .transient: return rest?.transientValues[key]
    }
  }

  func attributeValue(_ attribute: AttributeShape, _ key: String) throws -> AttributeValue? {
    try managedObjectContext.rows.value(
      try cell(attribute.slot), of: attribute, property: key, object: objectID)
  }

  package func relatedObjects(_ key: String) throws -> [MigratingObject] {
    let rows = managedObjectContext.rows
    switch try property(key) {
    case .toOne(let toOne):
      try managedObjectContext.follow(shape.name)
      if case .null = try cell(toOne.keySlot) { return [] }
      guard let id = try rows.destination(of: toOne, loadedCells()) else { return [] }
      return managedObjectContext.existingObject(id).map { [$0] } ?? []
    case .toMany(let toMany):
      try managedObjectContext.follow(toMany.destinationEntityName)
      try managedObjectContext.flush()
      return try rows.members(of: toMany, owner: objectID.primaryKey).compactMap {
        managedObjectContext.object($0)
      }
    case .attribute, .composite, .transient:
      throw PolicyMisuse("'\(key)' of '\(shape.name)' is no relationship")
    }
  }

  private func writeValue(_ value: Any?, _ key: String) throws {
    try managedObjectContext.requireWritable(self, key)
    switch try property(key) {
    case .attribute(let attribute):
      guard let value = present(value) else { return try setCell(.null, attribute.slot) }
      guard let typed = AttributeValue(value, as: attribute.attribute.type),
        let cell = try storedCell(
          typed, of: attribute.attribute, property: key, object: objectID,
          in: managedObjectContext.rows.newExternalData)
      else { throw PolicyMisuse.wrongValue(key, of: shape.name, type: attribute.attribute.type) }
      try setCell(cell, attribute.slot)
    case .toOne, .toMany:
      try setRelationship(key, to: try members(value, key))
    case .composite(let paths):
      let elements = present(value) as? [String: Any] ?? [:]
      for path in paths { try writeValue(elements[String(path.dropFirst(key.count + 1))], path) }
    case .transient: others.transientValues[key] = value
    }
  }

  private func members(_ value: Any?, _ key: String) throws -> [MigratingObject] {
    switch present(value) {
    case nil: return []
    case let object as MigratingObject: return [object]
    case let objects as [MigratingObject]: return objects
    case let objects as Set<MigratingObject>:
      return objects.sorted { $0.objectID.primaryKey < $1.objectID.primaryKey }
    case let objects as RelatedObjects: return objects.allObjects
    case let objects as NSOrderedSet: return try objects.array.map { try member($0, key) }
    case let objects as NSSet: return try objects.allObjects.map { try member($0, key) }
    default: throw PolicyMisuse("the value for '\(key)' of '\(shape.name)' is no object")
    }
  }

  private func member(_ value: Any, _ key: String) throws -> MigratingObject {
    guard let object = value as? MigratingObject else {
      throw PolicyMisuse("the value for '\(key)' of '\(shape.name)' holds something that is no object")
    }
    return object
  }

  func property(_ key: String) throws -> PropertyShape {
    guard let property = shape.properties[key] else {
      throw DiagnosticsError(.unknownKey(key, of: shape.name, among: shape))
    }
    return property
  }
}

/// An optional in an `Any` that is nil counts as nil, and so does `NSNull`.
private func present(_ value: Any?) -> Any? {
  guard let value else { return nil }
  switch value {
  // A look into the value costs more than all else that is done with it.
  case is String, is NSNumber, is Date, is Data, is MigratingObject: return value
  case is NSNull: return nil
  default: break
  }
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return value }
  return mirror.children.first.flatMap { present($0.value) }
}

/// The objects of a to-many relationship (`NSMutableSet`, `NSMutableOrderedSet`): changes reach the relationship at once.
public final class RelatedObjects {
  private let owner: MigratingObject
  private let key: String

  init(_ owner: MigratingObject, _ key: String) {
    self.owner = owner
    self.key = key
  }

  public var allObjects: [MigratingObject] { owner.objects(forKey: key) }
  public var count: Int { allObjects.count }
  public func contains(_ object: MigratingObject) -> Bool { allObjects.contains(object) }

  public func add(_ object: MigratingObject) {
    owner.managedObjectContext.recording(owner, key) { try owner.addMember(object, key) }
  }

  public func addObjects(from objects: some Sequence<MigratingObject>) {
    for object in objects { add(object) }
  }

  public func remove(_ object: MigratingObject) {
    owner.setValue(allObjects.filter { $0 != object }, forKey: key)
  }

  public func removeAllObjects() { owner.setValue(nil, forKey: key) }
}

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
  public let objectID: ManagedObject.ID
  public let managedObjectContext: ManagedObjectContext
  package let shape: EntityShape
  /// The cells of all slots, once they were read or set.
  private var cells: [StoredCell]?
  /// Slots that changed since the row was written; nil for a row that does not exist yet.
  private var changedSlots: Set<Int>?
  /// Where the row stands now, as long as the cursor stands there.
  private var cursor: (ObjectCursor, position: Int)?
  /// Of a new object: whose row its cells come from, until it is written.
  private var origin: (plan: RowPlan, cursor: ObjectCursor)?
  /// What is otherwise than the origin has it.
  private var changes: [(slot: Int, cell: StoredCell)] = []
  /// `Z_OPT` of a new object.
  private var lock = StoredCell.integer(1)
  /// References that stand in the row already, though nobody has set them yet.
  private var hiddenSlots: [Int] = []
  private var transientValues: [String: Any] = [:]
  public internal(set) var isDeleted = false
  /// Whether it waits to be written.
  var isPending = false
  /// Whether it is among its context's objects in use.
  var isRegistered = false

  /// An object whose row exists.
  init(
    _ id: ManagedObject.ID, _ shape: EntityShape, _ context: ManagedObjectContext,
    at cursor: ObjectCursor? = nil
  ) {
    objectID = id
    self.shape = shape
    managedObjectContext = context
    changedSlots = []
    self.cursor = cursor.map { ($0, $0.position) }
  }

  /// A new object with the model's default values.
  init(inserting id: ManagedObject.ID, _ shape: EntityShape, _ context: ManagedObjectContext) {
    objectID = id
    self.shape = shape
    managedObjectContext = context
    cells = shape.defaults
  }

  /// A new object with the cells of another one's row.
  init(
    inserting id: ManagedObject.ID, _ plan: RowPlan, from cursor: ObjectCursor,
    _ context: ManagedObjectContext
  ) {
    objectID = id
    shape = plan.shape
    managedObjectContext = context
    origin = (plan, cursor)
  }

  deinit { if isRegistered { managedObjectContext.forget(objectID) } }

  /// The cursor that stands at its row, where one does.
  var currentCursor: ObjectCursor? {
    guard let (cursor, position) = cursor, cursor.position == position else { return nil }
    return cursor
  }

  public static func == (left: MigratingObject, right: MigratingObject) -> Bool {
    left === right
      || (left.objectID == right.objectID && left.managedObjectContext === right.managedObjectContext)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(objectID) }

  public var entity: EntityDescription {
    managedObjectContext.hierarchy.entity(named: shape.name) ?? EntityDescription(name: shape.name)
  }

  /// Whether its row has not been written yet.
  public var isInserted: Bool { changedSlots == nil }

  // MARK: - Cells

  package func cell(_ slot: Int) throws -> StoredCell {
    if let cells { return cells[slot] }
    if let origin {
      return changes.last { $0.slot == slot }?.cell ?? origin.plan.cell(slot, from: origin.cursor)
    }
    if let (cursor, position) = cursor, cursor.position == position { return cursor.cell(slot) }
    return try loadedCells()[slot]
  }

  func loadedCells() throws -> [StoredCell] {
    if let cells { return cells }
    if let origin {
      var made = shape.columnNames.indices.map { origin.plan.cell($0, from: origin.cursor) }
      for change in changes { made[change.slot] = change.cell }
      lock = origin.cursor.lock
      self.origin = nil
      changes = []
      cells = made
      return made
    }
    if let (cursor, position) = cursor, cursor.position == position { return cursor.cells }
    cursor = nil
    // A row that is gone, or of another entity than a reference says, reads as an object without values.
    var loaded =
      try managedObjectContext.rows.load(shape, objectID.primaryKey) ?? shape.columnNames.map { _ in .null }
    for slot in hiddenSlots { loaded[slot] = .null }
    cells = loaded
    return loaded
  }

  /// Changes cells; the body tells which slots.
  package func change(_ body: (inout [StoredCell]) -> [Int]) throws {
    if cells == nil { _ = try loadedCells() }
    guard var changed = cells else { return }
    cells = nil
    let slots = body(&changed)
    cells = changed
    changedSlots?.formUnion(slots)
    if !hiddenSlots.isEmpty { hiddenSlots.removeAll(where: slots.contains) }
    managedObjectContext.noteChange(of: self)
  }

  package func setCell(_ cell: StoredCell, _ slot: Int) throws {
    if origin != nil {
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
    if let origin {
      try rows.insert(origin.plan, objectID.primaryKey, from: origin.cursor, changes: changes)
      self.origin = nil
      changes = []
      changedSlots = []
      return
    }
    guard let cells else { return }
    if let changedSlots {
      if !managedObjectContext.watches.isEmpty,
        let watch = managedObjectContext.watches[ObjectIdentifier(shape)],
        !watch.slots.isDisjoint(with: changedSlots)
      {
        watch.sawChange = true
      }
      try rows.update(shape, objectID.primaryKey, cells, slots: changedSlots.sorted())
    } else {
      try rows.insert(shape, objectID.primaryKey, lock: lock, cells)
    }
    changedSlots = []
  }

  /// Forgets what was read, after rows were changed by other ways than through objects.
  func refault() { if changedSlots?.isEmpty == true { cells = nil } }

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
    guard let row = try managedObjectContext.rows.load(shape, objectID.primaryKey) else { return }
    for slot in slots { cells?[slot] = row[slot] }
    changedSlots?.subtract(slots)
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
      if let newValue, case .attribute(let attribute)? = shape.properties[key],
        let typed = newValue.attributeValue(as: attribute.attribute.type)
      {
        return set(typed, attribute, key)
      }
      let value = newValue?.keyedValue
      managedObjectContext.recording(self, key) { try writeValue(value, key) }
    }
  }

  private enum Found {
    case attribute(AttributeValue)
    case other(Any)
    case nothing
  }

  private func found(_ key: String) -> Found {
    managedObjectContext.recording(self, key) { () -> Found in
      if let value = try readAttribute(key) { return value.map { .attribute($0) } ?? .nothing }
      return try readValue(key).map { .other($0) } ?? .nothing
    } ?? .nothing
  }

  private func set(_ value: AttributeValue, _ attribute: AttributeShape, _ key: String) {
    managedObjectContext.recording(self, key) {
      try managedObjectContext.requireWritable(self, key)
      guard let cell = storedCell(value, of: attribute.attribute) else {
        throw PolicyMisuse.wrongValue(key, of: shape.name, type: attribute.attribute.type)
      }
      try setCell(cell, attribute.slot)
    }
  }

  func readAttribute(_ key: String) throws -> AttributeValue?? {
    guard case .attribute(let attribute) = try property(key) else { return nil }
    return .some(try attributeValue(attribute, key))
  }

  private func readValue(_ key: String) throws -> Any? {
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
    case .transient: return transientValues[key]
    }
  }

  func attributeValue(_ attribute: AttributeShape, _ key: String) throws -> AttributeValue? {
    try managedObjectContext.rows.value(
      try cell(attribute.slot), of: attribute.attribute, property: key, object: objectID)
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
    case .transient: transientValues[key] = value
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

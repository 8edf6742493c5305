import Foundation
public import ManagedModel
package import PersistentStore

/// One object during a migration (`NSManagedObject`): of the source, which can only be read, or of the destination.
///
/// Values are read and set by key, as with key-value coding. An error (a key that the entity does not have, a value of
/// another type, a write to the source) ends the migration after the callback, so that ported code needs no `try`.
///
/// A row stays in memory only as long as its object.
public final class MigratingObject: Hashable {
  /// The context that the object came from.
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
  /// `Z_OPT` of a new object.
  private var lock = StoredCell.integer(1)
  var transientValues: [String: Any] = [:]
  /// Whether its row has not been written yet.
  public private(set) var isInserted: Bool
  /// Whether the policy has deleted it.
  public internal(set) var isDeleted = false
  var isPending = false
  /// Whether it is among its context's objects in use.
  var isRegistered = false

  /// An object whose row exists; or a new one, with the model's default values, or as a plan makes it of a cursor's row.
  init(
    _ key: Int64, _ shape: EntityShape, _ context: ManagedObjectContext, at cursor: ObjectCursor? = nil,
    by plan: RowPlan? = nil, isInserted: Bool = false
  ) {
    self.key = key
    self.shape = shape
    managedObjectContext = context
    self.cursor = cursor
    position = cursor?.position ?? 0
    self.plan = plan
    self.isInserted = isInserted
    cells = isInserted && plan == nil ? shape.defaults : nil
  }

  deinit { if isRegistered { managedObjectContext.unregister(id) } }

  /// The object's identity in its store.
  public var objectID: ManagedObject.ID {
    var id = id
    id.storeIdentifier = managedObjectContext.store?.identifier
    return id
  }

  /// ``objectID`` without the store's identifier, which only the object's URI needs: it costs no look at the store.
  var id: ManagedObject.ID { ManagedObject.ID(entityName: shape.name, primaryKey: key) }

  /// The cursor that stands at its row, where one does.
  var currentCursor: ObjectCursor? {
    guard let cursor, !isInserted, cursor.position == position else { return nil }
    return cursor
  }

  /// Whether they are the same object of the same context.
  public static func == (left: MigratingObject, right: MigratingObject) -> Bool {
    left === right
      || (left.key == right.key && left.managedObjectContext === right.managedObjectContext
        && left.shape.name == right.shape.name)
  }

  /// Agrees with `==`.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  /// The object's entity, with the attributes and relationships that it inherits.
  public var entity: EntityDescription {
    managedObjectContext.completeEntity(named: shape.name) ?? EntityDescription(name: shape.name)
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
        lock = cursor.lock
        endPlan()
        cells = made
        return made
      }
      if cursor.position == position { return cursor.cells }
    }
    cursor = nil
    // A row that is gone, or of another entity than a reference says, reads as an object without values.
    var loaded = try managedObjectContext.rows.load(shape, key) ?? shape.columnNames.map { _ in .null }
    for slot in hiddenSlots { loaded[slot] = .null }
    cells = loaded
    return loaded
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
      try rows.insert(shape, key, lock: lock, cells)
      isInserted = false
    } else {
      if !managedObjectContext.watches.isEmpty,
        managedObjectContext.watches[ObjectIdentifier(shape)]?.slots.isDisjoint(with: changedSlots) == false
      {
        managedObjectContext.watches[ObjectIdentifier(shape)]?.sawChange = true
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
    hiddenSlots = []
    guard cells != nil, let row = try managedObjectContext.rows.load(shape, key) else { return }
    for slot in slots { cells?[slot] = row[slot] }
    changedSlots.subtract(slots)
  }

  /// Empties those that nobody has set.
  func emptyHidden() throws { for slot in hiddenSlots { try setCell(.null, slot) } }

  // MARK: - More of key-value coding, as ported code uses it

  /// The values of several keys; `NSNull` if there is none.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys {
      let value = value(forKey: key)
      // Nobody is to look at all of them.
      if let ordered = value as? OrderedObjects { _ = ordered.objects }
      if let undecoded = value as? UndecodedValue { _ = undecoded.data }
      values[key] = value ?? NSNull()
    }
    return values
  }

  /// Sets the values of several keys; `NSNull` empties one.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { setValue(value, forKey: key) }
  }

  /// The accessors that Core Data makes for properties, by selector: `addAuthorsObject:`, `removeAuthorsObject:`,
  /// `addAuthors:`, `removeAuthors:`, `setTitle:`, and a key alone for its value.
  ///
  /// Any other selector ends the migration after the callback: methods of an app's classes are not there.
  @discardableResult
  public func perform(_ selector: String, with argument: Any? = nil) -> Any? {
    if shape.properties[selector] != nil { return value(forKey: selector) }
    managedObjectContext.recording(self, nil) {
      guard let (verb, key) = accessor(selector) else {
        throw PolicyMisuse(
          "'\(shape.name)' has no accessor '\(selector)'",
          help: ["objects have only accessors of their properties; other code belongs in the policy"])
      }
      switch verb {
      case .set: setValue(argument, forKey: key)
      case .add: for member in try members(argument, key) { try addMember(member, key) }
      case .remove:
        let gone = Set(try members(argument, key))
        setValue(objects(forKey: key).filter { !gone.contains($0) }, forKey: key)
      }
    }
    return nil
  }

  private enum Accessor: String, CaseIterable {
    case set, add, remove
  }

  private func accessor(_ selector: String) -> (Accessor, key: String)? {
    for verb in Accessor.allCases where selector.hasPrefix(verb.rawValue) && selector.hasSuffix(":") {
      let name = selector.dropFirst(verb.rawValue.count).dropLast()
      let names = verb != .set && name.hasSuffix("Object") ? [name.dropLast("Object".count), name] : [name]
      for name in names {
        let keys = [name.prefix(1).lowercased() + name.dropFirst(), String(name)]
        if let key = keys.first(where: { shape.properties[$0] != nil }) { return (verb, key) }
      }
    }
    return nil
  }
}

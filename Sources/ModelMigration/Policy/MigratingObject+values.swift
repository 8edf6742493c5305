import Foundation
public import ManagedModel
import PersistentStore

// Key-value access.
extension MigratingObject {
  /// The value of an attribute (numbers and Booleans as `NSNumber`, decimals as `NSDecimalNumber`, dates as `Date`, URIs
  /// as `URL`, transformables decoded, see ``AttributeTransformer``), the object of a to-one, the objects of a to-many (a
  /// `Set`, or ``OrderedObjects`` where it is ordered), or a composite as a dictionary.
  public func value(forKey key: String) -> Any? {
    managedObjectContext.recording(self, key) { try readValue(key) } ?? nil
  }

  /// Sets an attribute or a relationship, with its inverse; nil empties it.
  public func setValue(_ value: Any?, forKey key: String) {
    managedObjectContext.recording(self, key) { try writeValue(value, key) }
  }

  /// The same as ``value(forKey:)``, because there are no accessors to bypass.
  public func primitiveValue(forKey key: String) -> Any? { value(forKey: key) }
  /// The same as ``setValue(_:forKey:)``.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

  /// Follows relationships to the last key: `"note.body"`, `"pages.@count"`.
  ///
  /// Past a to-many it is what its objects have, each value once: a `Set`; past an ordered one ``OrderedObjects``, or an array
  /// of values that are not objects.
  public func value(forKeyPath keyPath: String) -> Any? {
    let keys = keyPath.split(separator: ".").map(String.init)
    guard keys.count > 1, shape.properties[keyPath] == nil, let first = shape.properties[keys[0]] else {
      return value(forKey: keyPath)
    }
    switch first {
    case .toMany, .composite: break
    case .attribute, .toOne, .transient:
      return (value(forKey: keys[0]) as? MigratingObject)?.value(
        forKeyPath: keys.dropFirst().joined(separator: "."))
    }
    return managedObjectContext.recording(self, keyPath) {
      let context = EvaluationContext(now: managedObjectContext.rows.now)
      let found = try evaluate(.keyPath(keys, of: nil), on: .object(self), in: context)
      guard case .toMany(let end) = first, !keyPath.contains("@") else { return found.foundationValue }
      let kind: ValueCollection.Kind = end.isOrdered ? .orderedSet : .set
      return ExpressionValue.collection(ValueCollection(found.elements, as: kind)).foundationValue
    } ?? nil
  }

  /// The same as ``setValue(_:forKey:)``: what a relationship leads to is set by a key of its own.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) { setValue(value, forKey: keyPath) }

  /// A value of this type, which refuses values of another type: `try object.value(forKey: "readers", as:
  /// Set<ManagedObject>.self)`.
  ///
  /// A cast with `as?` gives nil for a value of another type, as for none, and Swift tells the value nothing of it. Here the
  /// one is nil and the other ends the migration. Objects of any to-many are had as a `Set` and as an array, those of an
  /// ordered one as ``OrderedObjects`` too.
  ///
  /// - Returns: nil if there is no value.
  /// - Throws: what says of which type the value is; where it is caught, the migration ends all the same.
  public func value<Value>(forKey key: String, as type: Value.Type) throws -> Value? {
    guard let found = value(forKey: key) else { return nil }
    if let keyed = type as? any KeyedValue.Type, let value = keyed.init(keyedValue: found) as? Value {
      return value
    }
    if let value = found as? Value { return value }
    if let undecoded = found as? UndecodedValue { _ = undecoded.data }
    if let ordered = found as? OrderedObjects { _ = ordered.objects }
    let misuse = PolicyMisuse.otherType(key, of: shape.name, found, wanted: type)
    managedObjectContext.record(misuse, self, key)
    throw misuse
  }

  /// The objects of a to-many, to be changed in place.
  public func mutableSetValue(forKey key: String) -> RelatedObjects { RelatedObjects(self, key) }
  /// The objects of an ordered to-many, to change them in place.
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
    managedObjectContext.recording(self, key) { () throws -> Found in
      if let attribute = shape.attribute(key) {
        return try attributeValue(attribute, key).map { .attribute($0) } ?? .nothing
      }
      return try readValue(key).map { .other($0) } ?? .nothing
    } ?? .nothing
  }

  /// Nil if the key is not an attribute's.
  @usableFromInline func attributeType(of key: String) -> AttributeType? { shape.attribute(key)?.type }

  @usableFromInline func set(_ value: AttributeValue, _ key: String) {
    managedObjectContext.recording(self, key) {
      guard let attribute = shape.attribute(key) else { return }
      try managedObjectContext.requireWritable(self, key)
      guard let cell = storedCell(value, of: attribute.attribute) else {
        throw PolicyMisuse.wrongValue(key, of: shape.name, type: attribute.type)
      }
      try setCell(cell, attribute.slot)
    }
  }

  private func readValue(_ key: String) throws -> Any? {
    if let attribute = shape.attribute(key) { return try readAttribute(attribute, key) }
    switch try property(key) {
    case .attribute(let attribute): return try readAttribute(attribute, key)
    case .toOne: return try relatedObjects(key).first
    case .toMany(let toMany):
      let members = try relatedObjects(key)
      return toMany.isOrdered ? OrderedObjects(members, of: self, key) : Set(members)
    case .composite(let paths):
      var elements: [String: Any] = [:]
      for path in paths { elements[String(path.dropFirst(key.count + 1))] = try readValue(path) }
      return elements.isEmpty ? nil : elements
    case .transient: return transientValues[key]
    }
  }

  private func readAttribute(_ attribute: AttributeShape, _ key: String) throws -> Any? {
    let value = try attributeValue(attribute, key)
    guard attribute.attribute.type == .transformable else { return value?.foundationValue }
    return try transformed(value, attribute.attribute, key)
  }

  func attributeValue(_ attribute: AttributeShape, _ key: String) throws -> AttributeValue? {
    try managedObjectContext.rows.value(try cell(attribute.slot), of: attribute, property: key, object: id)
  }

  package func relatedObjects(_ key: String) throws -> [MigratingObject] {
    let rows = managedObjectContext.rows
    switch try property(key) {
    case .toOne(let toOne):
      try managedObjectContext.follow(toOne.reference)
      if case .null = try cell(toOne.keySlot) { return [] }
      guard let id = try rows.destination(of: toOne, loadedCells()) else { return [] }
      return managedObjectContext.existingObject(id).map { [$0] } ?? []
    case .toMany(let toMany):
      try managedObjectContext.follow(toMany.reference)
      try managedObjectContext.flush()
      return try rows.members(of: toMany, owner: id.primaryKey).compactMap { managedObjectContext.object($0) }
    case .attribute, .composite, .transient:
      throw PolicyMisuse("'\(key)' of '\(shape.name)' is not a relationship")
    }
  }

  private func writeValue(_ value: Any?, _ key: String) throws {
    try managedObjectContext.requireWritable(self, key)
    switch try property(key) {
    case .attribute(let attribute):
      guard var value = present(value) else { return try setCell(.null, attribute.slot) }
      if attribute.attribute.type == .transformable {
        value = try transformedBytes(of: value, attribute.attribute, key)
      }
      guard let typed = AttributeValue(value, as: attribute.attribute.type),
        let cell = try storedCell(
          typed, of: attribute.attribute, property: key, object: id,
          in: managedObjectContext.rows.largeValues)
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

  /// The objects of a value for a relationship.
  ///
  /// - Throws: ``PolicyMisuse`` for a value that is none, or holds something else.
  func members(_ value: Any?, _ key: String) throws -> [MigratingObject] {
    guard let value = present(value) else { return [] }
    if let object = value as? MigratingObject { return [object] }
    if let objects = [MigratingObject](keyedValue: value) { return objects }
    switch value {
    case let objects as RelatedObjects: return objects.allObjects
    case let objects as NSOrderedSet: return try objects.array.map { try member($0, key) }
    case let objects as NSSet: return try objects.allObjects.map { try member($0, key) }
    case let objects as [Any]: return try objects.map { try member($0, key) }
    default: throw PolicyMisuse("the value for '\(key)' of '\(shape.name)' is not an object")
    }
  }

  private func member(_ value: Any, _ key: String) throws -> MigratingObject {
    guard let object = value as? MigratingObject else {
      throw PolicyMisuse("the value for '\(key)' of '\(shape.name)' holds something that is not an object")
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

/// A nil optional inside an `Any` counts as nil, and so does `NSNull`.
func present(_ value: Any?) -> Any? {
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

extension ModelIndex {
  /// No property may hide a method that every managed object has (MC1102).
  ///
  /// Core Data answers such a property with the method's result, silently. Methods named `isX` are found by
  /// key-value coding as `x` and `getX` too.
  func checkReservedNames(_ entity: EntityDescription) -> [Diagnostic] {
    let names =
      entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
    return names.compactMap { name in
      reservedNames[name].map { .reservedName(name, of: entity.name, method: $0) }
    }
  }
}

/// Every reserved name with the method that reserves it. From Apple's public headers: the instance methods
/// without arguments of NSObject's protocol and class and of NSManagedObject.
private let reservedNames: [String: String] = {
  var names: [String: String] = [:]
  let plain = [
    "self", "class", "superclass", "hash", "description", "debugDescription", "zone", "retain", "release",
    "autorelease", "retainCount", "init", "dealloc", "finalize", "copy", "mutableCopy", "classForCoder",
    "classForKeyedArchiver", "observationInfo", "managedObjectContext", "entity", "objectID", "hasChanges",
    "hasPersistentChangedValues", "faultingState", "changedValues", "changedValuesForCurrentEvent",
    "awakeFromFetch", "awakeFromInsert", "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault",
    "didTurnIntoFault",
  ]
  for name in plain { names[name] = name }
  for name in ["Deleted", "Inserted", "Updated", "Fault", "Proxy"] {
    for form in [name.lowercased(), "is\(name)", "get\(name)", "set\(name)"] { names[form] = "is\(name)" }
  }
  return names
}()

extension Diagnostic.Code {
  package static let reservedName = Self(
    "MC1102",
    accepted: .init(
      "properties named like a method of an object", "stored as any other; the getter hides the method"))
}

extension Diagnostic {
  fileprivate static func reservedName(_ name: String, of entity: String, method: String) -> Diagnostic {
    Diagnostic(
      .reservedName, .error, "'\(entity).\(name)' hides the method '\(method)' of every managed object",
      subject: ModelSubject(entity: entity, property: name),
      help: ["rename it, with 'renamingIdentifier: \(name)' if stores have it"])
  }
}

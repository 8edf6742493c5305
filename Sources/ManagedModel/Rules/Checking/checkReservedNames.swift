extension ModelIndex {
  /// No property may hide a method that every managed object has (MC1102).
  ///
  /// Core Data answers such a property with the method's result, silently. Methods named `isX` are found by
  /// key-value coding as `x` and `getX` too.
  func checkReservedNames(_ entity: EntityDescription) -> [Diagnostic] {
    let names =
      entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
    return names.compactMap { name in
      reservedNames[name].map {
        .reservedName("\(entity.name).\(name)", $0, ModelSubject(entity: entity.name, property: name))
      }
    }
  }

  /// Those whose elements are columns: what an array or a dictionary holds is one value.
  var storedComposites: Set<String> {
    var found: Set<String> = []
    var open = model.entities.flatMap(\.attributes)
    while let attribute = open.popLast() {
      guard attribute.type == .composite, let name = attribute.compositeName, found.insert(name).inserted
      else { continue }
      open += model.composites.first { $0.name == name }?.elements ?? []
    }
    return found
  }

  /// The one that SwiftData refuses in a struct or an enum too.
  func checkReservedName(of element: CheckedAttribute) -> [Diagnostic] {
    let name = element.attribute.name
    return name == "description" ? [.reservedName("\(element.owner).\(name)", name, element.subject)] : []
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
  fileprivate static func reservedName(_ part: String, _ method: String, _ subject: ModelSubject)
    -> Diagnostic
  {
    Diagnostic(
      .reservedName, .error, "'\(part)' hides the method '\(method)' of every managed object",
      subject: subject,
      help: ["rename it, with 'renamingIdentifier: \(subject.property ?? "")' if stores have it"])
  }
}

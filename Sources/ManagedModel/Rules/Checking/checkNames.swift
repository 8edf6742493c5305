extension ModelIndex {
  /// Names that Swift, SQL and key paths can hold: a letter or underscore, then letters, digits, underscores
  /// (MC1101); and no name whose column is one of Core Data's own (MC1108).
  func checkNames(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    if !entity.name.isLegalName {
      findings.append(.invalidName(entity.name, "an entity's name", ModelSubject(entity: entity.name)))
    }
    let stored = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    for name in entity.ownPropertyNames where !name.isLegalName {
      let subject = ModelSubject(entity: entity.name, property: name)
      findings.append(.invalidName(name, "a property's name", subject))
    }
    for name in stored where isSystemColumn(name) {
      findings.append(
        .systemColumn, .error,
        "'\(entity.name).\(name)' would share the column 'Z\(name.uppercased())' with Core Data",
        subject: ModelSubject(entity: entity.name, property: name),
        help: ["rename it, with 'renamingIdentifier: \(name)' if stores have it"])
    }
    return findings
  }

  /// No property may hide a method that every managed object has (MC1102).
  ///
  /// Core Data answers such a property with the method's result, silently. Methods named `isX` are found by
  /// key-value coding as `x` and `getX` too.
  func checkReservedNames(_ entity: EntityDescription) -> [Diagnostic] {
    entity.ownPropertyNames.compactMap { name in
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

extension String {
  var isLegalName: Bool {
    var isFirst = true
    for scalar in unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "_": break
      case "0"..."9": if isFirst { return false }
      default:
        guard scalar.value > 0x7F,
          scalar.properties.isAlphabetic || (!isFirst && scalar.properties.isXIDContinue)
        else { return false }
      }
      isFirst = false
    }
    return !isFirst
  }

  /// The nearest legal name: other characters become underscores.
  var legalName: String {
    var legal = ""
    for scalar in unicodeScalars {
      let character = String(scalar)
      legal += ("_" + character).isLegalName ? character : "_"
    }
    return legal.isLegalName ? legal : "_" + legal
  }
}

/// A property `x` has the column `ZX`; Core Data's own are `Z_PK`, `Z_ENT`, `Z_OPT` and `Z_FOK_…`.
private func isSystemColumn(_ name: String) -> Bool {
  guard name.utf8.first == UInt8(ascii: "_") else { return false }
  let column = name.uppercased()
  return ["_PK", "_ENT", "_OPT"].contains(column) || column.hasPrefix("_FOK_")
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
  package static let invalidName = Self(
    "MC1101", accepted: .init("names that are not identifiers", "the names stay; tables and hashes use them"))
  package static let systemColumn = Self(
    "MC1108", accepted: .init("properties named like Core Data's columns", "the column's name gets a number"))
  package static let reservedName = Self(
    "MC1102",
    accepted: .init(
      "properties named like a method of an object", "stored as any other; the getter hides the method"))
}

extension Diagnostic {
  static func invalidName(_ name: String, _ what: String, _ subject: ModelSubject) -> Diagnostic {
    let help: [String]
    if let gap = missingBlank(in: name) {
      help = ["write a space after the colon: '\("\(name.prefix(gap)) \(name.dropFirst(gap))".abridged)'"]
    } else {
      help = name.isEmpty ? [] : ["call it '\(name.legalName.abridged)'"]
    }
    return Diagnostic(
      .invalidName, .error, "'\(name.abridged)' cannot be \(what)", subject: subject,
      notes: ["a name is a letter or underscore, then letters, digits and underscores"], help: help)
  }

  fileprivate static func reservedName(_ part: String, _ method: String, _ subject: ModelSubject)
    -> Diagnostic
  {
    Diagnostic(
      .reservedName, .error, "'\(part)' hides the method '\(method)' of every managed object",
      subject: subject,
      help: ["rename it, with 'renamingIdentifier: \(subject.property ?? "")' if stores have it"])
  }
}

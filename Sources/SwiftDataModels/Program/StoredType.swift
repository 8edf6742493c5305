import ManagedModel

/// What a property's type is to a model.
indirect enum StoredType {
  case scalar(AttributeType)
  /// A `@Model` class.
  case model(TypeEntry)
  /// A struct or an enum of the program.
  case value(TypeEntry)
  case optional(StoredType)
  case array(StoredType)
  case set(StoredType)
  /// Of keys and values.
  case dictionary([StoredType])
  /// A type of Apple's that stores show as a composite.
  case known(CompositeDescription)
  /// A Codable type of another module that no store shows.
  case foreign
  case unknown
  case refused(Diagnostic)

  /// Whether its values are of a struct or an enum of the program.
  var isOwnValue: Bool { if case .value = self { true } else { false } }

  /// Without its optionals, and whether there were any.
  var unwrapped: (type: StoredType, isOptional: Bool) {
    if case .optional(let inner) = self { (inner.unwrapped.type, true) } else { (self, false) }
  }
}

extension TypeTable {
  func stored(_ type: SwiftType, from scope: Scope) -> StoredType {
    switch type {
    case .optional(let inner): return .optional(stored(inner, from: scope))
    case .array(let element): return .array(stored(element, from: scope))
    case .dictionary(let key, let value):
      return .dictionary([key, value].map { stored($0, from: scope) })
    case .other: return .unknown
    case .named: break
    }
    switch lookUp(type, from: scope) {
    case .entry(let entry):
      if entry.isModel { return .model(entry) }
      return entry.twins.first.map { .refused(.twoTypes(entry.fullName, entry.place, $0.place)) }
        ?? .value(entry)
    case .refused(let finding): return .refused(finding)
    case .foreign(let meant, let place):
      guard case .named(let parts) = meant, let last = parts.last else {
        // An alias of an array, say.
        return meant == type ? .unknown : stored(meant, from: place)
      }
      if last.name == "Set", let element = last.arguments.first { return .set(stored(element, from: place)) }
      let name = parts.map(\.name).joined(separator: ".")
      if let composite = knownComposites[name] { return .known(composite) }
      if let scalar = attributeTypesBySwiftName[name] { return .scalar(scalar) }
      return codableTypes.contains(name) || madeCodable.contains(name) ? .foreign : .unknown
    }
  }
}

import ManagedModel
import SwiftDeclarations

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
  case dictionary
  case unknown
  case circle(SourceRange)

  /// Without its optionals, and whether there were any.
  var unwrapped: (type: StoredType, isOptional: Bool) {
    if case .optional(let inner) = self { (inner.unwrapped.type, true) } else { (self, false) }
  }
}

extension TypeTable {
  func stored(_ type: SwiftType, from scope: [String]) -> StoredType {
    switch type {
    case .optional(let inner): return .optional(stored(inner, from: scope))
    case .array(let element): return .array(stored(element, from: scope))
    case .dictionary: return .dictionary
    case .other: return .unknown
    case .named: break
    }
    switch lookUp(type, from: scope) {
    case .entry(let entry): return entry.isModel ? .model(entry) : .value(entry)
    case .circle(let place): return .circle(place)
    case .foreign(let meant):
      guard case .named(let parts) = meant, let last = parts.last else {
        // An alias of an array, say.
        return meant == type ? .unknown : stored(meant, from: [])
      }
      if last.name == "Set", let element = last.arguments.first { return .set(stored(element, from: scope)) }
      let isPlain = parts.count == 1 || (parts.count == 2 && ["Swift", "Foundation"].contains(parts[0].name))
      return isPlain ? attributeTypesBySwiftName[last.name].map { .scalar($0) } ?? .unknown : .unknown
    }
  }

  /// The type of what a property begins with, where its own is left to inference.
  func inferred(from value: SwiftExpression, in scope: [String]) -> SwiftType? {
    switch value.form {
    case .string: return SwiftType("String")
    case .integer: return SwiftType("Int")
    case .floating: return SwiftType("Double")
    case .boolean: return SwiftType("Bool")
    case .call(let called, _):
      if case .array(let elements) = called.form, elements.count == 1, let names = elements[0].names {
        return .array(.named(names.map { SwiftType.Part($0) }))
      }
      return called.names.flatMap { typeNamed($0, in: scope) }
        // `Status.make()`
        ?? called.names.flatMap { typeNamed($0.dropLast(), in: scope) }
    case .member(of: let base?, _): return base.names.flatMap { typeNamed($0, in: scope) }
    case .array(let elements):
      guard let first = elements.first, let element = inferred(from: first, in: scope) else { return nil }
      return .array(element)
    default: return nil
    }
  }

  private func typeNamed(_ names: some Collection<String>, in scope: [String]) -> SwiftType? {
    guard !names.isEmpty else { return nil }
    let type = SwiftType.named(names.map { SwiftType.Part($0) })
    if case .unknown = stored(type, from: scope) { return nil }
    return type
  }
}

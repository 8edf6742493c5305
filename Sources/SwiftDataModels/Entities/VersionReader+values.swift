import ManagedModel
import SwiftDeclarations

/// What SwiftData stores a value as.
struct ValueType {
  var type: AttributeType
  var className: String?
  var composite: String?
}

extension VersionReader {
  /// - Returns: nil, with a finding, where the source does not tell.
  mutating func valueType(
    of stored: StoredType, _ type: SwiftType, at variable: SwiftVariable, _ subject: ModelSubject
  ) -> ValueType? {
    switch stored {
    case .scalar(let scalar):
      note(scalar, type, at: variable.place)
      return ValueType(type: scalar)
    case .value(let entry): return valueType(of: entry, at: variable, subject)
    case .array, .set:
      facts.insert(.array, at: variable.place)
      return ValueType(type: .transformable, className: className(of: type))
    case .dictionary:
      facts.insert(.dictionary, at: variable.place)
      return ValueType(type: .transformable, className: className(of: type))
    case .circle(let place): report(.circularAlias(type.description, at: place))
    case .optional, .model, .unknown: report(.unknownType(type, of: variable, subject))
    }
    return nil
  }

  private mutating func note(_ scalar: AttributeType, _ type: SwiftType, at place: SourceRange) {
    if let fact = scalar.traits.swiftType.flatMap(UnprovenFact.init(rawValue:)) {
      facts.insert(fact, at: place)
    } else if scalar.isInteger, !["Int", "Int64"].contains(type.withoutOptionals) {
      facts.insert(.smallInteger, at: place)
    }
  }

  private func className(of type: SwiftType) -> String {
    switch type {
    case .optional(let inner): className(of: inner)
    case .array(let element): "Array<\(className(of: element))>"
    case .dictionary(let key, let value): "Dictionary<\(className(of: key)), \(className(of: value))>"
    case .named, .other: type.description
    }
  }

  private mutating func valueType(
    of entry: TypeEntry, at variable: SwiftVariable, _ subject: ModelSubject
  ) -> ValueType? {
    if let raw = rawType(of: entry) {
      facts.insert(.rawValue, at: variable.place)
      return ValueType(type: raw)
    }
    guard entry.declaration.kind == .struct, entry.conforms(to: "Codable") || entry.isCodableByParts else {
      report(.unknownValue(entry, of: variable, subject))
      return nil
    }
    if let generic = entry.declaration.generics.first {
      report(.genericValue(entry, generic, of: variable, subject))
      return nil
    }
    facts.insert(.composite, at: variable.place)
    guard let composite = composite(of: entry, subject, depth: 0) else { return nil }
    return ValueType(type: .composite, composite: composite)
  }

  /// The attribute type of an enum's raw values; nil for anything else.
  func rawType(of entry: TypeEntry) -> AttributeType? {
    guard entry.declaration.kind == .enum else { return nil }
    for type in entry.inherited {
      if case .scalar(let scalar) = table.stored(type, from: entry.path) { return scalar }
    }
    return nil
  }

  /// The composite of a struct, by its name; read once.
  private mutating func composite(
    of entry: TypeEntry, _ subject: ModelSubject, depth: Int
  ) -> String? {
    if let known = composites[entry.path] { return known.name }
    let taken = composites.values.contains { $0.name == entry.name }
    let name = taken ? entry.path.joined(separator: "_") : entry.name
    guard depth < 8 else {
      report(.deepValue(entry, subject))
      return nil
    }
    // Before its elements: a struct that holds itself is then met at once.
    composites[entry.path] = CompositeDescription(name: name, elements: [])
    var elements: [AttributeDescription] = []
    for variable in entry.members.variables where !variable.isStatic && !variable.isComputed {
      guard let type = variable.type ?? variable.value.flatMap({ table.inferred(from: $0, in: entry.path) })
      else { continue }
      let (stored, isOptional) = table.stored(type, from: entry.path).unwrapped
      var element = AttributeDescription(name: variable.name, type: .undefined, isOptional: isOptional)
      if case .value(let inner) = stored, rawType(of: inner) == nil, inner.declaration.kind == .struct {
        guard let nested = composite(of: inner, subject, depth: depth + 1) else { return nil }
        (element.type, element.compositeName) = (.composite, nested)
      } else {
        guard let value = valueType(of: stored, type, at: variable, subject) else { return nil }
        (element.type, element.attributeValueClassName) = (value.type, value.className)
        element.compositeName = value.composite
      }
      elements.append(element)
    }
    composites[entry.path]?.elements = elements
    return name
  }
}

extension SwiftType {
  fileprivate var withoutOptionals: String {
    if case .optional(let type) = self { type.withoutOptionals } else { description }
  }
}

extension TypeEntry {
  fileprivate var isCodableByParts: Bool { conforms(to: "Encodable") && conforms(to: "Decodable") }
}

extension Diagnostic {
  fileprivate static func unknownType(
    _ type: SwiftType, of variable: SwiftVariable, _ subject: ModelSubject
  ) -> Diagnostic {
    Diagnostic(
      .unknownInSource, .error,
      "the type '\(visible(type.description))' of '\(visible(variable.name))' is not in the source",
      subject: subject, place: variable.place,
      notes: ["without it the hash of '\(visible(subject.entity ?? ""))' cannot be known"],
      help: [
        "name the folder that declares it too, or mark the property @Transient if it is not stored",
        "a type of a binary module is stored by a transformer: @Attribute(.transformable(by: Name.self))",
      ])
  }

  fileprivate static func unknownValue(
    _ entry: TypeEntry, of variable: SwiftVariable, _ subject: ModelSubject
  ) -> Diagnostic {
    let isEnum = entry.declaration.kind == .enum
    return Diagnostic(
      .unknownInSource, .error,
      isEnum
        ? "how SwiftData stores the enum '\(visible(entry.name))', which has no raw values, is not known"
        : "'\(visible(entry.name))' is neither @Model nor Codable",
      subject: subject, place: variable.place, notes: [Diagnostic.Note("declared here", place: entry.place)],
      help: [
        isEnum
          ? "store a raw value or its Data, and compute '\(visible(variable.name))' from it"
          : "make it Codable, or mark '\(visible(variable.name))' @Transient"
      ])
  }

  fileprivate static func genericValue(
    _ entry: TypeEntry, _ name: String, of variable: SwiftVariable, _ subject: ModelSubject
  ) -> Diagnostic {
    Diagnostic(
      .unknownInSource, .error,
      "'\(visible(variable.name))' is of the generic struct '\(visible(entry.name))' over '\(visible(name))'",
      subject: subject, place: variable.place, help: ["write a struct for the type that it holds"])
  }

  fileprivate static func deepValue(_ entry: TypeEntry, _ subject: ModelSubject) -> Diagnostic {
    Diagnostic(
      .unknownInSource, .error, "structs lie too deep in one another at '\(visible(entry.name))'",
      subject: subject, place: entry.place, help: ["store the inner one as Data"])
  }
}

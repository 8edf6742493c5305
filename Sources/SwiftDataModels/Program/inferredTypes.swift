import ManagedModel

extension TypeTable {
  /// The type of what a property begins with, where its own is left to inference.
  func inferred(from value: SwiftExpression, in scope: Scope, depth: Int = 0) -> SwiftType? {
    guard depth < 16 else { return nil }
    func inner(_ value: SwiftExpression) -> SwiftType? { inferred(from: value, in: scope, depth: depth + 1) }
    switch value.form {
    case .string: return SwiftType("String")
    case .integer: return SwiftType("Int")
    case .floating: return SwiftType("Double")
    case .boolean: return SwiftType("Bool")
    // A literal takes the type of what it is joined with.
    case .sum(let parts), .mixed(let parts):
      return parts.sorted { $0.adaptability < $1.adaptability }.lazy.compactMap { inner($0)?.unwrapped }.first
    case .either(let parts):
      let types = parts.sorted { $0.adaptability < $1.adaptability }.compactMap(inner)
      let isOptional = parts.contains(where: \.isNil) || types.contains { $0 != $0.unwrapped }
      return (types.first?.unwrapped).map { isOptional ? .optional($0) : $0 }
    case .array(let elements):
      let first = elements.min { $0.adaptability < $1.adaptability }
      return first.flatMap { inner($0) }.map { .array($0) }
    case .dictionary(let key, let value):
      guard let key = inner(key), let value = inner(value) else { return nil }
      return .dictionary(key, value)
    case .unwrapped(let value): return inner(value)?.unwrapped
    case .typed(let type, _): return type
    case .name(let name):
      return variable(name, from: scope).flatMap { type(of: $0.variable, $0.scope, depth) }
    case .member(of: let base?, let name):
      if case .type(let type) = base.form { return type }
      if let names = base.names, let type = typeNamed(names, in: scope) {
        if let found = variable(named: value, from: scope) {
          return self.type(of: found.variable, found.scope, depth)
        }
        guard case .entry(let entry) = lookUp(type, from: scope) else {
          // `Date.now`, but `Date.timeIntervalSinceReferenceDate`
          return name.hasPrefix("timeInterval") ? SwiftType("Double") : type
        }
        if name == "allCases" { return .array(type) }
        return entry.members.cases.contains { $0.name == name } ? type : nil
      }
      // `Priority.normal.rawValue`
      if name == "rawValue", let type = inner(base), case .entry(let entry) = lookUp(type, from: scope) {
        return entry.inherited.first {
          if case .scalar = stored($0, from: entry.scope) { true } else { false }
        }
      }
      if optionalElements.contains(name), case .array(let item)? = inner(base) { return .optional(item) }
      return inner(base).flatMap { self.type(ofMember: name, of: $0, in: scope, depth) }
        ?? typesByMember[name].map { SwiftType($0) }
    case .call(let called, let arguments):
      guard let type = result(of: called, arguments, in: scope, depth: depth) else { return nil }
      return mayFail(called, arguments, giving: type, in: scope) ? .optional(type.unwrapped) : type
    default: return nil
    }
  }

  private func type(of variable: SwiftVariable, _ scope: Scope, _ depth: Int) -> SwiftType? {
    (variable.type ?? variable.value.flatMap { inferred(from: $0, in: scope, depth: depth + 1) })
      .map { absolute($0, from: scope) }
  }

  /// The same type for any scope.
  func absolute(_ type: SwiftType, from scope: Scope, _ met: Set<[String]> = []) -> SwiftType {
    type.mapNames { parts in
      var met = met
      let type = SwiftType.named(parts)
      switch lookUp(type, from: scope, &met) {
      case .entry(let entry):
        return .named(
          entry.path.dropLast().map { SwiftType.Part($0) }
            + entry.path.suffix(1).map { SwiftType.Part($0, arguments: entry.arguments) })
      case .foreign(let meant, let place) where meant != type: return absolute(meant, from: place, met)
      default:
        return .named(
          parts.map { part in
            SwiftType.Part(part.name, arguments: part.arguments.map { absolute($0, from: scope, met) })
          })
      }
    }
  }

  /// What a type, or an extension of another module's type, declares; and the path of what it is in.
  private func members(of type: SwiftType, from scope: Scope) -> (SwiftMembers, [String]) {
    if case .entry(let entry) = lookUp(type, from: scope) { return (entry.members, entry.path) }
    return (added(to: type), [])
  }

  /// Of a value.
  private func type(ofMember name: String, of type: SwiftType, in scope: Scope, _ depth: Int) -> SwiftType? {
    let (members, path) = members(of: type, from: scope)
    return members.variables.first { $0.name == name && !$0.isStatic }.flatMap {
      self.type(of: $0, Scope(path: path, file: $0.place.file), depth)
    }
  }

  private func result(
    of called: SwiftExpression, _ arguments: [SwiftArgument], in scope: Scope, depth: Int
  ) -> SwiftType? {
    switch called.form {
    // `[Trip]()`, `[String: [Int]]()`, `Set<String>()`
    case .array, .dictionary, .type: return called.writtenType
    // `Settings()`, or a function of that name
    case .name("Array") where arguments.first?.label == "repeating":
      return inferred(from: arguments[0].value, in: scope, depth: depth + 1).map { .array($0) }
    case .name(let name):
      if let type = typeNamed([name], in: scope) { return filled(type, arguments, in: scope, depth) }
      if let type = function(name, from: scope) { return type }
      // What these give is what they are given.
      let values = arguments.map(\.value).sorted { $0.adaptability < $1.adaptability }
      let type = values.first.flatMap { inferred(from: $0, in: scope, depth: depth + 1) }
      if ["max", "min", "abs", "NSLocalizedString"].contains(name) { return type }
      // `sqrt(2)`; of whole numbers alone `pow` is also one of Decimal's.
      guard mathFunctions.contains(name), type != SwiftType("Int") || name != "pow" else { return nil }
      return type == SwiftType("Int") ? SwiftType("Double") : type
    case .member(of: let base?, let name):
      if let names = called.names, let type = typeNamed(names, in: scope) { return type }
      if let names = base.names, let type = typeNamed(names, in: scope) {
        // `Status.make()`
        let (members, path) = self.members(of: type, from: scope)
        let isMade = path.isEmpty || name == "init" || members.cases.contains { $0.name == name }
        return result(of: members.functions.filter(\.isStatic), name, from: scope)?.naming(type)
          ?? (isMade ? type : nil)
      }
      let type = inferred(from: base, in: scope, depth: depth + 1)
      let own = type.map { members(of: $0, from: scope).0.functions.filter { !$0.isStatic } } ?? []
      if let type, let result = result(of: own, name, from: scope) { return result.naming(type) }
      if let known = typesByMember[name] {
        return ["date", "data"].contains(name) ? .optional(SwiftType(known)) : SwiftType(known)
      }
      // Any other function can give anything.
      if case .array(let element)? = type, optionalElements.contains(name) { return .optional(element) }
      return alikeFunctions.contains(name) ? type : nil
    default: return nil
    }
  }

  /// `Box(all: [1])`: the parameters of a generic struct follow from what its members are given.
  private func filled(
    _ type: SwiftType, _ arguments: [SwiftArgument], in scope: Scope, _ depth: Int
  ) -> SwiftType {
    guard case .named(var parts) = type, let last = parts.popLast(),
      case .entry(let entry) = lookUp(type, from: scope), !entry.declaration.generics.isEmpty
    else { return type }
    var values: [String: SwiftType] = [:]
    for argument in arguments {
      let member = entry.members.variables.first { $0.name == argument.label && !$0.isStatic }?.type
      guard let given = inferred(from: argument.value, in: scope, depth: depth + 1) else { continue }
      member?.match(given, &values)
    }
    let found = entry.declaration.generics.compactMap { values[$0] }
    guard found.count == entry.declaration.generics.count else { return type }
    return .named(parts + [SwiftType.Part(last.name, arguments: found)])
  }

  /// Whether an initialiser gives an optional: `URL(string:)`, `Mood(rawValue:)`, `Int("3")`.
  private func mayFail(
    _ called: SwiftExpression, _ arguments: [SwiftArgument], giving type: SwiftType, in scope: Scope
  ) -> Bool {
    guard let first = arguments.first, let name = called.names?.last(where: { $0 != "init" }) else {
      return false
    }
    switch (first.label, first.value.form) {
    case ("rawValue", _): return entry(type, from: scope)?.members.cases.isEmpty == false
    case (let label?, _): return failableInitializers.contains("\(name)(\(label):")
    case (nil, .string): return attributeTypesBySwiftName[name]?.isNumeric == true
    default: return false
    }
  }

  private func function(_ name: String, from scope: Scope) -> SwiftType? {
    for depth in stride(from: scope.path.count, to: 0, by: -1) {
      let own = self[Array(scope.path.prefix(depth))]?.members.functions.filter(\.isStatic) ?? []
      if let found = result(of: own, name, from: scope) { return found }
    }
    return result(of: top.functions, name, from: scope)
  }

  /// What functions of a name give; nil if that is several things.
  private func result(of functions: [SwiftVariable], _ name: String, from scope: Scope) -> SwiftType? {
    let results = Set(functions.named(name, seenFrom: scope.file).compactMap(\.type))
    return results.count == 1 ? results.first : nil
  }

  private func typeNamed(_ names: some Collection<String>, in scope: Scope) -> SwiftType? {
    guard !names.isEmpty else { return nil }
    let type = SwiftType.named(names.map { SwiftType.Part($0) })
    switch lookUp(type, from: scope) {
    case .entry: return type
    case .refused: return nil
    case .foreign:
      if case .unknown = stored(type, from: scope) { return nil }
      return type
    }
  }
}

extension SwiftExpression {
  /// The type that it writes: of a literal, with what stands in it.
  fileprivate var writtenType: SwiftType? {
    switch form {
    case .array(let elements): elements.count == 1 ? elements[0].writtenType.map { .array($0) } : nil
    case .dictionary(let key, let value):
      key.writtenType.flatMap { key in value.writtenType.map { .dictionary(key, $0) } }
    case .type(let type): type
    default: asType
    }
  }

  /// How readily it takes another type: a whole number any numeric one, a fraction fewer, all else none.
  fileprivate var adaptability: Int {
    switch form {
    case .integer: 2
    case .floating: 1
    default: 0
    }
  }
}

extension SwiftType {
  /// What a name in it stands for where it is another type.
  fileprivate func match(_ given: SwiftType, _ values: inout [String: SwiftType]) {
    switch (self, given) {
    case (.optional(let own), .optional(let other)), (.array(let own), .array(let other)):
      own.match(other, &values)
    case (.optional(let own), _): own.match(given, &values)
    case (.dictionary(let key, let value), .dictionary(let otherKey, let otherValue)):
      key.match(otherKey, &values)
      value.match(otherValue, &values)
    case (.named, _): values[description] = values[description] ?? given
    default: break
    }
  }

  var unwrapped: SwiftType { if case .optional(let inner) = self { inner.unwrapped } else { self } }
}

/// What gives an element of an array, or nothing if it is empty.
private let optionalElements: Set = ["randomElement", "first", "last", "min", "max"]

private let mathFunctions: Set = [
  "sqrt", "cbrt", "pow", "exp", "log", "log2", "log10", "sin", "cos", "tan", "floor", "ceil", "round",
  "trunc",
]

/// Functions of Apple's types that give another value of the same type.
private let alikeFunctions: Set = [
  "advanced", "appending", "padding", "replacing", "filter", "sorted", "shuffled", "union", "intersection",
  "subtracting", "symmetricDifference", "merging", "subdata", "appendingPathComponent",
  "appendingPathExtension", "deletingLastPathComponent", "deletingPathExtension", "truncatingRemainder",
]

private let failableInitializers: Set<String> = [
  "URL(string:", "UUID(uuidString:", "Decimal(string:", "Data(base64Encoded:", "TimeZone(identifier:",
  "TimeZone(abbreviation:", "TimeZone(secondsFromGMT:", "String(data:", "String(bytes:",
]

/// What members of Apple's types are that defaults use, by their names.
private let typesByMember: [String: String] = {
  let names: [String: [String]] = [
    "String": [
      "uuidString", "lowercased", "uppercased", "capitalized", "trimmingCharacters", "replacingOccurrences",
      "formatted", "description", "identifier", "absoluteString", "path", "lastPathComponent", "joined",
      "hexString", "ISO8601Format", "base64EncodedString",
    ],
    "Int": ["count", "hashValue", "component", "secondsFromGMT", "processorCount"],
    "Bool": ["isEmpty", "contains", "bool", "hasPrefix", "hasSuffix", "isMultiple"],
    "Double": [
      "rounded", "timeIntervalSince1970", "timeIntervalSinceReferenceDate", "timeIntervalSinceNow",
      "timeIntervalSince", "squareRoot",
    ],
    "Data": ["encode", "data", "base64EncodedData"],
    "Date": ["startOfDay", "addingTimeInterval", "date"],
    "UUID": ["uuid"],
  ]
  return Dictionary(firstOf: names.flatMap { type, members in members.map { ($0, type) } })
}()

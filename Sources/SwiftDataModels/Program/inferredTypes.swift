import ManagedModel
import SwiftDeclarations

extension TypeTable {
  /// The type of what a property begins with, where its own is left to inference.
  func inferred(from value: SwiftExpression, in scope: [String], depth: Int = 0) -> SwiftType? {
    guard depth < 16 else { return nil }
    func inner(_ value: SwiftExpression) -> SwiftType? { inferred(from: value, in: scope, depth: depth + 1) }
    switch value.form {
    case .string: return SwiftType("String")
    case .integer: return SwiftType("Int")
    case .floating: return SwiftType("Double")
    case .boolean: return SwiftType("Bool")
    case .sum(let parts): return parts.lazy.compactMap { inner($0) }.first
    case .array(let elements):
      guard let first = elements.first, let element = inner(first) else { return nil }
      return .array(element)
    case .name(let name):
      return variable(name, from: scope).flatMap { type(of: $0.variable, $0.scope, depth) }
    case .member(of: let base?, let name):
      if let names = base.names, let type = typeNamed(names, in: scope) {
        guard case .entry(let entry) = lookUp(type, from: scope) else { return type }
        return entry.staticVariable(name).map { self.type(of: $0, entry.path, depth) } ?? type
      }
      return inner(base).flatMap { self.type(ofMember: name, of: $0, in: scope, depth) }
        ?? typesByMember[name].map { SwiftType($0) }
    case .call(let called, _): return result(of: called, in: scope, depth: depth)
    default: return nil
    }
  }

  private func type(of variable: SwiftVariable, _ scope: [String], _ depth: Int) -> SwiftType? {
    variable.type ?? variable.value.flatMap { inferred(from: $0, in: scope, depth: depth + 1) }
  }

  /// Of a value of one of the program's types.
  private func type(ofMember name: String, of type: SwiftType, in scope: [String], _ depth: Int) -> SwiftType?
  {
    guard case .entry(let entry) = lookUp(type, from: scope) else { return nil }
    return entry.members.variables.first { $0.name == name && !$0.isStatic }.flatMap {
      self.type(of: $0, entry.path, depth)
    }
  }

  private func result(of called: SwiftExpression, in scope: [String], depth: Int) -> SwiftType? {
    switch called.form {
    // `[Trip]()`
    case .array(let elements):
      guard elements.count == 1, let names = elements[0].names else { return nil }
      return .array(.named(names.map { SwiftType.Part($0) }))
    // `Settings()`, or a function of that name
    case .name(let name): return typeNamed([name], in: scope) ?? function(name, from: scope)
    case .member(of: let base?, let name):
      if let names = called.names, let type = typeNamed(names, in: scope) { return type }
      if let names = base.names, let type = typeNamed(names, in: scope) {
        guard case .entry(let entry) = lookUp(type, from: scope) else { return type }
        // `Status.make()`
        return entry.members.functions.first { $0.name == name && $0.isStatic }?.result ?? type
      }
      return typesByMember[name].map { SwiftType($0) }
        ?? inferred(from: base, in: scope, depth: depth + 1)
    default: return nil
    }
  }

  private func function(_ name: String, from scope: [String]) -> SwiftType? {
    for depth in stride(from: scope.count, to: 0, by: -1) {
      let own = self[Array(scope.prefix(depth))]?.members.functions
      if let found = own?.first(where: { $0.name == name && $0.isStatic }) { return found.result }
    }
    return top.functions.first { $0.name == name }?.result
  }

  private func typeNamed(_ names: some Collection<String>, in scope: [String]) -> SwiftType? {
    guard !names.isEmpty else { return nil }
    let type = SwiftType.named(names.map { SwiftType.Part($0) })
    switch lookUp(type, from: scope) {
    case .entry: return type
    case .circle: return nil
    case .foreign:
      if case .unknown = stored(type, from: scope) { return nil }
      return type
    }
  }
}

/// What members of Apple's types are that defaults use, by their names.
private let typesByMember: [String: String] = {
  let names: [String: [String]] = [
    "String": [
      "uuidString", "lowercased", "uppercased", "capitalized", "trimmingCharacters", "replacingOccurrences",
      "formatted", "description", "identifier", "absoluteString", "path", "lastPathComponent", "joined",
      "localizedString", "string", "hexString", "rawValue",
    ],
    "Int": ["count", "hashValue", "component", "rounded"],
    "Bool": ["isEmpty", "contains", "bool", "hasPrefix", "hasSuffix"],
    "Double": ["timeIntervalSince1970", "timeIntervalSinceReferenceDate", "timeIntervalSinceNow"],
    "Date": ["startOfDay", "addingTimeInterval", "date"],
    "UUID": ["uuid"],
  ]
  return Dictionary(firstOf: names.flatMap { type, members in members.map { ($0, type) } })
}()

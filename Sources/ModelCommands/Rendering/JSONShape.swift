package import ManagedModel

/// What a value in a command's JSON may be. JSON Schemas are written from it, and tests hold results against those.
///
/// An object has every member of its shape and no other; only one that is `optional` may be absent.
package struct JSONShape: Sendable {
  package indirect enum Kind: Sendable {
    case anything, text, integer, number, flag
    case pattern(String)
    case words([String])
    case list(JSONShape)
    /// An object whose keys are names of the user's.
    case named(JSONShape)
    /// One of fixed members, by a name that no other shape has.
    case object(String, [Member])
    case either([JSONShape])
  }

  package struct Member: Sendable {
    package var key: String
    package var shape: JSONShape
  }

  package var kind: Kind
  package var summary: String
  package private(set) var mayBeNull = false
  package private(set) var mayBeAbsent = false

  /// A value or null.
  var orNull: Self { with { $0.mayBeNull = true } }
  /// A member that only some objects have.
  var optional: Self { with { $0.mayBeAbsent = true } }

  /// With a summary of this place; none where an object's own serves.
  func said(_ summary: String) -> Self { summary.isEmpty ? self : with { $0.summary = summary } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var shape = self
    change(&shape)
    return shape
  }

  static let anything = Self(kind: .anything, summary: "")

  static func text(_ summary: String) -> Self { Self(kind: .text, summary: summary) }

  static func words(_ words: [String], _ summary: String) -> Self {
    Self(kind: .words(words), summary: summary)
  }

  static func words<Words: CaseIterable & RawRepresentable>(of type: Words.Type, _ summary: String) -> Self
  where Words.RawValue == String { words(type.allCases.map(\.rawValue), summary) }

  static func list(of element: JSONShape, _ summary: String) -> Self {
    Self(kind: .list(element), summary: summary)
  }

  static func named(_ element: JSONShape, _ summary: String) -> Self {
    Self(kind: .named(element), summary: summary)
  }

  static func either(_ shapes: [JSONShape]) -> Self {
    let flat = shapes.flatMap { if case .either(let own) = $0.kind { own } else { [$0] } }
    return Self(kind: .either(flat), summary: "")
  }

  /// One result, or a list of them where several things were named.
  static func oneOrSeveral(_ shapes: [JSONShape]) -> Self {
    let one = shapes.count == 1 ? shapes[0] : .either(shapes)
    return .either(shapes + [.list(of: one, "One for each thing that was named.")])
  }

  /// The object with further members, under another name.
  func adding(_ name: String, _ summary: String, _ members: KeyValuePairs<String, JSONShape>) -> Self {
    guard case .object(_, let own) = kind else { return self }
    let all = own + members.map { Member(key: $0.key, shape: $0.value) }
    return Self(kind: .object(name, all), summary: summary)
  }

  static let diagnostics = list(of: Diagnostic.shape, "What was found; errors say why something was refused.")

  /// What is printed where a command refuses before it has a result.
  static let refusal = Self(
    kind: .object("refusal", [Member(key: "diagnostics", shape: .diagnostics)]),
    summary: "A refusal: there is no result.")
  static let storeRefusal = refusal.adding(
    "storeRefusal", "A refusal that is about one store: there is no result.", ["store": .storeName])

  static let storeName = text("The store, as it was named.")
  static let seconds = Double.shape.said("How long it took.")

  /// A JSON Schema of draft 7: objects are definitions, each once, by name.
  package func schema(id: String, title: String) -> JSONValue {
    var definitions: [String: JSONValue] = [:]
    visit { shape in
      if case .object(let name, let members) = shape.kind { definitions[name] = shape.definition(members) }
    }
    let head: JSONValue = [
      "$schema": "http://json-schema.org/draft-07/schema#", "$id": .string(id), "title": .string(title),
    ]
    var root = reference
    if case .object(let name, _) = kind, !mayBeNull, let own = definitions.removeValue(forKey: name) {
      root = own
    }
    let others = definitions.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
    return head + root + (others.isEmpty ? [:] : ["definitions": .object(others)])
  }

  /// The names of the objects that it may be, apart from those within them.
  package var alternatives: [String] {
    switch kind {
    case .object(let name, _): [name]
    case .either(let shapes): shapes.flatMap(\.alternatives)
    default: []
    }
  }

  /// Every object that it may hold, itself included; some are met more than once.
  package func forEachObject(_ body: (_ name: String, _ members: [Member]) -> Void) {
    visit { shape in if case .object(let name, let members) = shape.kind { body(name, members) } }
  }

  private func visit(_ body: (JSONShape) -> Void) {
    body(self)
    switch kind {
    case .anything, .text, .integer, .number, .flag, .pattern, .words: break
    case .list(let element), .named(let element): element.visit(body)
    case .either(let shapes): for shape in shapes { shape.visit(body) }
    case .object(_, let members): for member in members { member.shape.visit(body) }
    }
  }

  private func definition(_ members: [Member]) -> JSONValue {
    let required = members.filter { !$0.shape.mayBeAbsent }.map(\.key)
    let properties = members.map { JSONValue.Member($0.key, $0.shape.reference) }
    let head: JSONValue = summary.isEmpty ? [:] : ["description": .string(summary)]
    return head + ["type": "object", "properties": .object(properties)]
      + (required.isEmpty ? [:] : ["required": JSONValue(required)]) + ["additionalProperties": false]
  }

  /// The schema of a value, which refers to an object's definition.
  private var reference: JSONValue {
    // Beside a reference draft 7 reads nothing else.
    if case .object(let name, _) = kind {
      let own: JSONValue = ["$ref": .string("#/definitions/\(name)")]
      return mayBeNull ? ["anyOf": [own, ["type": "null"]]] : own
    }
    return (summary.isEmpty ? [:] : ["description": .string(summary)]) + form
  }

  private var form: JSONValue {
    switch kind {
    case .anything, .object: [:]
    case .text: type("string")
    case .integer: type("integer")
    case .number: type("number")
    case .flag: type("boolean")
    case .pattern(let pattern): type("string") + ["pattern": .string(pattern)]
    case .words(let words):
      type("string") + ["enum": .array(words.map(JSONValue.string) + (mayBeNull ? [.null] : []))]
    case .list(let element): type("array") + ["items": element.reference]
    case .named(let element): type("object") + ["additionalProperties": element.reference]
    case .either(let shapes):
      ["anyOf": .array(shapes.map(\.reference) + (mayBeNull ? [["type": "null"]] : []))]
    }
  }

  private func type(_ name: String) -> JSONValue {
    ["type": mayBeNull ? [.string(name), "null"] : .string(name)]
  }
}

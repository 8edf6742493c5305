extension JSONShape {
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

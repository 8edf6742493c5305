import ManagedModel

/// The schemas of version files, of `versions.yaml`, of mapping models and of `modelc.yaml`, by which editors complete and check.
///
/// Each is a JSON Schema (draft 7, which the editors' YAML servers know best), called `model.schema.json`, for one kind of file.
/// They are made from the reader's own tables; the same modelc gives the same bytes.
///
/// - Parameter identifier: gives the `$id` of a schema by its name; it has none without.
package func jsonSchemas(
  identifier: (String) -> String? = { _ in nil }
) -> [(name: String, title: String, text: String)] {
  documents.map { name, title, shape in
    var writer = JSONSchemaWriter()
    writer.identifier = identifier(name)
    let document =
      name == LanguageFileKind.version.rawValue
      ? writer.documentWithChanges(title: title, shape) : writer.document(title: title, shape)
    return (name, title, document.schemaText + "\n")
  }
}

var documents: [(name: String, title: String, shape: ValueShape)] {
  let titles = [
    "A version of a model", "The versions of a model", "A mapping model, or several for one step",
    "What Xcode's files cannot express of a package",
  ]
  return zip(LanguageFileKind.allCases, titles).map { ($0.rawValue, $1, $0.shape) }
}

/// Turns shapes into a schema; keyed mappings become `definitions`, each once.
private struct JSONSchemaWriter {
  var identifier: String?

  private func head(_ title: String) -> JSONValue {
    .members([
      "$schema": "http://json-schema.org/draft-07/schema#", "$id": identifier.map { .string($0) },
      "title": .string(title),
    ])
  }

  func document(title: String, _ shape: ValueShape) -> JSONValue {
    var others = shape.keyedShapes.sorted { $0.slug < $1.slug }
    var own = schema(shape)
    if case .keys(let root) = shape {
      own = definition(root)
      others.removeAll { $0.name == root.name }
    }
    let definitions = others.map { JSONValue.Member($0.slug, definition($0)) }
    return head(title) + own + JSONValue.members(["definitions": .object(definitions)])
  }

  /// The same, where a file with `extends` states only some of a mapping's keys.
  func documentWithChanges(title: String, _ shape: ValueShape) -> JSONValue {
    guard case .keys(let root) = shape else { return [:] }
    let all = shape.keyedShapes.sorted { $0.slug < $1.slug }
    let definitions =
      all.map { JSONValue.Member($0.slug, definition($0)) }
      + all.filter(\.isChangeable).map { JSONValue.Member($0.slug + "Change", change($0)) }
    func reference(_ slug: String) -> JSONValue { ["$ref": .string("#/definitions/\(slug)")] }
    let object: JSONValue = ["type": "object"]
    return head(title) + [
      "if": object + requiring("extends"), "then": reference(root.slug + "Change"),
      "else": reference(root.slug), "definitions": .object(definitions),
    ]
  }

  /// Any of the keys, and what is to go.
  private func change(_ keyed: KeyedShape) -> JSONValue {
    var writer = self
    writer.isChange = true
    let partial = KeyedShape(
      name: keyed.name,
      keys: keyed.keys.map { .init(name: $0.name, isRequired: false, shape: $0.shape) } + [
        .init(name: "remove", isRequired: false, shape: .list(of: .text))
      ], choices: [])
    return writer.definition(partial)
  }

  /// Whether keys refer to mappings that state only what changes.
  private var isChange = false

  private func definition(_ keyed: KeyedShape) -> JSONValue {
    let description = describedKeys[keyed.name]
    let type: JSONValue = keyed.mayBeEmpty ? ["object", "null"] : "object"
    let properties = keyed.keys.map { key -> JSONValue.Member in
      let words = description?.keys[key.name] ?? (key.name == "remove" ? describedRemoval : nil)
      let text = JSONValue.members(["description": words.map { .string($0) }])
      return JSONValue.Member(key.name, text + schema(key.shape))
    }
    let required =
      keyed.keys.filter(\.isRequired).map(\.name) + keyed.choices.filter { $0.count == 1 }.joined()
    let choice = keyed.choices.first { $0.count > 1 }
    let whole = JSONValue.members([
      "description": description.map { .string($0.summary) }, "type": type,
      "properties": .object(properties), "required": JSONValue(required),
      "oneOf": choice.map { .array($0.map(requiring)) }, "additionalProperties": false,
    ])
    return keyed.name == attributeSchema.name ? whole + attributeRefinements : whole
  }

  private func schema(_ shape: ValueShape) -> JSONValue {
    switch shape {
    case .unstated: [:]
    case .text: ["type": "string"]
    case .pattern(let expression): ["type": "string", "pattern": .string(expression)]
    case .literal: anyType(["string", "number", "boolean"])
    case .optionalLiteral: anyType(["string", "number", "boolean", "null"])
    case .flag: ["type": "boolean"]
    case .integer(let range) where range.count == 1: ["const": JSONValue(range.lowerBound)]
    case .integer(let range):
      ["type": "integer", "minimum": JSONValue(range.lowerBound), "maximum": JSONValue(range.upperBound)]
    case .words(let words): ["enum": JSONValue(words)]
    case .list(let element): ["type": ["array", "null"], "items": schema(element)]
    case .named(let element, let names):
      JSONValue.members([
        "type": ["object", "null"],
        "propertyNames": names.map { name -> JSONValue in ["pattern": .string(name)] },
      ]) + ["additionalProperties": schema(element)]
    case .keys(let keyed):
      ["$ref": .string("#/definitions/\(keyed.slug)\(isChange && keyed.isChangeable ? "Change" : "")")]
    case .either(let shapes): either(shapes)
    }
  }

  private func either(_ shapes: [ValueShape]) -> JSONValue {
    let alternatives = shapes.map { shape -> JSONValue in
      // Where a text may stand, nothing at all is not an empty mapping.
      guard shapes.contains(.text), case .keys = shape else { return schema(shape) }
      return ["type": "object", "allOf": [schema(shape)]]
    }
    return ["anyOf": .array(alternatives)]
  }

  /// Judges of schemas that are strict (ajv) take no list of types.
  private func anyType(_ types: [String]) -> JSONValue {
    ["anyOf": .array(types.map { ["type": .string($0)] })]
  }

  /// A key has to be there; a judge that is strict wants it among the properties of the same schema.
  private func requiring(_ key: String) -> JSONValue {
    ["properties": [key: [:]], "required": [.string(key)]]
  }
}

extension KeyedShape {
  /// Whether a version that extends another one states some of its keys only.
  fileprivate var isChangeable: Bool {
    [
      "a model", "an entity", "an attribute", "a relationship", "a fetch request", "a fetched property",
      "a fetch index", "a class", "the editor's settings",
    ].contains(name)
  }

  /// Nothing at all is read as an empty mapping.
  fileprivate var mayBeEmpty: Bool { choices.isEmpty && !keys.contains(where: \.isRequired) }

  /// `a fetch index` → `fetchIndex`.
  fileprivate var slug: String {
    let words = name.split(separator: " ").filter { !["a", "an", "the"].contains($0) }
    let parts = words.enumerated().map { index, word in
      index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }
    return parts.joined().filter { $0.isLetter || $0.isNumber }
  }
}

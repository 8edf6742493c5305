/// A JSON Schema (draft 7, which the editors' YAML servers know best) for one kind of file.
package struct JSONSchemaFile: Hashable, Sendable {
  /// `model.schema.json`.
  package let name: String
  package let title: String
  package let text: String
}

/// The schemas of version files, of `versions.yaml`, of mapping models and of `modelc.yaml`, by which editors complete and check.
///
/// They are made from the reader's own tables; the same modelc gives the same bytes.
///
/// - Parameter identifier: gives the `$id` of a schema by its name; it has none without.
package func jsonSchemas(identifier: (String) -> String? = { _ in nil }) -> [JSONSchemaFile] {
  documents.map { name, title, shape in
    var writer = JSONSchemaWriter()
    writer.identifier = identifier(name)
    let document =
      name == JSONSchemaName.model
      ? writer.documentWithChanges(title: title, shape) : writer.document(title: title, shape)
    return JSONSchemaFile(name: name, title: title, text: document.json() + "\n")
  }
}

/// The name of the schema that a file of the project is checked by.
package enum JSONSchemaName {
  package static let model = LanguageFileKind.version.rawValue
  package static let versions = LanguageFileKind.versionList.rawValue
  package static let mapping = LanguageFileKind.mapping.rawValue
  package static let settings = LanguageFileKind.settings.rawValue
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

  private func head(_ title: String) -> [YAMLPair] {
    [YAMLPair("$schema", .text("http://json-schema.org/draft-07/schema#"))]
      + (identifier.map { [YAMLPair("$id", .text($0))] } ?? []) + [YAMLPair("title", .text(title))]
  }

  func document(title: String, _ shape: ValueShape) -> YAMLValue {
    var pairs = head(title)
    var others = shape.keyedShapes
    if case .keys(let root) = shape {
      pairs += definition(root)
      others.removeAll { $0.name == root.name }
    } else {
      pairs += schema(shape)
    }
    others.sort { $0.slug < $1.slug }
    if !others.isEmpty {
      pairs.append(
        YAMLPair("definitions", .mapping(others.map { YAMLPair($0.slug, .mapping(definition($0))) })))
    }
    return .mapping(pairs)
  }

  /// The same, where a file with `extends` states only some of a mapping's keys.
  func documentWithChanges(title: String, _ shape: ValueShape) -> YAMLValue {
    guard case .keys(let root) = shape else { return .mapping([]) }
    let all = shape.keyedShapes.sorted { $0.slug < $1.slug }
    let definitions =
      all.map { YAMLPair($0.slug, .mapping(definition($0))) }
      + all.filter(\.isChangeable).map { YAMLPair($0.slug + "Change", .mapping(change($0))) }
    func reference(_ slug: String) -> YAMLValue {
      .mapping([YAMLPair("$ref", .text("#/definitions/\(slug)"))])
    }
    return .mapping(
      head(title) + [
        YAMLPair("if", .mapping([type(["object"])] + requiring("extends"))),
        YAMLPair("then", reference(root.slug + "Change")), YAMLPair("else", reference(root.slug)),
        YAMLPair("definitions", .mapping(definitions)),
      ])
  }

  /// Any of the keys, and what is to go.
  private func change(_ keyed: KeyedShape) -> [YAMLPair] {
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

  private func definition(_ keyed: KeyedShape) -> [YAMLPair] {
    let description = describedKeys[keyed.name]
    var pairs: [YAMLPair] = []
    if let summary = description?.summary { pairs.append(YAMLPair("description", .text(summary))) }
    pairs.append(type(keyed.mayBeEmpty ? ["object", "null"] : ["object"]))
    let properties = keyed.keys.map { key in
      let words = description?.keys[key.name] ?? (key.name == "remove" ? describedRemoval : nil)
      let text = words.map { [YAMLPair("description", .text($0))] } ?? []
      return YAMLPair(key.name, .mapping(text + schema(key.shape)))
    }
    pairs.append(YAMLPair("properties", .mapping(properties)))
    let required =
      keyed.keys.filter(\.isRequired).map(\.name) + keyed.choices.filter { $0.count == 1 }.joined()
    if !required.isEmpty { pairs.append(YAMLPair("required", .sequence(required.map(YAMLValue.text)))) }
    for choice in keyed.choices where choice.count > 1 {
      let alternatives = choice.map { YAMLValue.mapping(requiring($0)) }
      pairs.append(YAMLPair("oneOf", .sequence(alternatives)))
    }
    pairs.append(YAMLPair("additionalProperties", .typed("false")))
    return pairs + (keyed.name == attributeSchema.name ? attributeRefinements : [])
  }

  private func schema(_ shape: ValueShape) -> [YAMLPair] {
    switch shape {
    case .unstated: []
    case .text: [type(["string"])]
    case .pattern(let expression): [type(["string"]), YAMLPair("pattern", .text(expression))]
    case .literal: anyType(["string", "number", "boolean"])
    case .optionalLiteral: anyType(["string", "number", "boolean", "null"])
    case .flag: [type(["boolean"])]
    case .integer(let range) where range.count == 1: [YAMLPair("const", .typed("\(range.lowerBound)"))]
    case .integer(let range):
      [
        type(["integer"]), YAMLPair("minimum", .typed("\(range.lowerBound)")),
        YAMLPair("maximum", .typed("\(range.upperBound)")),
      ]
    case .words(let words): [YAMLPair("enum", .sequence(words.map(YAMLValue.text)))]
    case .list(let element): [type(["array", "null"]), YAMLPair("items", .mapping(schema(element)))]
    case .named(let element, let names):
      [type(["object", "null"])]
        + (names.map { [YAMLPair("propertyNames", .mapping([YAMLPair("pattern", .text($0))]))] } ?? [])
        + [YAMLPair("additionalProperties", .mapping(schema(element)))]
    case .keys(let keyed):
      [
        YAMLPair(
          "$ref", .text("#/definitions/\(keyed.slug)\(isChange && keyed.isChangeable ? "Change" : "")"))
      ]
    case .either(let shapes): either(shapes)
    }
  }

  private func either(_ shapes: [ValueShape]) -> [YAMLPair] {
    let alternatives = shapes.map { shape -> YAMLValue in
      // Where a text may stand, nothing at all is not an empty mapping.
      guard shapes.contains(.text), case .keys = shape else { return .mapping(schema(shape)) }
      return .mapping([type(["object"]), YAMLPair("allOf", .sequence([.mapping(schema(shape))]))])
    }
    return [YAMLPair("anyOf", .sequence(alternatives))]
  }

  /// Judges of schemas that are strict (ajv) take no list of types.
  private func anyType(_ types: [String]) -> [YAMLPair] {
    [YAMLPair("anyOf", .sequence(types.map { .mapping([type([$0])]) }))]
  }

  /// A key has to be there; a judge that is strict wants it among the properties of the same schema.
  private func requiring(_ key: String) -> [YAMLPair] {
    [
      YAMLPair("properties", .mapping([YAMLPair(key, .mapping([]))])),
      YAMLPair("required", .sequence([.text(key)])),
    ]
  }

  private func type(_ types: [String]) -> YAMLPair {
    YAMLPair("type", types.count == 1 ? .text(types[0]) : .sequence(types.map(YAMLValue.text)))
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

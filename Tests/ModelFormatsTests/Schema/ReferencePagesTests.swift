import Foundation
import ManagedModel
import Testing

@testable import ModelFormats

/// The pages of keys say what the reader's own tables say. `MODELC_RECORD=1` writes them.
@Suite struct ReferencePages {
  @Test(arguments: [
    ("ModelKeys", "The model language, key by key", "Every key of a version file.", modelSchema.shape),
    (
      "MappingKeys", "The mapping language, key by key", "Every key of a mapping file.",
      mappingModelSchema.shape
    ),
    ("VersionsKeys", "versions.yaml, key by key", "Every key of `versions.yaml`.", versionListSchema.shape),
    ("SettingsKeys", "modelc.yaml, key by key", "Every key of `modelc.yaml`.", packageSettingsSchema.shape),
  ])
  func `a page lists every key`(_ name: String, _ title: String, _ summary: String, _ shape: ValueShape)
    throws
  {
    let page = JSONSchemaTests.models.deletingLastPathComponent()
      .appending(path: "Sources/ModelCommands/ModelCommands.docc/\(name).md")
    var text = try referencePage(title, summary, shape)
    if name == "ModelKeys" { text += "\n" + typesOfAttributes }
    if ProcessInfo.processInfo.environment["MODELC_RECORD"] == "1" {
      try Data(text.utf8).write(to: page)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == text, "MODELC_RECORD=1 writes the page")
  }

  @Test func `what a key's description says of version hashes is so`() throws {
    for kind in HashProbe.kinds {
      for (key, words) in try #require(describedKeys[kind]).keys where !HashProbe.unread.contains(key) {
        guard
          let remark = words.firstMatch(of: #/(not |never )?counts? in (the|a) version hash/#.ignoresCase())
        else { continue }
        #expect(try HashProbe.counts(key, of: kind) == (remark.output.1 == nil), "\(key) of \(kind)")
      }
    }
  }
}

private func referencePage(_ title: String, _ summary: String, _ shape: ValueShape) throws -> String {
  let sections = try shape.keyedShapes.map { try section($0) }
  return """
    # \(title)

    \(summary) A test writes this page from the tables of the reader.

    ## Overview

    `modelc export --as json-schema` writes the same as JSON Schemas, by which editors complete and check a file.
    *Without it* is what holds where the key is absent; a key that says *required* must be there.

    \(sections.joined(separator: "\n"))
    """
}

/// Undefined attributes and those of composites have a type without values of its own.
private var typesOfAttributes: String {
  let rows = AttributeType.allCases.map(\.traits).map { traits in
    let cells = [
      "`\(traits.name)`", traits.xcodeName ?? "", traits.swiftType.map { "`\($0)`" } ?? "",
      "`\(traits.columnType)`", traits.valuesInWords ?? "none",
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }
  return """
    ## Types of attributes

    | type | in Xcode | in Swift | column | a default |
    |---|---|---|---|---|
    \(rows.joined())
    """
}

private func section(_ keyed: KeyedShape) throws -> String {
  let described = try #require(describedKeys[keyed.name])
  let showsHash = HashProbe.kinds.contains(keyed.name)
  let isFile = keyed.name.contains(".")
  let title = isFile ? keyed.name : keyed.name.prefix(1).uppercased() + keyed.name.dropFirst()
  var lines = ["## \(title)", "", described.summary]
  for choice in keyed.choices where choice.count > 1 {
    lines += ["", "It has exactly one of \(choice.map { "`\($0)`" }.joined(separator: ", "))."]
  }
  lines += [
    "", "| key | value | without it |\(showsHash ? " in the version hash |" : "") what it says |",
    "|---|---|---|\(showsHash ? "---|" : "")---|",
  ]
  for key in keyed.keys {
    // The columns say of these what the words of the schemas say.
    let words = (described.keys[key.name] ?? "")
      .replacing(
        #/; (?:true|false|nothing) without the key|( Do not| Counts?)+ (?:count )?in the version hash\./#,
        with: "")
    var cells = ["`\(key.name)`", key.shape.inWords, key.absenceInWords(in: keyed)]
    if showsHash {
      let isUnread = HashProbe.unread.contains(key.name)
      cells.append(try isUnread ? "" : HashProbe.counts(key.name, of: keyed.name) ? "yes" : "no")
    }
    cells.append(words)
    lines.append("| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |")
  }
  return lines.joined(separator: "\n") + "\n"
}

extension KeyedShape.Key {
  fileprivate func absenceInWords(in keyed: KeyedShape) -> String {
    if isRequired || keyed.choices.contains([name]) { return "required" }
    switch absent {
    case nil, .sequence([], _), .mapping([], _): return ""
    case .scalar("", _): return ""
    case .scalar(let text, _): return "`\(text)`"
    case .sequence, .mapping: return ""
    }
  }
}

extension ValueShape {
  /// The value as a reader of the page wants it: `a list of texts`.
  fileprivate var inWords: String {
    switch self {
    case .unstated: "anything"
    case .text: "text"
    case .pattern(let expression) where expression.count < 40: "text of the form `\(expression)`"
    case .pattern: "text"
    case .literal: "number, Boolean, date or text"
    case .optionalLiteral: "number, Boolean, text or nothing"
    case .flag: "`true` or `false`"
    case .integer(let range) where range.count == 1: "`\(range.lowerBound)`"
    case .integer: "whole number"
    case .words(let words) where words == AttributeShortForm.typesInWords:
      words.filter { !$0.hasSuffix("?") }.map { "`\($0)`" }.joined(separator: ", ") + "; each also with `?`"
    case .words(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .either(let shapes) where shapes.contains(.words(AttributeShortForm.typesInWords)):
      "`TYPE[?] [= DEFAULT]`; or " + (shapes.last?.inWords ?? "")
    case .list(let element): "list of: \(element.inWords)"
    case .named(let element, _): "by name: \(element.inWords)"
    case .keys(let keyed): "*\(keyed.name)*"
    case .either(let shapes): shapes.map(\.inWords).joined(separator: "; or ")
    }
  }
}

/// Whether a key counts in a version hash: two models that differ in it alone are hashed.
private enum HashProbe {
  static let kinds = ["a model", "an entity", "an attribute", "a relationship"]
  /// What is not a fact of the version itself.
  static let unread: Set = ["format", "extends"]

  static func counts(_ key: String, of kind: String) throws -> Bool {
    let (before, after) = try #require(pairs[kind]?[key], "no two models differ in '\(key)' of \(kind)")
    return try hashes(before, kind) != hashes(after, kind)
  }

  private static func hashes(_ text: String, _ kind: String) throws -> [String: VersionHash] {
    let yaml =
      switch kind {
      case "an entity": "entities: {P: {attributes: {x: string?}}, E: {\(text)}}"
      case "an attribute": "entities: {E: {attributes: {a: {\(text)}}}}\n\(composites)"
      case "a relationship": "entities: {E: {relationships: {r: {\(text)}}}, F: {}}"
      default: text
      }
    let reading = readModel(yaml: Data(yaml.utf8), file: "V1.yaml")
    #expect(reading.diagnostics == [], "\(yaml)")
    return try #require(reading.model).entityVersionHashesByName
  }

  private static let composites = "composites: {C: {x: double}, D: {y: double}}"
  private static let plain = "entities: {E: {attributes: {a: string?}}}"

  /// Two texts for each key, of the mapping that has it.
  private static let pairs: [String: [String: (String, String)]] = [
    "a model": [
      "identifiers": (plain, "identifiers: [x]\n\(plain)"), "profile": (plain, "profile: cloudkit\n\(plain)"),
      "entities": (plain, "entities: {E: {attributes: {b: string?}}}"),
      "composites": (
        "entities: {E: {attributes: {a: {type: composite?, composite: C}}}}\ncomposites: {C: {x: double}}",
        "entities: {E: {attributes: {a: {type: composite?, composite: C}}}}\ncomposites: {C: {x: float}}"
      ),
      "configurations": (plain, "configurations: {L: [E]}\n\(plain)"),
      "retired": (plain, "retired: [F]\n\(plain)"),
      "fetchRequests": (plain, "fetchRequests: {All: {entity: E}}\n\(plain)"),
      "localization": (plain, "localization: {Entity/E: x}\n\(plain)"),
      "editor": (plain, "editor: {sourceLanguage: Swift}\n\(plain)"),
    ],
    "an entity": [
      "abstract": ("", "abstract: true"), "parent": ("", "parent: P"), "class": ("", "class: X"),
      "renamingIdentifier": ("", "renamingIdentifier: X"),
      "versionHashModifier": ("", "versionHashModifier: X"),
      "attributes": ("", "attributes: {a: string?}"), "relationships": ("", "relationships: {r: {to: P}}"),
      "fetchedProperties": ("", "fetchedProperties: {f: {entity: P}}"),
      "uniquenessConstraints": (
        "attributes: {a: string?}", "attributes: {a: string?}, uniquenessConstraints: [[a]]"
      ),
      "fetchIndexes": ("attributes: {a: string?}", "attributes: {a: string?}, fetchIndexes: {i: [a]}"),
      "compoundIndexes": ("attributes: {a: string?}", "attributes: {a: string?}, compoundIndexes: [[a]]"),
      "spotlightDisplayName": ("", "spotlightDisplayName: a"), "userInfo": ("", "userInfo: {a: b}"),
    ],
    "an attribute": [
      "type": ("type: string?", "type: double?"),
      "optional": ("type: string", "type: string, optional: true"),
      "default": ("type: string?", "type: string?, default: x"),
      "min": ("type: integer16?", "type: integer16?, min: 1"),
      "max": ("type: integer16?", "type: integer16?, max: 1"),
      "minLength": ("type: string?", "type: string?, minLength: 1"),
      "maxLength": ("type: string?", "type: string?, maxLength: 1"),
      "matching": ("type: string?", "type: string?, matching: x"),
      "rules": ("type: string?", "type: string?, rules: [{predicate: \"length > 1\"}]"),
      "transient": ("type: string?", "type: string?, transient: true"),
      "scalar": ("type: integer16?", "type: integer16?, scalar: true"),
      "transformer": ("type: transformable?", "type: transformable?, transformer: X"),
      "valueClass": ("type: transformable?", "type: transformable?, valueClass: X"),
      "enum": ("type: string", "type: string, enum: K"),
      "composite": ("type: composite?, composite: C", "type: composite?, composite: D"),
      "derivation": ("type: string?", "type: string?, derivation: \"now()\""),
      "externalStorage": ("type: binary?", "type: binary?, externalStorage: true"),
      "preserveAfterDeletion": ("type: string?", "type: string?, preserveAfterDeletion: true"),
      "cloudEncryption": ("type: string?", "type: string?, cloudEncryption: true"),
      "spotlight": ("type: string?", "type: string?, spotlight: true"),
      "externalRecord": ("type: string?", "type: string?, externalRecord: true"),
      "indexed": ("type: string?", "type: string?, indexed: true"),
      "renamingIdentifier": ("type: string?", "type: string?, renamingIdentifier: X"),
      "versionHashModifier": ("type: string?", "type: string?, versionHashModifier: X"),
      "userInfo": ("type: string?", "type: string?, userInfo: {a: b}"),
    ],
    "a relationship": [
      "to": ("to: E", "to: F"), "toMany": ("toMany: E", "toMany: F"),
      "optional": ("to: F", "to: F, optional: false"), "inverse": ("to: F", "to: F, inverse: r"),
      "deleteRule": ("to: F", "to: F, deleteRule: cascade"),
      "ordered": ("toMany: F", "toMany: F, ordered: true"), "min": ("toMany: F", "toMany: F, min: 1"),
      "max": ("toMany: F", "toMany: F, max: 7"), "transient": ("to: F", "to: F, transient: true"),
      "spotlight": ("to: F", "to: F, spotlight: true"),
      "externalRecord": ("to: F", "to: F, externalRecord: true"),
      "indexed": ("to: F", "to: F, indexed: true"),
      "renamingIdentifier": ("to: F", "to: F, renamingIdentifier: X"),
      "versionHashModifier": ("to: F", "to: F, versionHashModifier: X"),
      "userInfo": ("to: F", "to: F, userInfo: {a: b}"),
    ],
  ]
}

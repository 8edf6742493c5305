import ManagedModel

/// A version of a model as `show` prints it: all entities, or one of them with what it inherits.
struct ShownVersion {
  let label: String
  let version: ModelVersion
  let hierarchy: EntityHierarchy
  /// Nil for all.
  let entityName: String?
  let findings: [Diagnostic]

  init(_ named: NamedVersion, entity name: String?) throws(DiagnosticsError) {
    (label, version, entityName, findings) = (named.label, named.version, name, named.diagnostics)
    hierarchy = EntityHierarchy(version.model)
    if let name, hierarchy.entity(named: name) == nil {
      let names = version.model.entities.map(\.name)
      throw DiagnosticsError(
        .fileUnreadable, "version '\(version.name)' has no entity '\(name)'",
        notes: names.isEmpty ? [] : ["its entities are \(names.sorted().listed)"],
        help: .didYouMean(name, among: names))
    }
  }

  var entities: [EntityDescription] {
    if let entityName { return hierarchy.entity(named: entityName).map { [$0] } ?? [] }
    return version.model.entities.sorted { $0.name.precedesInCodePointOrder($1.name) }
  }

  // MARK: Text

  /// - Parameter width: that of the terminal; facts are wrapped to it.
  func text(width: Int, style: Styler) -> String {
    var lines: [String] = []
    if entityName == nil {
      let count = counted(entities.count, "entity", plural: "entities")
      // Of what was read alone it would be no version's.
      let checksum = findings.hasErrors ? "" : ", checksum \(version.versionChecksum.prefix(12))…"
      lines.append("\(label.printable): \(count)\(checksum)")
      let others = [
        ("configuration", version.model.configurations.count),
        ("composite", version.model.composites.count),
        ("fetch request", version.model.fetchRequestTemplates.count),
      ].filter { $0.1 > 0 }
      if !others.isEmpty { lines.append("  " + others.map { counted($1, $0) }.joined(separator: ", ")) }
    }
    for entity in entities {
      if !lines.isEmpty { lines.append("") }
      lines += heading(entity, style) + table(entity, width: width)
    }
    return lines.joined(separator: "\n")
  }

  private func heading(_ entity: EntityDescription, _ style: Styler) -> [String] {
    let facts = words(shownFacts(entity.statedFacts))
    var lines = [style(entity.name.printable, .bold) + (facts.isEmpty ? "" : "  \(facts.printable)")]
    if entityName != nil, let hash = version.entityVersionHashesByName[entity.name] {
      lines.append("  hash \(hash.hexadecimal)")
    }
    return lines
  }

  /// Among all entities, without what concerns generated code alone.
  private func shownFacts(_ facts: [(key: String, value: String)]) -> [(key: String, value: String)] {
    let ofCode: Set = ["class", "class.module", "class.codeGeneration", "scalar", "valueClass"]
    return facts.filter { entityName != nil || !ofCode.contains($0.key) }
  }

  private func table(_ entity: EntityDescription, width: Int) -> [String] {
    var rows: [(name: String, type: String, facts: String)] = []
    for owner in entityName == nil ? [entity] : hierarchy.lineage(of: entity.name) {
      let origin = owner.name == entity.name ? [] : [("of", owner.name)]
      rows += owner.attributes.map { ($0.name, $0.typeInWords, words(shownFacts($0.otherFacts) + origin)) }
      rows += owner.relationships.map { ($0.name, $0.typeInWords, words(shownFacts($0.otherFacts) + origin)) }
      rows += owner.fetchedProperties.map { ($0.name, "fetched", words([("", $0.words)] + origin)) }
      rows += owner.uniquenessConstraints.map { ("unique", $0.joined(separator: ", "), words(origin)) }
      rows += owner.fetchIndexes.map { ("index", $0.name, words([("", $0.words)] + origin)) }
      if entityName != nil {
        rows += owner.userInfo.sorted { $0 < $1 }.map { ("user info", $0.key, $0.value) }
      }
    }
    let shown = rows.map { ($0.name.printable, $0.type.printable, $0.facts.printable) }
    let names = min(shown.map { $0.0.displayWidth }.max() ?? 0, 32)
    let types = min(shown.map { $0.1.displayWidth }.max() ?? 0, 28)
    return shown.flatMap { name, type, facts -> [String] in
      let start = "  \(name.padded(to: names))  \(type.padded(to: types))"
      if facts.isEmpty { return [start.trimmed] }
      // Facts are beside the type if there is room for them, else below.
      let indent = width - names - types - 6 < 16 ? 6 : names + types + 6
      let line = "\(start.trimmed)  \(facts)"
      if indent == 6, line.displayWidth <= width { return [line] }
      let parts = wrapped(facts, width: max(16, width - indent)).map {
        String(repeating: " ", count: indent) + $0
      }
      guard let first = parts.first else { return [start.trimmed] }
      guard indent > 6, start.displayWidth + 2 <= indent else { return [start.trimmed] + parts }
      return [start + "  " + first.dropFirst(indent)] + parts.dropFirst()
    }
  }

  // MARK: JSON

  static let result = JSONObject<Self>("shownVersion", "A version with its entities.").adding([
    "name": .value(\.version.name), "label": .value(\.label, "As it was named."),
    "checksum": .value(\.version.versionChecksum, "Core Data's version checksum."),
    "entities": .list(\.parts, of: entity, "One, or all by name."),
    "diagnostics": .diagnostics(\.findings),
  ])

  typealias Part = (entity: EntityDescription, hash: VersionHash?)

  private var parts: [Part] { entities.map { ($0, version.entityVersionHashesByName[$0.name]) } }

  private static let entity = JSONObject<Part>(
    "shownEntity", "An entity: its own properties, without what it inherits."
  ).adding([
    "name": .value(\.entity.name), "hash": .value(\.hash, "Its version hash."),
    "facts": .named(\.entity.statedFacts, "What the model says beyond the defaults, by key."),
    "attributes": .list(\.entity.attributes, of: attribute),
    "relationships": .list(\.entity.relationships, of: relationship),
    "fetchedProperties": .named(
      { $0.entity.fetchedProperties.map { ($0.name, $0.words) } }, "What each fetches."),
    "uniquenessConstraints": .value(\.entity.uniquenessConstraints, "Properties that are unique together."),
    "indexes": .named({ $0.entity.fetchIndexes.map { ($0.name, $0.words) } }, "Their elements."),
    "userInfo": .named({ $0.entity.userInfo.sorted { $0 < $1 } }, "The model's own notes."),
  ])

  private static let attribute = JSONObject<AttributeDescription>("shownAttribute", "An attribute.").adding([
    "name": .value(\.name), "type": .value(\.type.name),
    "facts": .named(\.statedFacts, "What the model says beyond the defaults, by key."),
  ])

  private static let relationship = JSONObject<RelationshipDescription>(
    "shownRelationship", "A relationship."
  ).adding([
    "name": .value(\.name), "destination": .value(\.destinationEntityName), "toMany": .value(\.isToMany),
    "facts": .named(\.statedFacts, "What the model says beyond the defaults, by key."),
  ])
}

/// `optional, min 0`: a flag is its key.
func words(_ facts: [(key: String, value: String)]) -> String {
  facts.map { key, value in
    switch (key, value) {
    case (_, "true"): key
    case ("optional", "false"): "required"
    case (_, "false"): "not \(key)"
    default: key.isEmpty ? value : "\(key) \(value)"
    }
  }.joined(separator: ", ")
}

extension AttributeDescription {
  /// `string? = ''`, as the model language has it.
  fileprivate var typeInWords: String {
    let name = type == .composite ? "composite \(compositeName ?? "")" : type.name
    return name + (isOptional ? "?" : "") + (defaultValue?.text.map { " = \($0.isEmpty ? "''" : $0)" } ?? "")
  }

  fileprivate var otherFacts: [(key: String, value: String)] {
    statedFacts.filter {
      !["optional", "composite"].contains($0.key) && ($0.key != "default" || defaultValue?.text == nil)
    }
  }
}

extension RelationshipDescription {
  fileprivate var typeInWords: String { (isToMany ? "to-many " : "to-one ") + destinationEntityName }

  fileprivate var otherFacts: [(key: String, value: String)] {
    statedFacts.filter { $0.key != "max" || maxCount > 1 }
  }
}

package import ManagedModel

/// The keys of a relationship.
let relationshipSchema = Schema<RelationshipDescription>(
  "a relationship",
  [
    destination("to", isToMany: false), destination("toMany", isToMany: true),
    Field("optional", \.isOptional, .flag, unless: true),
    Field("inverse", \.inverseName, .text),
    Field("deleteRule", \.deleteRule, .word(DeleteRule.allCases.map { ($0.name, $0) }), unless: .nullify),
    Field("ordered", \.isOrdered, .flag, unless: false),
    Field("min", \.minCount, .integer, unless: 0),
    // After 'to' and 'toMany', whose maximum it replaces.
    Field("max", shape: Form<Int>.integer.shape()) { node, relationship, subject, reading in
      if let count = Form<Int>.integer.read(node, subject, reading) { relationship.maxCount = count }
    } write: {
      $0.maxCount == 0 || $0.maxCount == 1 ? nil : .typed("\($0.maxCount)")
    },
    Field("transient", \.isTransient, .flag, unless: false),
    Field("spotlight", \.isIndexedBySpotlight, .flag, unless: false),
    Field("externalRecord", \.isStoredInExternalRecord, .flag, unless: false),
    Field("indexed", \.isIndexed, .flag, unless: false),
    Field("renamingIdentifier", \.renamingIdentifier, .text),
    Field("versionHashModifier", \.versionHashModifier, .text),
    Field("userInfo", \.userInfo, .dictionary, unless: [:]),
  ],
  choices: [["to", "toMany"]],
  hints: [
    "destination": "the key is 'to' or 'toMany'", "destinationEntity": "the key is 'to' or 'toMany'",
    "inverseName": "inverse", "deletionRule": "deleteRule", "minCount": "min", "maxCount": "max",
    "elementID": "renamingIdentifier", "required": "a relationship is optional unless 'optional: false'",
  ])

private func destination(_ key: String, isToMany: Bool) -> Field<RelationshipDescription> {
  Field(key, shape: .text) { node, relationship, subject, reading in
    if let name = reading.text(of: node, subject) { relationship.destinationEntityName = name }
    relationship.maxCount = isToMany ? 0 : 1
  } write: {
    $0.isToMany == isToMany ? .text($0.destinationEntityName) : nil
  }
}

extension Form<[RelationshipDescription]> {
  static let relationships = Form.named(
    \.name, about: { ModelSubject(entity: $0.entity, property: $1) }, layout: .block, names: legalNameForm,
    shape: relationshipSchema.shape
  ) { name, node, subject, reading in
    guard case .mapping = node.content else {
      let destination = node.text.map { $0.isEmpty ? "ENTITY" : $0.abridged } ?? "ENTITY"
      return reading.refuse(node) {
        .wrongKind(
          node, wanted: "relationship '\(name.abridged)' is a mapping",
          help: ["write {to: \(destination)} or {toMany: \(destination)}"])
      }
    }
    let empty = RelationshipDescription(name: name, destinationEntityName: "")
    let relationship = relationshipSchema.read(node, from: empty, about: subject, reading)
    checkCardinality(relationship, node, reading)
    return relationship
  } write: {
    .mapping(relationshipSchema.write($0))
  }
}

/// `to` or `toMany`, one of them, and a maximum that agrees with it.
private func checkCardinality(
  _ relationship: RelationshipDescription, _ node: YAMLNode, _ reading: LanguageReading
) {
  reading.requireOne(
    of: "to", or: "toMany", in: node, "a relationship", called: "relationship '\(relationship.name.abridged)'"
  )
  switch (node["to"], node["toMany"]) {
  case (_?, nil):
    if relationship.isToMany, let max = node["max"] {
      reading.diagnostics.append(
        .toOneMaximum, .warning,
        "to-one '\(relationship.name.abridged)' has a maximum of \(relationship.maxCount): Core Data treats it as a to-many",
        place: max.range, fixIts: node.renaming("to", to: "toMany").map { [$0] } ?? [],
        help: ["remove 'max', or write 'toMany'"])
    }
  case (nil, _?):
    if !relationship.isToMany, let max = node["max"] {
      let fixIts = [node.renaming("toMany", to: "to"), node.removing("max")].compactMap(\.self)
      reading.diagnostics.append(
        .toOneMaximum, .warning,
        "to-many '\(relationship.name.abridged)' has a maximum of 1: Core Data treats it as a to-one",
        place: max.range, fixIts: fixIts.count == 2 ? fixIts : [], help: ["write 'to' without 'max'"])
    }
  default: break
  }
}

/// Edits that say what is there in other words.
extension YAMLNode {
  fileprivate func renaming(_ key: String, to name: String) -> Diagnostic.FixIt? {
    pair(key).map { Diagnostic.FixIt("write '\(name)'", range: $0.keyRange, replacement: name, isSafe: true) }
  }

  fileprivate func removing(_ key: String) -> Diagnostic.FixIt? {
    guard case .mapping(let pairs) = content, let index = pairs.firstIndex(where: { $0.key == key }),
      let edit = removal(at: index)
    else { return nil }
    return edit.fixIt("remove '\(key)'", isSafe: true)
  }
}

extension Diagnostic.Code { package static let toOneMaximum = Self("MC1306") }

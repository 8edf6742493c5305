import ManagedModel

extension ModelVersion {
  /// What tells a store's entities from a version's, entity by entity in the order of their names.
  ///
  /// Where the store's own model explains the store's hash of an entity, properties are compared; else only the
  /// hashes are left to show.
  func entityDifferences(storeHashes: [String: VersionHash], storeModel: ManagedObjectModel?) -> [Difference]
  {
    let own = entityVersionHashesByName
    let storeModelHashes = storeModel?.entityVersionHashesByName ?? [:]
    let storeHierarchy = storeModel.map { EntityHierarchy($0) }
    let hierarchy = EntityHierarchy(model)
    var differences: [Difference] = []
    for name in Set(storeHashes.keys).union(own.keys).sorted(by: { $0.precedesInCodePointOrder($1) })
    where storeHashes[name] != own[name] {
      guard let storeHash = storeHashes[name], let hash = own[name] else {
        let (stored, present) = (storeHashes[name].map { _ in "entity" }, own[name].map { _ in "entity" })
        differences.append(Difference(entity: name, property: nil, store: stored, version: present))
        continue
      }
      var found: [Difference] = []
      var isExplainedByParent = false
      if let storeHierarchy, storeModelHashes[name] == storeHash {
        let left = storeHierarchy.entity(named: name).map(describe) ?? ""
        let right = hierarchy.entity(named: name).map(describe) ?? ""
        if left != right {
          found.append(Difference(entity: name, property: nil, store: left, version: right))
        }
        let stored = ownProperties(of: name, in: storeHierarchy)
        let present = ownProperties(of: name, in: hierarchy)
        found += Set(stored.keys).union(present.keys).sorted { $0.precedesInCodePointOrder($1) }
          .filter { stored[$0] != present[$0] }
          .map { Difference(entity: name, property: $0, store: stored[$0], version: present[$0]) }
        // A parent's difference reaches every descendant's hash and is told once, at the parent.
        isExplainedByParent = hierarchy.superentityName(of: name).map { storeHashes[$0] != own[$0] } ?? false
      }
      if found.isEmpty, !isExplainedByParent {
        found = [Difference(entity: name, property: nil, store: hashText(storeHash), version: hashText(hash))]
      }
      differences += found
    }
    return differences
  }
}

private func hashText(_ hash: VersionHash) -> String { "hash \(hash.hexadecimal.prefix(8))…" }

/// What the hash of the entity itself contains, in words.
private func describe(_ entity: EntityDescription) -> String {
  var facts = [entity.isAbstract ? "abstract" : "concrete"]
  if let parent = entity.superentityName { facts.append("parent \(parent)") }
  let constraints = entity.uniquenessConstraints.map { "[" + $0.joined(separator: ", ") + "]" }.sorted()
  if !constraints.isEmpty { facts.append("unique " + constraints.joined(separator: " ")) }
  if let modifier = entity.versionHashModifier { facts.append("hash modifier '\(modifier)'") }
  return facts.joined(separator: ", ")
}

/// The entity's own stored properties by name, each described by what its hash contains.
private func ownProperties(of name: String, in hierarchy: EntityHierarchy) -> [String: String] {
  guard let entity = hierarchy.entity(named: name) else { return [:] }
  var properties: [String: String] = [:]
  for attribute in entity.attributes where !attribute.isTransient || attribute.isDerived {
    properties[attribute.name] = describe(attribute)
  }
  for relationship in entity.relationships where !relationship.isTransient {
    properties[relationship.name] = describe(relationship)
  }
  return properties
}

private func describe(_ attribute: AttributeDescription) -> String {
  if let derivation = attribute.derivationExpression { return "derived from \(derivation)" }
  var facts = [
    attribute.type == .composite ? "composite \(attribute.compositeName ?? "")" : attribute.type.name
  ]
  facts.append(attribute.isOptional ? "optional" : "required")
  if attribute.allowsExternalBinaryDataStorage { facts.append("external storage") }
  if attribute.preservesValueInHistoryOnDeletion { facts.append("preserved on deletion") }
  if let modifier = attribute.versionHashModifier { facts.append("hash modifier '\(modifier)'") }
  return facts.joined(separator: ", ")
}

private func describe(_ relationship: RelationshipDescription) -> String {
  var facts = [(relationship.isToMany ? "to-many " : "to-one ") + relationship.destinationEntityName]
  facts.append(relationship.isOptional ? "optional" : "required")
  facts.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
  if relationship.isOrdered { facts.append("ordered") }
  let isUsual = relationship.minCount == 0 && (0...1).contains(relationship.maxCount)
  if !isUsual { facts.append("\(relationship.minCount)…\(relationship.maxCount)") }
  if let modifier = relationship.versionHashModifier { facts.append("hash modifier '\(modifier)'") }
  return facts.joined(separator: ", ")
}

import Foundation

extension ManagedObjectModel {
  /// SHA-256, in hexadecimal, over every fact of the model: tells apart versions whose version hashes are equal,
  /// and answers whether a released version is still word for word what users have.
  ///
  /// The form is length-framed and its first field is a scheme number. Order in the source does not count where
  /// Core Data keeps none (entities, properties, configurations); it counts within constraints, indexes and
  /// composites. Default texts compare by value. What only Xcode reads stays out. Never written where Core Data looks.
  package var fingerprint: String {
    var form = CanonicalForm()
    form.add("scheme", "1")
    form.add("identifiers", versionIdentifiers)
    for entity in entities.sorted(byCodePointOf: \.name) { form.add(entity) }
    for composite in composites.sorted(byCodePointOf: \.name) {
      form.add("composite", composite.name)
      for element in composite.elements { form.add(element) }
      form.add("coding", codings[composite.name]?.facts ?? [])
    }
    for configuration in configurations.sorted(byCodePointOf: \.name) {
      form.add("configuration", configuration.name)
      form.add("members", configuration.entityNames.sortedByCodePoint)
    }
    for request in fetchRequestTemplates.sorted(byCodePointOf: \.name) { form.add(request) }
    form.add("localization", localizationDictionary)
    form.add("retired", retired.sortedByCodePoint)
    return VersionHash(digest: SHA256.digest(of: form.bytes)).hexadecimal
  }
}

/// Fields with the lengths of their names and values in front, so that no two models have the same bytes.
private struct CanonicalForm {
  private(set) var bytes: [UInt8] = []

  private mutating func frame(_ text: String) {
    let utf8 = Array(text.utf8)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: UInt64(utf8.count) >> UInt64(shift)))
    }
    bytes.append(contentsOf: utf8)
  }

  /// A nil value adds nothing, so that new facts leave old fingerprints as they are.
  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    frame(name)
    frame(value)
  }

  mutating func add(_ name: String, _ value: Bool) { if value { add(name, "1") } }

  mutating func add(_ name: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    add(name, "\(values.count)")
    for value in values { frame(value) }
  }

  mutating func add(_ name: String, _ values: [String: String]) {
    add(name, values.sorted(byCodePointOf: \.key).flatMap { [$0.key, $0.value] })
  }

  mutating func add(_ entity: EntityDescription) {
    add("entity", entity.name)
    let className = entity.managedObjectClassName
    add("class", className == "NSManagedObject" ? nil : className)
    add("module", entity.moduleName)
    add("codeGeneration", entity.codeGenerationType?.rawValue)
    add("abstract", entity.isAbstract)
    add("parent", entity.superentityName)
    add("canonicalName", entity.canonicalName)
    add("modifier", entity.versionHashModifier)
    add("userInfo", entity.userInfo)
    add("spotlightName", entity.coreSpotlightDisplayName)
    for attribute in entity.attributes.sorted(byCodePointOf: \.name) { add(attribute) }
    for relationship in entity.relationships.sorted(byCodePointOf: \.name) { add(relationship) }
    for property in entity.fetchedProperties.sorted(byCodePointOf: \.name) {
      add("fetchedProperty", property.name)
      add("optional", property.isOptional)
      add("userInfo", property.userInfo)
      add(property.fetchRequest)
    }
    for constraint in entity.uniquenessConstraints { add("unique", constraint) }
    for index in entity.fetchIndexes.sorted(byCodePointOf: \.name) {
      add("index", index.name)
      add("where", index.partialIndexPredicate)
      for element in index.elements {
        add(
          "element",
          [element.property, "\(element.isExpression)", "\(element.collation)", "\(element.isAscending)"])
      }
    }
    for index in entity.compoundIndexes { add("compoundIndex", index) }
  }

  mutating func add(_ attribute: AttributeDescription) {
    add("attribute", attribute.name)
    add("type", attribute.type.name)
    add("optional", attribute.isOptional)
    add("transient", attribute.isTransient)
    switch attribute.defaultValue {
    case .text(let text)?: add("default", attribute.typedDefaultValue?.text ?? text)
    case .archived(let data)?: add("archivedDefault", data.base64EncodedString())
    case .evaluated(let value)?: add("evaluatedDefault", value.rawValue)
    case nil: break
    }
    add(attribute.validation, of: attribute.type)
    add("scalar", attribute.usesScalarValueType ?? false)
    add("transformer", attribute.valueTransformerName)
    add("valueClass", attribute.attributeValueClassName)
    add("externalStorage", attribute.allowsExternalBinaryDataStorage)
    add("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
    add("cloudEncryption", attribute.allowsCloudEncryption)
    add("spotlight", attribute.isIndexedBySpotlight)
    add("externalRecord", attribute.isStoredInExternalRecord)
    add("indexed", attribute.isIndexed)
    add("derivation", attribute.derivationExpression)
    add("composite", attribute.compositeName)
    add("enum", attribute.enumTypeName)
    add("canonicalName", attribute.canonicalName)
    add("modifier", attribute.versionHashModifier)
    add("userInfo", attribute.userInfo)
  }

  private mutating func add(_ validation: AttributeValidation, of type: AttributeType) {
    func normalised(_ bound: String?) -> String? {
      bound.map { AttributeValue(parsing: $0, as: type)?.text ?? $0 }
    }
    add("minimum", normalised(validation.minimum))
    add("maximum", normalised(validation.maximum))
    add("minimumLength", validation.minimumLength.map(String.init))
    add("maximumLength", validation.maximumLength.map(String.init))
    add("matching", validation.regularExpression)
    for rule in validation.predicates { add("predicate", [rule.predicate, rule.warning]) }
  }

  mutating func add(_ relationship: RelationshipDescription) {
    add("relationship", relationship.name)
    add("destination", relationship.destinationEntityName)
    add("inverse", relationship.inverseName)
    add("optional", relationship.isOptional)
    add("transient", relationship.isTransient)
    add("minCount", "\(relationship.minCount)")
    add("maxCount", "\(relationship.maxCount)")
    add("ordered", relationship.isOrdered)
    add("deleteRule", relationship.deleteRule.name)
    add("indexed", relationship.isIndexed)
    add("spotlight", relationship.isIndexedBySpotlight)
    add("externalRecord", relationship.isStoredInExternalRecord)
    add("canonicalName", relationship.canonicalName)
    add("modifier", relationship.versionHashModifier)
    add("userInfo", relationship.userInfo)
  }

  mutating func add(_ request: FetchRequestDescription) {
    add("fetchRequest", [request.name, request.entityName])
    add("predicate", request.predicate)
    add("sort", request.sortDescriptors.flatMap { [$0.keyPath, $0.isAscending ? "asc" : "desc"] })
    add("limits", ["\(request.fetchLimit)", "\(request.fetchBatchSize)", "\(request.resultType)"])
    add(
      "flags",
      [
        request.includesSubentities, request.includesPropertyValues, request.includesPendingChanges,
        request.returnsDistinctResults,
      ].map { "\($0)" })
    add("withValues", !request.returnsObjectsAsFaults)
  }
}

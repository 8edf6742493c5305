import ManagedModel

extension XcodeModelWriter {
  func write(_ attribute: AttributeDescription, of entity: String, to xml: inout XMLText) {
    let value = defaultTexts(of: attribute)
    let bounds = boundTexts(of: attribute)
    let isScalar = attribute.usesScalarValueType.map { $0 ? "YES" : "NO" }
    var attributes: [(String, String?)] = [
      ("name", attribute.name), ("optional", yes(attribute.isOptional)),
      ("transient", yes(attribute.isTransient)), ("attributeType", attribute.type.traits.xcodeName),
      ("valueTransformerName", attribute.valueTransformerName),
      ("customClassName", attribute.attributeValueClassName), ("composite", attribute.compositeName),
      ("minDateTimeInterval", bounds.minimum.seconds), ("minValueString", bounds.minimum.text),
      ("maxDateTimeInterval", bounds.maximum.seconds), ("maxValueString", bounds.maximum.text),
      ("defaultDateTimeInterval", value.seconds), ("defaultValueString", value.text),
      ("regularExpressionString", attribute.validation.regularExpression),
      ("derived", yes(attribute.isDerived)), ("derivationExpression", attribute.derivationExpression),
      ("usesScalarValueType", isScalar),
      ("allowsExternalBinaryDataStorage", yes(attribute.allowsExternalBinaryDataStorage)),
      ("allowsCloudEncryption", yes(attribute.allowsCloudEncryption)),
    ]
    attributes += [
      ("indexed", yes(attribute.isIndexed)),
      ("preserveAfterDeletion", yes(attribute.preservesValueInHistoryOnDeletion)),
      ("spotlightIndexingEnabled", yes(attribute.isIndexedBySpotlight)),
      ("storedInTruthFile", yes(attribute.isStoredInExternalRecord)),
      ("versionHashModifier", attribute.versionHashModifier), ("elementID", attribute.renamingIdentifier),
      ("syncable", form.syncable(entity, attribute.name)),
    ]
    xml.element("attribute", attributes) { write(attribute.userInfo, to: &$0) }
  }

  /// A date stands as seconds, everything else as text.
  private typealias ValueTexts = (seconds: String?, text: String?)

  private func defaultTexts(of attribute: AttributeDescription) -> ValueTexts {
    guard let text = attribute.defaultValue?.text else { return (nil, nil) }
    switch attribute.typedDefaultValue {
    case .date(let seconds)?: return (secondsText(seconds), nil)
    case .boolean(let flag)?: return (nil, flag ? "YES" : "NO")
    default: return (nil, text)
    }
  }

  private func boundTexts(of attribute: AttributeDescription) -> (minimum: ValueTexts, maximum: ValueTexts) {
    let rules = attribute.validation
    if attribute.type == .string {
      return ((nil, rules.minimumLength.map(String.init)), (nil, rules.maximumLength.map(String.init)))
    }
    return (boundTexts(rules.minimum, attribute.type), boundTexts(rules.maximum, attribute.type))
  }

  /// A date's bound is listed twice: as seconds, and as text for people.
  private func boundTexts(_ text: String?, _ type: AttributeType) -> ValueTexts {
    guard let text else { return (nil, nil) }
    let value = AttributeValue(parsing: text, as: .date)
    guard type == .date, case .date(let seconds)? = value else { return (nil, text) }
    return (secondsText(seconds), value?.dayText)
  }

  private func secondsText(_ seconds: Double) -> String {
    Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
  }

  func write(_ relationship: RelationshipDescription, of entity: String, to xml: inout XMLText) {
    let inverseEntity = relationship.inverseName.map { _ in relationship.destinationEntityName }
    let attributes: [(String, String?)] = [
      ("name", relationship.name), ("optional", yes(relationship.isOptional)),
      ("transient", yes(relationship.isTransient)), ("toMany", yes(relationship.isToMany)),
      ("minCount", countText(relationship.minCount)), ("maxCount", countText(relationship.maxCount)),
      ("deletionRule", relationship.deleteRule.xcodeName), ("ordered", yes(relationship.isOrdered)),
      ("destinationEntity", relationship.destinationEntityName),
      ("inverseName", relationship.inverseName), ("inverseEntity", inverseEntity),
      ("indexed", yes(relationship.isIndexed)),
      ("spotlightIndexingEnabled", yes(relationship.isIndexedBySpotlight)),
      ("storedInTruthFile", yes(relationship.isStoredInExternalRecord)),
      ("versionHashModifier", relationship.versionHashModifier),
      ("elementID", relationship.renamingIdentifier),
      ("syncable", form.syncable(entity, relationship.name)),
    ]
    xml.element("relationship", attributes) { write(relationship.userInfo, to: &$0) }
  }

  /// Zero is what absence means.
  private func countText(_ count: Int) -> String? { count > 0 ? "\(count)" : nil }

  func write(_ property: FetchedPropertyDescription, of entity: String, to xml: inout XMLText) {
    xml.element(
      "fetchedProperty",
      [
        ("name", property.name), ("optional", yes(property.isOptional)),
        ("syncable", form.syncable(entity, property.name)),
      ]
    ) {
      write(property.fetchRequest, to: &$0)
      write(property.userInfo, to: &$0)
    }
  }

  func write(_ request: FetchRequestDescription, to xml: inout XMLText) {
    let attributes: [(String, String?)] = [
      ("name", request.name), ("entity", request.entityName), ("predicateString", request.predicate),
      ("fetchLimit", countText(request.fetchLimit)), ("fetchBatchSize", countText(request.fetchBatchSize)),
      ("includeSubentities", no(request.includesSubentities)),
      ("includePropertyValues", no(request.includesPropertyValues)),
      ("includePendingChanges", no(request.includesPendingChanges)),
      ("returnObjectsAsFaults", no(request.returnsObjectsAsFaults)),
      ("returnDistinctResults", yes(request.returnsDistinctResults)),
      ("resultType", countText(request.resultType)),
    ]
    xml.element("fetchRequest", attributes)
  }

  /// A flag that is on unless the document says otherwise.
  private func no(_ flag: Bool) -> String? { flag ? nil : "NO" }

  func write(_ entity: EntityDescription, to xml: inout XMLText) {
    xml.element(
      "entity",
      [
        ("name", entity.name), ("representedClassName", entity.qualifiedClassName),
        ("parentEntity", entity.superentityName), ("isAbstract", yes(entity.isAbstract)),
        ("versionHashModifier", entity.versionHashModifier), ("elementID", entity.renamingIdentifier),
        ("syncable", form.syncable(entity.name)), ("codeGenerationType", entity.codeGenerationType?.rawValue),
        ("coreSpotlightDisplayNameExpression", entity.coreSpotlightDisplayName),
      ]
    ) { xml in
      for attribute in entity.attributes { write(attribute, of: entity.name, to: &xml) }
      for relationship in entity.relationships { write(relationship, of: entity.name, to: &xml) }
      for property in entity.fetchedProperties { write(property, of: entity.name, to: &xml) }
      write(entity.compoundIndexes, as: ("compoundIndexes", "compoundIndex", "index"), to: &xml)
      for index in entity.fetchIndexes { write(index, to: &xml) }
      write(
        entity.uniquenessConstraints, as: ("uniquenessConstraints", "uniquenessConstraint", "constraint"),
        to: &xml)
      write(entity.userInfo, to: &xml)
    }
  }

  private func write(
    _ lists: [[String]], as names: (all: String, list: String, item: String), to xml: inout XMLText
  ) {
    guard !lists.isEmpty else { return }
    xml.element(names.all) { xml in
      for list in lists {
        xml.element(names.list) { xml in
          for name in list { xml.element(names.item, [("value", name)]) }
        }
      }
    }
  }

  private func write(_ index: FetchIndexDescription, to xml: inout XMLText) {
    xml.element(
      "fetchIndex", [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate)]
    ) { xml in
      for element in index.elements {
        xml.element(
          "fetchIndexElement",
          [
            ("property", element.isExpression ? nil : element.property),
            ("expression", element.isExpression ? element.property : nil),
            ("type", element.collation == .rtree ? "RTree" : "Binary"),
            ("order", element.isAscending ? "ascending" : "descending"),
          ])
      }
    }
  }
}

extension AttributeValue {
  /// Month, day and year of a date in UTC, as Xcode writes it for American readers.
  fileprivate var dayText: String? {
    let parts = text.prefix(10).split(separator: "-")
    guard text.hasSuffix("Z"), parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]) else {
      return nil
    }
    return "\(month)/\(day)/\(parts[0])"
  }
}

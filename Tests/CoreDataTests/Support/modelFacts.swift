#if canImport(CoreData)
  import CoreData
  import Foundation

  /// What Core Data says of a model, a fact a line, sorted: two models with the same lines are the same to an app.
  func facts(of model: NSManagedObjectModel) -> [String] {
    var lines = model.configurations.map { name in
      "configuration \(name): \((model.entities(forConfigurationName: name) ?? []).map(nameOf).sorted())"
    }
    lines.append("identifiers: \(model.versionIdentifiers.map { "\($0)" }.sorted())")
    for entity in model.entities {
      let facts =
        entityFacts(entity) + entity.indexes.map(indexFacts) + entity.properties.flatMap(propertyFacts)
      lines += facts.map { "\(nameOf(entity)): \($0)" }
    }
    return lines.sorted()
  }

  private func nameOf(_ entity: NSEntityDescription) -> String { entity.name ?? "" }

  private func entityFacts(_ entity: NSEntityDescription) -> [String] {
    [
      "class \(entity.managedObjectClassName ?? "")", "abstract \(entity.isAbstract)",
      "parent \(entity.superentity.map(nameOf) ?? "")", "renaming \(entity.renamingIdentifier ?? "")",
      "modifier \(entity.versionHashModifier ?? "")", "user info \(text(entity.userInfo))",
      "unique \(entity.uniquenessConstraints.map { $0.map { "\($0)" } })",
    ]
  }

  private func indexFacts(_ index: NSFetchIndexDescription) -> String {
    let elements = index.elements.map {
      "\($0.propertyName ?? "") \($0.collationType.rawValue) \($0.isAscending)"
    }
    return "index \(index.name) \(elements) where \(index.partialIndexPredicate?.predicateFormat ?? "")"
  }

  private func propertyFacts(_ property: NSPropertyDescription) -> [String] {
    var facts = [
      "optional \(property.isOptional)", "transient \(property.isTransient)",
      "renaming \(property.renamingIdentifier ?? "")", "modifier \(property.versionHashModifier ?? "")",
      "user info \(text(property.userInfo))", "hash \(property.versionHash.base64EncodedString())",
      "valid where \(property.validationPredicates.map(\.predicateFormat))",
    ]
    if let attribute = property as? NSAttributeDescription { facts += attributeFacts(attribute) }
    if let relationship = property as? NSRelationshipDescription { facts += relationshipFacts(relationship) }
    return facts.map { "\(property.name): \($0)" }
  }

  private func attributeFacts(_ attribute: NSAttributeDescription) -> [String] {
    var facts = [
      "type \(attribute.attributeType.rawValue)", "class \(attribute.attributeValueClassName ?? "")",
      "default \(attribute.defaultValue.map { "\($0)" } ?? "none")",
      "transformer \(attribute.valueTransformerName ?? "")",
      "outside \(attribute.allowsExternalBinaryDataStorage)",
    ]
    if let derived = attribute as? NSDerivedAttributeDescription {
      facts.append("derived \(derived.derivationExpression.map { "\($0)" } ?? "")")
    }
    if #available(macOS 14, *), let composite = attribute as? NSCompositeAttributeDescription {
      facts += composite.elements.flatMap(propertyFacts)
    }
    return facts
  }

  private func relationshipFacts(_ relationship: NSRelationshipDescription) -> [String] {
    [
      "to \(relationship.destinationEntity.map(nameOf) ?? "")",
      "inverse \(relationship.inverseRelationship?.name ?? "")",
      "count \(relationship.minCount)...\(relationship.maxCount)", "ordered \(relationship.isOrdered)",
      "on delete \(relationship.deleteRule.rawValue)",
    ]
  }

  private func text(_ userInfo: [AnyHashable: Any]?) -> [String] {
    (userInfo ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
  }
#endif

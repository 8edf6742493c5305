extension MappingModel {
  /// The mapping model as a file says it, every property written out, so that a person can read and edit it.
  ///
  /// A property that keeps its value under its name is written too: what is in the file is all that happens.
  ///
  /// Of what a person wrote, mappings keep their names, and relationships are written that stay empty.
  package func stated(from source: ModelVersion, to destination: ModelVersion) -> CustomMappingModel {
    let hierarchy = EntityHierarchy(destination.model)
    return CustomMappingModel(
      sourceVersionName: source.name, destinationVersionName: destination.name, infersOthers: false,
      entityMappings: entityMappings.map { $0.stated(in: hierarchy, asWritten: !isInferred) })
  }
}

extension EntityMapping {
  fileprivate func stated(in destination: EntityHierarchy, asWritten: Bool) -> CustomEntityMapping {
    let plain =
      switch (sourceEntityName, destinationEntityName) {
      case (let source?, let destination?): "\(source)To\(destination)"
      case (let source?, nil): "Remove\(source)"
      case (nil, let destination?): "Add\(destination)"
      case (nil, nil): self.name
      }
    var mapping = CustomEntityMapping(
      name: asWritten ? name : plain, sourceEntityName: sourceEntityName,
      destinationEntityName: destinationEntityName,
      filter: filter.map { "\($0)" }, policyName: policyName, userInfo: userInfo)
    if asWritten {
      mapping.groupBy = grouping?.keys.map { "\($0)" } ?? []
      mapping.keep = grouping.flatMap { $0.statesKeep ? $0.keep : nil }
      mapping.orderBy = grouping?.order.map { "\($0)" }
      mapping.onDrop = onDrop == (grouping == nil ? .nullify : .repoint) ? nil : onDrop
    }
    // Of an entity that is new, or goes, there is nothing to say about properties.
    guard sourceEntityName != nil, let entity = destinationEntityName else { return mapping }
    mapping.attributeMappings = attributeMappings.compactMap {
      let attribute = destination.attribute(named: $0.name, of: entity)
      if attribute?.isDerived == true { return nil }
      // The destination's default needs no mapping. A version between may have had another default, which does.
      let text = $0.value == .constant(attribute?.heldDefaultValue) ? nil : $0.value.expressionText
      return CustomPropertyMapping(name: $0.name, expression: text, userInfo: $0.userInfo)
    }
    mapping.relationshipMappings = relationshipMappings.compactMap { property in
      if case .expression(let expression) = property.value {
        return CustomPropertyMapping(name: property.name, expression: "\(expression)")
      }
      // A relationship that its inverse gives follows once that side is set.
      guard property.referrers.isEmpty, let name = property.value.sourceName else {
        let isEmpty = asWritten && property.referrers.isEmpty
        return isEmpty ? CustomPropertyMapping(name: property.name, expression: nil) : nil
      }
      return CustomPropertyMapping(
        name: property.name, expression: name.relationshipLookup(), userInfo: property.userInfo)
    }
    return mapping
  }
}

extension PropertyMappingValue {
  /// The value expression; nil if the attribute keeps the default that a new object has.
  fileprivate var expressionText: String? {
    switch self {
    case .source(let name): "$source.\(name)"
    case .constant(let constant): constant.map { $0.expressionText } ?? nil
    case .expression(let expression): "\(expression)"
    // A conversion between numbers is made where the value is stored.
    case .converted(let value, _, _): value.expressionText
    case .defaulted(let value, let fallback):
      value.expressionText.map { text in fallback.expressionText.map { "coalesce(\(text), \($0))" } ?? text }
    }
  }
}

extension AttributeValue {
  /// Nil if no literal stands for it.
  fileprivate var expressionText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : nil
    case .boolean(let value): value ? "TRUE" : "FALSE"
    case .date(let seconds): seconds.isFinite ? "CAST(\(seconds), \"NSDate\")" : nil
    case .binary: nil
    // Texts, and what a text spells.
    default: text.expressionLiteral(quote: "'")
    }
  }
}

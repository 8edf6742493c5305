extension MappingResolution {
  /// What the mapping models accept to lose of an entity's objects: without inference, as in Xcode's, all that nothing
  /// reads; else what `drops:` names.
  func droppedProperties(of mapping: EntityMapping) -> Set<String>? {
    guard let entity = mapping.sourceEntityName else { return [] }
    let isXcodes = mappingModels.contains { model in
      !model.infersOthers && model.entityMappings.contains { $0.name == mapping.name }
    }
    if isXcodes { return nil }
    let lineage = Set(sourceHierarchy.ancestorNames(of: entity) + [entity])
    let named = mappingModels.flatMap(\.drops).map(splitName).filter { lineage.contains($0.entity) }
    return Set(named.map(\.property))
  }

  /// Whether everything is decided, and what is dropped is there to be dropped.
  mutating func checkDecisions(of model: CustomMappingModel) {
    if !model.undecided.isEmpty {
      let count = model.undecided.count
      let finding = Diagnostic(
        .undecidedMapping, .error,
        "the mapping leaves \(count == 1 ? "1 question" : "\(count) questions") undecided",
        notes: model.undecided.notes(atMost: 10),
        help: ["answer each in the mapping and remove its line from 'undecided:'"])
      report(finding, at: "undecided", of: model)
    }
    for name in model.drops {
      let (entity, property) = splitName(name)
      let isKnown =
        sourceHierarchy.attribute(named: property, of: entity) != nil
        || sourceHierarchy.relationship(named: property, of: entity) != nil
      if isKnown { continue }
      let finding = Diagnostic(
        .unknownMapped, .error, "'drops' names '\(name)', but version '\(source.name)' has no such property",
        help: ["write it as 'Entity.property', with the names of '\(source.name)'"])
      report(finding, at: "drops", of: model)
    }
  }

  private func splitName(_ name: String) -> (entity: String, property: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
  }
}

/// A draft of a mapping model has questions that nobody has answered.
extension Diagnostic.Code { package static let undecidedMapping = Self("MC4111") }

import ManagedModel

extension VersionStep {
  /// Values that the later version requires and objects of the earlier one may lack (MC3101, MC3102).
  ///
  /// A store's rows decide whether its migration stops. Without a store the check assumes that some user's does.
  func checkNewRequirements() -> [Diagnostic] {
    var found: [Diagnostic] = []
    for pair in keptEntities where !pair.new.isAbstract || !after.subentityNames(of: pair.new.name).isEmpty {
      // The mapping model's own check says what it leaves without a value (MC4106).
      if written.contains(where: { $0.destinationEntityName == pair.new.name }) { continue }
      guard let mapping = self.mapping(toEntity: pair.new.name) else { continue }
      // The default of a new struct holds its members.
      let attributes = pair.new.attributes.filter { attribute in
        attribute.type != .composite || attribute.defaultValue == nil
          || pair.old.attributes.contains { $0.canonicalName == attribute.canonicalName }
      }
      let requirements =
        after.members(in: attributes).compactMap {
          mapping.requirement(of: $0, from: before)
        }
        + pair.new.relationships.compactMap { mapping.requirement(of: $0, from: before) }
      found += requirements.compactMap { .required($0, pair.new.name, self) }
    }
    return found
  }

  /// Entities that can have no objects any more, and had some (MC3110).
  func checkAbstraction() -> [Diagnostic] {
    changedEntities.filter { pair in
      pair.new.isAbstract && !pair.old.isAbstract
        && !isWritten(pair.old.name)
    }.map { pair in
      Diagnostic(
        .abstractEntityWithRows, .error,
        "'\(pair.new.name)' is abstract in '\(new.name)', but was not in '\(old.name)'",
        subject: subject(pair.new.name, nil, "abstract"),
        notes: ["every store with an object of '\(pair.new.name)' itself would be refused"],
        help: [
          "keep '\(pair.new.name)' concrete, or map its objects to a sub-entity",
          "if the app has never created one, allow this finding with that reason",
        ], cocoaCode: 134110)
    }
  }
}

extension Diagnostic {
  fileprivate static func required(
    _ requirement: Requirement, _ entity: String, _ step: VersionStep
  ) -> Self? {
    let (old, name) = (step.old.name, requirement.property.name)
    let (past, note, help): (String, Note, [String])
    switch (requirement.property, requirement.past) {
    case (.attribute, .absent):
      past = " and has no default: no object of '\(old)' has a value for it"
      note = "every store with an object of '\(entity)' would be refused"
      help = ["give '\(name)' a default, or make it optional"]
    case (.attribute, .optional):
      past = ", was optional in '\(old)', and has no default"
      note = "every store with an object that has no value for it would be refused"
      help = [
        "give '\(name)' a default, which then replaces nil, or leave it optional",
        "if the app has always given it a value, allow this finding with that reason",
      ]
    case (.relationship, .absent):
      past = " and no object of '\(old)' has it"
      note =
        "a default cannot replace an object: a store with an object of '\(entity)' no longer opens"
      help = ["make '\(name)' optional, or fill it in a custom step and require it in a version after that"]
    case (.relationship, .optional):
      past = " and was optional in '\(old)'"
      note = "objects without it migrate, and Core Data then refuses to save them after any change"
      help = ["let the app set it before it saves such objects, or leave '\(name)' optional"]
    case (_, .computed): return nil
    }
    let isAttribute = if case .attribute = requirement.property { true } else { false }
    let stops = isAttribute || requirement.past == .absent
    return Self(
      isAttribute ? .missingAttributeValues : .missingRelationshipValues, stops ? .error : .warning,
      "'\(entity).\(name)' is required in '\(step.new.name)'\(past)", subject: step.subject(entity, name),
      notes: [note], help: help, cocoaCode: stops ? 134110 : nil)
  }
}

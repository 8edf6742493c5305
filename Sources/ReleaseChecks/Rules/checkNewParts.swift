package import ManagedModel

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
        after.members(in: attributes).compactMap { mapping.requirement(of: $0, from: before) }
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

  /// New names against the custom (MC7021): entities begin with a capital letter, properties with a small one.
  func checkNaming() -> [Diagnostic] {
    var found: [Diagnostic] = []
    func add(_ name: String, _ rule: String, _ subject: ModelSubject) {
      found.append(
        .unusualName, .warning, "'\(name)': \(rule)", subject: subject,
        notes: ["a name can be changed freely only until its version is released"],
        help: [
          "rename it now; or if it is intended, "
            + new.notation.allowingAdvice(.unusualName, at: subject.fullName)
        ])
    }
    for entity in new.model.entities {
      if before.entity(named: entity.name) == nil, entity.name.first?.isLowercase == true {
        add(entity.name, "an entity's name begins with a capital letter", subject(entity.name))
      }
      for name in entity.attributes.map(\.name) + entity.relationships.map(\.name)
      where name.first?.isUppercase == true && before.attribute(named: name, of: entity.name) == nil
        && before.relationship(named: name, of: entity.name) == nil
      {
        add(name, "a property's name begins with a small letter", subject(entity.name, name))
      }
    }
    return found
  }

  /// New binary attributes without external storage: values lie in the store's pages, however large (MC7020).
  func checkLargeBinaries() -> [Diagnostic] {
    new.model.entities.flatMap { entity in
      after.members(in: entity.attributes).filter { attribute in
        attribute.type == .binary && !attribute.allowsExternalBinaryDataStorage
          && before.attribute(named: attribute.canonicalName, of: entity.canonicalName) == nil
          && before.attribute(named: attribute.name, of: entity.name) == nil
      }.map {
        Diagnostic(
          .binaryInStore, .warning, "the new binary '\(entity.name).\($0.name)' has no external storage",
          subject: subject(entity.name, $0.name),
          notes: ["large values make every scan of the table and every migration of it slow"],
          help: [
            (new.notation == .language
              ? "`externalStorage: true`"
              : new.notation == .xcode
                ? "Allows External Storage in Xcode" : "`@Attribute(.externalStorage)`")
              + " stores large values in files next to the store"
          ])
      }
    }
  }
}

extension Diagnostic.Code {
  package static let binaryInStore = Self("MC7020", level: .source)
  package static let unusualName = Self("MC7021", level: .source)
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
      note = "a default cannot replace an object: a store with an object of '\(entity)' no longer opens"
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

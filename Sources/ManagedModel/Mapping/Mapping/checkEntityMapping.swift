extension MappingResolution {
  /// Whether the entities that a mapping names exist.
  mutating func hasKnownEntities(_ mapping: CustomEntityMapping, _ place: MappingPlace) -> Bool {
    var isKnown = true
    func check(_ name: String?, _ key: String, _ version: ModelVersion, _ hierarchy: EntityHierarchy) {
      guard let name, hierarchy.entity(named: name) == nil else { return }
      isKnown = false
      let names = version.model.entities.map(\.name)
      let finding = Diagnostic(
        .unknownMapped, .error, "version '\(version.name)' has no entity '\(name)'", cocoaCode: 134110)
      let offered = nearMatch(to: name, among: names).map {
        finding.offering($0, .replace(with: .text($0.name)))
      }
      let known = Diagnostic.Note("its entities are \(names.prefix(30).joined(separator: ", "))")
      report(offered ?? finding.with { $0.notes = [known] }, place, key: key)
    }
    check(mapping.sourceEntityName, "source", source, sourceHierarchy)
    check(mapping.destinationEntityName, "destination", destination, destinationHierarchy)
    if mapping.sourceEntityName == nil, mapping.destinationEntityName == nil {
      report(
        .impossible(
          "the mapping '\(mapping.name)' has neither a source nor a destination",
          help: "give it 'source:', 'destination:' or both"), place)
      return false
    }
    return isKnown
  }

  /// The stated type where it is possible, else what source, destination and policy say.
  mutating func type(of mapping: EntityMapping, stated: MappingType?, _ place: MappingPlace) -> MappingType {
    let isSame =
      mapping.sourceEntityName == mapping.destinationEntityName
      && mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash
    let type: MappingType
    switch (mapping.sourceEntityName, mapping.destinationEntityName, mapping.policyName) {
    case (_, _, .some): type = .custom
    case (nil, _, nil): type = .add
    case (_, nil, nil): type = .remove
    default: type = isSame && mapping.copiesEverything ? .copy : .transform
    }
    guard let stated, stated != type else { return type }
    let (hasSource, hasDestination) = (mapping.sourceEntityName != nil, mapping.destinationEntityName != nil)
    let isWhole = hasSource && hasDestination
    let reason: String? =
      switch stated {
      case .add where hasSource: "it has a source"
      case .remove where hasDestination: "it has a destination"
      case .copy where !isWhole, .transform where !isWhole: "it needs a source and a destination"
      case .copy where !isSame: "the entity is not the same in both versions"
      default: nil
      }
    if let reason {
      report(
        .impossible(
          "the mapping cannot be of type '\(stated)': \(reason)",
          help: "leave 'type:' out; it follows from source, destination and policy"), place, key: "type")
    }
    if stated == .custom, mapping.policyName == nil {
      report(
        .impossible(
          "a custom mapping needs a policy", help: "name one with 'policy:', or leave 'type:' out"), place,
        key: "type")
    }
    return type
  }

  /// What the parts of one mapping say together.
  mutating func check(
    _ mapping: EntityMapping, writtenAs written: CustomEntityMapping, _ place: MappingPlace
  ) {
    if let name = mapping.policyName, let policyNames, name.matchPolicyName(among: policyNames) == nil {
      report(.unknownPolicy(name, among: policyNames.sorted()), place, key: "policy")
    }
    if written.onDrop == .repoint, mapping.grouping == nil {
      report(
        .impossible(
          "'repoint' needs an object that is kept, but this mapping has no 'groupBy'",
          help: "add 'groupBy:', or choose nullify, cascade or deny"), place, key: "onDrop")
    }
    if !written.groupBy.isEmpty, mapping.sourceEntityName == nil || mapping.destinationEntityName == nil {
      report(.impossible("'groupBy' needs a source and a destination"), place, key: "groupBy")
    }
    if written.dropsObjects, let entity = written.destinationEntityName {
      report(
        .impossible(
          "'drop: true' contradicts the destination '\(entity)'",
          help: "remove 'destination:' to drop the objects, or 'drop:' to keep them"), place, key: "drop")
    }
    guard mapping.policyName == nil, mapping.sourceEntityName != nil else { return }
    checkRequirements(mapping, writtenAs: written, place)
  }

  mutating func report(
    _ finding: Diagnostic, _ place: MappingPlace, _ property: String? = nil, key: String? = nil
  ) { diagnostics.append(place.located(finding, at: place.subject(property, key: key))) }

  /// Properties that would end up without a value.
  private mutating func checkRequirements(
    _ mapping: EntityMapping, writtenAs written: CustomEntityMapping, _ place: MappingPlace
  ) {
    guard let entity = mapping.destinationEntityName else { return }
    let named = Set((written.attributeMappings + written.relationshipMappings).map(\.name))
    for property in mapping.attributeMappings where property.value == .constant(nil) {
      guard let attribute = destinationHierarchy.attribute(named: property.name, of: entity),
        !attribute.isDerived
      else { continue }
      if !attribute.isOptional {
        report(
          .requiredWithoutValue(property.name, entity, "attributes"), place,
          named.contains(property.name) ? property.name : nil)
      } else if !named.contains(property.name), isEmptied(property.name, in: mapping, entity) {
        report(.emptiedInherited(property.name, entity), place)
      }
    }
    for property in mapping.relationshipMappings {
      if let other = leftOut(of: property, in: mapping, entity) {
        report(.leavesOut(property.name, entity, other), place, property.name)
      }
    }
    for property in mapping.relationshipMappings
    where property.value == .constant(nil) && !mapping.allowsEmpty {
      guard property.referrers.isEmpty,
        let relationship = destinationHierarchy.relationship(named: property.name, of: entity),
        relationship.mustLeadSomewhere, !isValueGiven(toInverseOf: relationship, orByPolicy: true)
      else { continue }
      report(
        .requiredWithoutValue(property.name, entity, "relationships"), place,
        named.contains(property.name) ? property.name : nil)
    }
  }

  /// A mapping of the same step that makes objects which the relationship leads to, and which its lookup does not ask: of a
  /// sub-entity. With an inverse that mapping sets it.
  private func leftOut(
    of property: PropertyMapping, in mapping: EntityMapping, _ entity: String
  ) -> CustomEntityMapping? {
    guard case .expression(let expression) = property.value, let (name, objects) = expression.lookup,
      let keys = objects.sourcePath, keys.count == 1,
      let old = sourceHierarchy.relationship(named: keys[0], of: mapping.sourceEntityName ?? ""),
      let new = destinationHierarchy.relationship(named: property.name, of: entity), new.inverseName == nil
    else { return nil }
    let mappings = mappingModels.flatMap(\.entityMappings)
    let asked = mappings.first { $0.name == name }?.sourceEntityName
    return mappings.first { other in
      guard let from = other.sourceEntityName, let to = other.destinationEntityName, from != asked else {
        return false
      }
      return sourceHierarchy.isKind(from, of: old.destinationEntityName)
        && destinationHierarchy.isKind(to, of: new.destinationEntityName)
    }
  }

  /// Whether the inherited property has a value in another mapping of the same file and none here.
  private func isEmptied(_ property: String, in mapping: EntityMapping, _ entity: String) -> Bool {
    guard let owner = destinationHierarchy.declaringEntityName(of: property, seenFrom: entity),
      owner != entity
    else { return false }
    return mappingModels.flatMap(\.entityMappings).contains { other in
      guard let destination = other.destinationEntityName, other.name != mapping.name,
        destinationHierarchy.isKind(destination, of: owner)
      else { return false }
      return other.attributeMappings.contains { $0.name == property && $0.expression != nil }
    }
  }
}

extension EntityMapping {
  /// Whether every object of the source comes with all of its values as they are.
  fileprivate var copiesEverything: Bool {
    filter == nil && grouping == nil
      && (attributeMappings + relationshipMappings).allSatisfy { mapping in
        if case .expression = mapping.value { false } else { true }
      }
  }
}

extension Diagnostic.Code {
  package static let requiredUnmapped = Self("MC4106")
  package static let emptiedInherited = Self("MC4107")
  package static let impossibleMapping = Self("MC4108")
  package static let unknownPolicy = Self("MC4201")
}

extension Diagnostic {
  static func impossible(_ message: String, help: String...) -> Self {
    Self(.impossibleMapping, .error, message, help: help)
  }

  fileprivate static func unknownPolicy(_ name: String, among names: [String]) -> Self {
    Self(
      .unknownPolicy, .error, "no policy '\(name)' is registered in this program",
      notes: [
        Note(names.isEmpty ? "it has no policies" : "it has \(names.joined(separator: ", "))"),
        "policies are Swift code: a program passes its own as `policies:`",
      ],
      help: .didYouMean(
        name.withoutModule, among: names.map(\.withoutModule),
        else: [
          "`modelc init --policies` writes a package that builds your own modelc, with a stub for each: port the app's code"
        ]), cocoaCode: 134170)
  }

  fileprivate static func requiredWithoutValue(_ name: String, _ entity: String, _ section: String) -> Self {
    let isAttribute = section == "attributes"
    return Self(
      .requiredUnmapped, .error, "'\(entity).\(name)' is required, and the mapping gives it no value",
      notes: [
        isAttribute
          ? "it has no default, and the source has no attribute with that name"
          : "the source has no relationship with that name"
      ],
      help: [
        "give it one under '\(section):', or make it optional"
          + (isAttribute ? "" : ", or write 'allowsEmpty: true' if the app gives it one later")
      ], cocoaCode: 1570)
  }

  fileprivate static func leavesOut(_ name: String, _ entity: String, _ other: CustomEntityMapping) -> Self {
    Self(
      .emptiedInherited, .warning,
      "'\(entity).\(name)' looks up the objects of one mapping: references to those of '\(other.name)' become empty",
      notes: [
        "objects of '\(other.sourceEntityName ?? "")' are found only by their own mapping, as in Core Data"
      ],
      help: ["leave '\(name):' out to keep references to all of them"])
  }

  fileprivate static func emptiedInherited(_ name: String, _ entity: String) -> Self {
    Self(
      .emptiedInherited, .warning, "the inherited '\(name)' of '\(entity)' stays empty here",
      notes: ["another mapping of this step gives it a value; each mapping sets inherited properties itself"],
      help: ["add '\(name):' under 'attributes:'; with no value after the colon it stays empty on purpose"])
  }
}

extension [CustomMappingModel] {
  /// The mapping model of one step, from the written mapping models and the two versions.
  ///
  /// Written mappings keep their order; the inferred mappings of all other entities follow. An entity is inferred where no
  /// mapping names it as destination and none names its source entity as source. With `inferred: false` in one of the
  /// mapping models nothing is inferred, and sources without a mapping are removed (Core Data's rule). Inferred mappings
  /// have Core Data's default names, `HutToHut`, which expressions may use.
  ///
  /// Within a written mapping, properties that are not named take the source's property of the same canonical name, as in
  /// inference; but the other end of a written relationship follows it. An empty value (`name:`) leaves an attribute its
  /// default and a relationship empty. Lookup tables become conditions, and calls of the migration manager's lookup become
  /// their short form, `destinationInstances(…)`.
  ///
  /// `inferred: false` marks Xcode's mapping models. Their mappings of entities that a version does not have are left out
  /// with one warning, and relationships without a value may be empty.
  ///
  /// - Parameters:
  ///   - policyNames: the registered policies; nil if nobody has asked for them yet.
  ///   - isForGate: whether nothing is to be carried out. What Xcode compiled and only Core Data can do is a warning then,
  ///     and a mapping model that only modelc finds an error.
  /// - Returns: the mapping model, and MC4101–MC4108, MC4111, MC4201–MC4207, what the checks of predicates and expressions say,
  ///   and what inference refuses in the rest. With an error among them the mapping model is only for display.
  package func resolved(
    from source: ModelVersion, to destination: ModelVersion, policyNames: Set<String>? = nil,
    isForGate: Bool = false
  ) -> (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    var resolution = MappingResolution(self, from: source, to: destination, policyNames)
    resolution.run()
    if isForGate, !isEmpty, allSatisfy(\.isOfXcode) {
      resolution.diagnostics = resolution.diagnostics.map(\.asInXcode)
    }
    return (
      MappingModel(entityMappings: resolution.entityMappings, isInferred: false),
      resolution.diagnostics.map { $0.located(in: destination) }.ordered
    )
  }
}

/// The work of `resolved(from:to:policyNames:)`.
struct MappingResolution {
  let mappingModels: [CustomMappingModel]
  let source: ModelVersion
  let destination: ModelVersion
  let policyNames: Set<String>?
  let completion: MappingCompletion
  var entityMappings: [EntityMapping] = []
  var diagnostics: [Diagnostic]

  init(
    _ mappingModels: [CustomMappingModel], from source: ModelVersion, to destination: ModelVersion,
    _ policyNames: Set<String>?
  ) {
    let (mappingModels, left) = mappingModels.withoutGoneEntities(from: source, to: destination)
    self.mappingModels = mappingModels
    diagnostics = left
    (self.source, self.destination, self.policyNames) = (source, destination, policyNames)
    completion = MappingCompletion(mappingModels, from: source, to: destination)
  }

  var sourceHierarchy: EntityHierarchy { completion.inference.sourceHierarchy }
  var destinationHierarchy: EntityHierarchy { completion.inference.destinationHierarchy }

  mutating func run() {
    for model in mappingModels {
      checkHashes(of: model)
      checkDecisions(of: model)
    }
    checkOrder()
    let completed = completion.mappings()
    diagnostics += completed.diagnostics
    let mapped = mappedEntities(with: completed.mappings)
    for model in mappingModels {
      for mapping in model.entityMappings {
        let place = MappingPlace(model, mapping, destination.name)
        guard hasKnownEntities(mapping, place) else { continue }
        if let resolved = resolve(mapping, of: model, mapped, place) { entityMappings.append(resolved) }
      }
    }
    checkRepetitions()
    checkEnds()
    // Policies may fill relationships of other mappings' objects, and Xcode's mapping models leave any empty.
    let allowsEmpty =
      !mappingModels.allSatisfy(\.infersOthers) || entityMappings.contains { $0.policyName != nil }
    entityMappings += completed.mappings.map { mapping in
      var mapping = mapping
      mapping.allowsEmpty = allowsEmpty
      return mapping
    }
    followWrittenEnds()
    for index in entityMappings.indices {
      entityMappings[index].droppedProperties = droppedProperties(of: entityMappings[index])
    }
    checkEmptyEnds()
    checkCoverage()
  }

  /// Every mapping that expressions may ask for, by name.
  private func mappedEntities(
    with completed: [EntityMapping]
  ) -> [String: MappingExpressionContext.MappedEntities] {
    let all =
      mappingModels.flatMap(\.entityMappings).map { ($0.name, $0.sourceEntityName, $0.destinationEntityName) }
      + completed.map { ($0.name, $0.sourceEntityName, $0.destinationEntityName) }
    return Dictionary(
      all.map { ($0, MappingExpressionContext.MappedEntities(source: $1, destination: $2)) }
    ) { $1 }
  }

  private mutating func resolve(
    _ mapping: CustomEntityMapping, of model: CustomMappingModel,
    _ mapped: [String: MappingExpressionContext.MappedEntities], _ place: MappingPlace
  ) -> EntityMapping? {
    let context = MappingExpressionContext(
      source: sourceHierarchy, destination: destinationHierarchy,
      sourceEntityName: mapping.sourceEntityName, destinationEntityName: mapping.destinationEntityName,
      mappings: mapped, lookupTables: model.lookupTables,
      isGrouped: !mapping.groupBy.isEmpty, hasPolicy: mapping.policyName != nil)
    let parts = MappingParts(mapping: mapping, context: context, place: place)
    var resolved = completion.basis(of: mapping)
    resolved.mapping.name = mapping.name
    resolved.mapping.userInfo = mapping.userInfo
    resolved.mapping.dropsObjects = mapping.dropsObjects
    resolved.mapping.policyName = mapping.policyName
    resolved.mapping.filter = parts.filter(&diagnostics)
    resolved.mapping.grouping = parts.grouping(&diagnostics)
    resolved.mapping.onDrop = mapping.onDrop ?? (mapping.groupBy.isEmpty ? .nullify : .repoint)
    // What a policy makes is its own. A mapping model of Xcode's leaves empty what it does not name, as Core Data does.
    resolved.mapping.allowsEmpty = mapping.allowsEmpty || mapping.policyName != nil || !model.infersOthers
    parts.setValues(of: &resolved.mapping, &diagnostics)
    giveWay(to: mapping, &resolved)
    if model.isOfXcode { takeAny(of: mapping, &resolved) }
    let named = Set((mapping.attributeMappings + mapping.relationshipMappings).map(\.name))
    diagnostics += resolved.diagnostics.filter { finding in
      finding.subject?.property.map { !named.contains($0) } ?? true
    }
    resolved.mapping.mappingType = type(of: resolved.mapping, stated: mapping.mappingType, place)
    check(resolved.mapping, writtenAs: mapping, place)
    return resolved.mapping
  }

  /// Which of several objects stays is not a question where a policy decides it, or where the mapping of the other side
  /// gives the value: then it is told from there alone.
  private func giveWay(
    to mapping: CustomEntityMapping, _ resolved: inout (mapping: EntityMapping, diagnostics: [Diagnostic])
  ) {
    guard let entity = mapping.destinationEntityName else { return }
    resolved.diagnostics.removeAll { finding in
      guard finding.code == .toManyBecomesToOne, let name = finding.subject?.property else { return false }
      if mapping.policyName != nil { return true }
      guard let relationship = destinationHierarchy.relationship(named: name, of: entity),
        isValueGiven(toInverseOf: relationship),
        let index = resolved.mapping.relationshipMappings.firstIndex(where: { $0.name == name })
      else { return false }
      resolved.mapping.relationshipMappings[index].value = .constant(nil)
      return true
    }
  }

  /// Which of several objects stays is not a question for Core Data: it takes any. The first is as good.
  private func takeAny(
    of mapping: CustomEntityMapping, _ resolved: inout (mapping: EntityMapping, diagnostics: [Diagnostic])
  ) {
    guard let entity = mapping.sourceEntityName else { return }
    for place in resolved.diagnostics.indices where resolved.diagnostics[place].code == .toManyBecomesToOne {
      guard let name = resolved.diagnostics[place].subject?.property,
        let index = resolved.mapping.relationshipMappings.firstIndex(where: { $0.name == name }),
        case let former = resolved.mapping.relationshipMappings[index].value.sourceName ?? name,
        sourceHierarchy.relationship(named: former, of: entity) != nil
      else { continue }
      let objects = Expression.keyPath([former], of: .variable("source"))
      resolved.mapping.relationshipMappings[index].value = .expression(
        .function(
          FunctionCall(
            receiver: .variable("manager"), relationshipLookupSelector, [.constant(.string(former)), objects])
        ))
      resolved.diagnostics[place] = resolved.diagnostics[place].asInXcode
    }
  }

  /// Whether some mapping of the step writes a value for the other side of a relationship.
  func isValueGiven(toInverseOf relationship: RelationshipDescription, orByPolicy: Bool = false) -> Bool {
    guard let inverse = relationship.inverseName else { return false }
    return mappingModels.flatMap(\.entityMappings).contains { mapping in
      guard let entity = mapping.destinationEntityName,
        destinationHierarchy.isKind(entity, of: relationship.destinationEntityName)
      else { return false }
      return orByPolicy && mapping.policyName != nil
        || mapping.relationshipMappings.contains { $0.name == inverse && $0.expression != nil }
    }
  }
}

/// Where the parts of one entity mapping stand, and what in the model they are about.
struct MappingPlace {
  private let map: SourceMap?
  private let name: String
  private let entity: String?
  private let version: String

  init(_ model: CustomMappingModel, _ mapping: CustomEntityMapping, _ version: String) {
    map = model.sourceMap
    isOfXcode = model.isOfXcode
    name = mapping.name
    entity = mapping.destinationEntityName ?? mapping.sourceEntityName
    self.version = version
  }

  /// In the terms of the mapping file; see ``CustomMappingModel/sourceMap``.
  func subject(_ property: String? = nil, key: String? = nil) -> ModelSubject {
    ModelSubject(entity: name, property: property, key: key)
  }

  /// Whether it was read from a file, whose reader has checked the syntax of its expressions.
  var isInFile: Bool { map != nil }

  /// Whether Core Data has it as it is.
  let isOfXcode: Bool

  /// The text of an expression or predicate.
  func textRange(_ subject: ModelSubject) -> SourceRange? { map?.textRange(of: subject) }

  /// The finding at its place in the file, and about the entity of the model.
  func located(_ diagnostic: Diagnostic, at subject: ModelSubject) -> Diagnostic {
    var located = diagnostic.found(in: subject, at: diagnostic.place)
    if let map { located = located.located(by: map) } else { located.edits = [] }
    located.subject = ModelSubject(version: version, entity: entity, property: subject.property)
    if located.place == nil, map == nil { located.notes.append(Diagnostic.Note("in the mapping '\(name)'")) }
    return located
  }
}

extension Diagnostic {
  /// What Xcode compiled is not an error: apps ship it, and Core Data gives it a meaning.
  var asInXcode: Diagnostic {
    let note: Diagnostic.Note
    switch code {
    case .mappedTypes:
      note = "Core Data reads a number from the start of a text, and leaves other values unchanged"
    case .unknownMappingMethod:
      note = "Core Data asks the object; modelc cannot, so it refuses to migrate"
    case .toManyBecomesToOne: note = "Core Data takes any of them, modelc takes the first"
    case .staleSnapshot: return with { $0.severity = .error }
    case .mappingsWithoutOrder:
      note = "Core Data uses the one that the app chooses, or all in the app's order"
    default: return self
    }
    guard severity == .error else { return self }
    return with {
      $0.severity = .warning
      $0.notes.append(note)
    }
  }
}

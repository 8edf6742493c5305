/// The inferred part of a step that is partly written.
struct MappingCompletion {
  /// An inference that has found nothing yet; each question takes a copy.
  let inference: Inference
  /// Whether sources without a mapping are inferred; else they go.
  let infersOthers: Bool
  /// Destination entity → source entity, as the names tell.
  let inferredPairs: [String: String]
  /// The same, where what is written comes first.
  private let pairs: [String: String]
  private let matches: [String: [String: String]]
  /// Source entity → entities of the destination that it becomes.
  private let successors: [String: Set<String>]
  private let namedSources: Set<String>
  private let namedDestinations: Set<String>
  private let mappingNames: Set<String>
  private let matching: [Diagnostic]

  init(_ models: [CustomMappingModel], from source: ModelVersion, to destination: ModelVersion) {
    let infersOthers = models.allSatisfy(\.infersOthers)
    let mappings = models.flatMap(\.entityMappings)
    let namedSources = Set(mappings.compactMap(\.sourceEntityName))
    let namedDestinations = Set(mappings.compactMap(\.destinationEntityName))
    (self.infersOthers, self.namedSources, self.namedDestinations) = (
      infersOthers, namedSources, namedDestinations
    )
    mappingNames = Set(mappings.map(\.name))
    inference = Inference(source: source, destination: destination)
    var names = inference
    inferredPairs = names.matchEntities()
    matching = names.diagnostics
    var pairs = inferredPairs.filter {
      infersOthers && !namedDestinations.contains($0.key) && !namedSources.contains($0.value)
    }
    var successors: [String: Set<String>] = Dictionary(pairs.map { ($1, [$0]) }) { $0.union($1) }
    for mapping in mappings {
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
        names.sourceHierarchy.entity(named: from) != nil, names.destinationHierarchy.entity(named: to) != nil
      else { continue }
      if pairs[to] == nil { pairs[to] = from }
      successors[from, default: []].insert(to)
    }
    (self.pairs, self.successors) = (pairs, successors)
    matches = names.matchRelationships(pairs)
  }

  /// What a written mapping is where it says no more than its two entities, and what inference has against that.
  func basis(of mapping: CustomEntityMapping) -> (mapping: EntityMapping, diagnostics: [Diagnostic]) {
    guard let name = mapping.destinationEntityName else {
      return (inference.removal(ofEntity: mapping.sourceEntityName ?? ""), [])
    }
    var pairs = pairs
    var matches = matches
    var inference = self.inference
    if let from = mapping.sourceEntityName, pairs[name] != from {
      pairs[name] = from
      matches[name] = inference.matchRelationships([name: from])[name]
    }
    let sources = RelationshipSources(inference, pairs: pairs, matches: matches, successors: successors)
    let found = inference.mapping(
      toEntity: name, from: mapping.sourceEntityName, sources: sources, pairs: pairs)
    return (found, inference.diagnostics.filter { isOfWeight($0, for: name) })
  }

  /// The mappings that nobody wrote, in the order of inference.
  func mappings() -> (mappings: [EntityMapping], diagnostics: [Diagnostic]) {
    // An abstract entity has no objects: what prevents its properties is told at heirs that nobody wrote.
    var (inference, ofAbstract) = (self.inference, self.inference)
    let sources = RelationshipSources(inference, pairs: pairs, matches: matches, successors: successors)
    var taken = mappingNames
    var found: [EntityMapping] = []
    for name in inference.destinationHierarchy.namesInNumberingOrder where !namedDestinations.contains(name) {
      var mapping =
        inference.destinationHierarchy.entity(named: name)?.isAbstract == true
        ? ofAbstract.mapping(toEntity: name, from: pairs[name], sources: sources, pairs: pairs)
        : inference.mapping(toEntity: name, from: pairs[name], sources: sources, pairs: pairs)
      if let from = mapping.sourceEntityName { mapping.name = uniqueName("\(from)To\(name)", &taken) }
      found.append(mapping)
    }
    let kept = namedSources.union(pairs.values)
    for name in inference.sourceHierarchy.namesInNumberingOrder where !kept.contains(name) {
      found.append(inference.removal(ofEntity: name))
    }
    // What names alone say about an entity is of no weight where a person has spoken.
    let aboutNames = infersOthers ? matching.filter { !isWritten($0.subject?.entity) } : []
    let aboutOthers = inference.diagnostics.filter {
      !isWritten($0.subject?.entity) && $0.code != .relationshipDestinationChanged
    }
    return (found, aboutNames + aboutOthers)
  }

  /// Where objects are recreated, a relationship may lead to another entity: it takes what became of the old objects.
  /// Two names of the source that stand for one are not riddle either: each is asked for by its own.
  private func isOfWeight(_ finding: Diagnostic, for entity: String) -> Bool {
    switch finding.code {
    case .relationshipDestinationChanged: false
    case .ambiguousRenaming:
      finding.subject?.property.map {
        inference.destinationHierarchy.attribute(named: $0, of: entity) != nil
          || inference.destinationHierarchy.relationship(named: $0, of: entity) != nil
      } ?? true
    default: true
    }
  }

  private func isWritten(_ entity: String?) -> Bool { entity.map(namedDestinations.contains) ?? false }
}

/// The name, with a number after it where it is taken.
package func uniqueName(_ name: String, _ taken: inout Set<String>, from first: Int = 2) -> String {
  var (unique, number) = (name, first)
  while !taken.insert(unique).inserted {
    unique = "\(name)\(number)"
    number += 1
  }
  return unique
}

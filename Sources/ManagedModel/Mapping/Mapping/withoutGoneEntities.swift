extension [CustomMappingModel] {
  /// Mapping models without the entity mappings that name entities which a version does not have.
  ///
  /// Only with `inferred: false`: those are Xcode's mapping models, which apps ship with such leftovers. In other mapping
  /// files an unknown entity is an error.
  ///
  /// - Returns: the mapping models, and one warning (MC4102) for each that lost a mapping.
  func withoutGoneEntities(from source: ModelVersion, to destination: ModelVersion) -> (
    mappingModels: [CustomMappingModel], diagnostics: [Diagnostic]
  ) {
    let sources = Set(source.model.entities.map(\.name))
    let destinations = Set(destination.model.entities.map(\.name))
    var diagnostics: [Diagnostic] = []
    var kept = self
    for index in kept.indices where !kept[index].infersOthers {
      let model = kept[index]
      var left: [String] = []
      kept[index].entityMappings.removeAll { mapping in
        let lost =
          missing(mapping.sourceEntityName, in: source.name, sources)
          ?? missing(mapping.destinationEntityName, in: destination.name, destinations)
        if let lost { left.append("\(mapping.name): \(lost)") }
        return lost != nil
      }
      guard !left.isEmpty else { continue }
      diagnostics.append(
        .unknownMapped, .warning,
        left.count == 1
          ? "1 entity mapping is for an entity that does not exist, and is left out"
          : "\(left.count) entity mappings are for entities that do not exist, and are left out",
        subject: ModelSubject(version: destination.name),
        place: model.sourceMap?.nearestRange(to: ModelSubject(key: "entityMappings")),
        notes: left.notes(atMost: 20),
        help: ["remove them from the mapping model, if the entities were removed on purpose"])
    }
    return (kept, diagnostics)
  }
}

/// What a mapping misses, for a note; nil if it misses nothing.
private func missing(_ entity: String?, in version: String, _ entities: Set<String>) -> String? {
  guard let entity, !entities.contains(entity) else { return nil }
  let near = nearestName(to: entity, among: Array(entities).sorted()).map { "; did you mean '\($0)'?" } ?? ""
  return "'\(version)' has no entity '\(entity)'\(near)"
}

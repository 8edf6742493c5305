import ManagedModel

extension VersionedModel {
  /// Versions of a mapping model that it does not have.
  func lacks(_ mapping: CustomMappingModel) -> [String] {
    [mapping.sourceVersionName, mapping.destinationVersionName].filter { version(named: $0) == nil }
  }

  /// Whether the two versions have the entities that a mapping model names.
  func hasEntities(of mapping: CustomMappingModel) -> Bool {
    func has(_ name: String?, _ version: String) -> Bool {
      name.map { self.version(named: version)?.model.entitiesByName[$0] != nil } ?? true
    }
    return mapping.entityMappings.allSatisfy {
      has($0.sourceEntityName, mapping.sourceVersionName)
        && has($0.destinationEntityName, mapping.destinationVersionName)
    }
  }
}

extension CustomMigrations {
  /// What names a model or a version that a program does not have, which would never be used, and mapping models that fit
  /// more than one model.
  func checkNames(among models: [VersionedModel]) -> [Diagnostic] {
    let known = models.map(\.name)
    let unknown = Set(mappingModels.keys).union(postProcessing.keys).subtracting(known).sorted()
    var found = unknown.map { name in
      Diagnostic(
        .mappingOfOtherVersions, .error,
        "mapping models or post-processing steps are passed for the model '\(name)', which does not exist",
        notes: ["none of them would run", "the models are \(known.listed)"],
        help: .didYouMean(name, among: known))
    }
    for model in models {
      for mapping in mappingModels[model.name] ?? [] {
        let what = "the mapping from '\(mapping.sourceVersionName)' to '\(mapping.destinationVersionName)'"
        found += model.lacks(mapping).map { .unknownVersion($0, what, of: model) }
        let others = models.filter { mappingModels[$0.name]?.contains(mapping) == true }
        if others.count < 2 { continue }
        found.append(
          Diagnostic(
            .mappingOfOtherVersions, .warning,
            "\(what) fits the models \(others.map(\.name).listed), and is used for all of them",
            help: ["say which it is for: `CustomMigrations(mappingModels: [\"\(others[0].name)\": …])`"]))
      }
      for step in postProcessing[model.name] ?? [] where model.version(named: step.versionName) == nil {
        found.append(.unknownVersion(step.versionName, "post-processing step '\(step.name)'", of: model))
      }
    }
    return found.ordered
  }
}

extension Diagnostic {
  fileprivate static func unknownVersion(_ name: String, _ what: String, of model: VersionedModel) -> Self {
    let names = model.versions.map(\.name)
    return Self(
      .mappingOfOtherVersions, .error,
      "\(what) is for the version '\(name)', which '\(model.name)' does not have",
      notes: ["it would never run", Note("its versions are \(names.listed)")],
      help: .didYouMean(name, among: names))
  }
}

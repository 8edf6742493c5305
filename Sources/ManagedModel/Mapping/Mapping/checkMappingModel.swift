extension MappingResolution {
  /// Whether the versions are still those that a mapping model was written for.
  mutating func checkHashes(of model: CustomMappingModel) {
    let edited = moved(since: model.versionHashes)
    if !edited.isEmpty { report(.versionMoved(edited, model), at: "versionHashes", of: model) }
    let outdated = moved(since: model.snapshotHashes) { $0.allSatisfy(\.isInSnapshots) }
    if !outdated.isEmpty { report(.staleSnapshot(outdated, model), at: "versionHashes", of: model) }
    let others = model.versionHashes.keys.filter { $0 != source.name && $0 != destination.name }.sorted()
    if others.isEmpty { return }
    let finding = Diagnostic(
      .mappingOfOtherVersions, .error,
      "'versionHashes' is for \(others.map { "'\($0)'" }.joined(separator: ", ")), but this step has other versions",
      help: ["`modelc map rebase` writes the hashes of the two versions"])
    report(finding, at: "versionHashes", of: model)
  }

  /// The entities of the two versions whose hashes do not begin with what was recorded.
  private func moved(
    since recorded: [String: [String: String]],
    where isKnown: ([AttributeDescription]) -> Bool = { _ in true }
  ) -> [String] {
    [source, destination].flatMap { version -> [String] in
      let hierarchy = EntityHierarchy(version.model)
      let hashes = (recorded[version.name] ?? [:]).sorted { $0.key < $1.key }
      return hashes.compactMap { entity, digits in
        let hash = version.entityVersionHashesByName[entity]?.hexadecimal
        guard hash?.hasPrefix(digits.lowercased()) != true, isKnown(hierarchy.attributes(of: entity)) else {
          return nil
        }
        return "\(version.name).\(entity)"
      }
    }
  }

  /// Two mappings of one name; and two from one entity to the same, of which neither chooses: they would make every
  /// object twice.
  mutating func checkRepetitions() {
    let all = mappingModels.flatMap { model in model.entityMappings.map { (model, $0) } }
    let names = all.map(\.1.name)
    for (index, (model, mapping)) in all.enumerated() {
      let place = MappingPlace(model, mapping, destination.name)
      let first = names.firstIndex(of: mapping.name) ?? index
      if first < index {
        let finding = Diagnostic(
          .withoutMapping, .error, "two entity mappings of this step are named '\(mapping.name)'",
          notes: ["expressions refer to a mapping by its name"], help: ["give one of them another name"])
        report(finding, place)
      }
      guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName,
        mapping.filter == nil, mapping.policyName == nil
      else { continue }
      let other = all.first { _, other in
        other.name != mapping.name && other.sourceEntityName == from && other.destinationEntityName == to
          && other.filter == nil && other.policyName == nil
      }?.1.name
      guard let other, first > names.firstIndex(of: other) ?? 0 else { continue }
      report(
        Diagnostic(
          .withoutMapping, .error,
          "'\(other)' and '\(mapping.name)' both create a '\(to)' from every '\(from)'",
          notes: ["every object would be created twice"], help: ["give both a 'where:', or remove one"]),
        place)
    }
  }

  /// Objects that nothing takes along, and entities that start empty though they had objects.
  mutating func checkCoverage() {
    guard let model = mappingModels.first else { return }
    let written = mappingModels.flatMap(\.entityMappings)
    let sources = Set(written.compactMap(\.sourceEntityName))
    let destinations = Set(written.compactMap(\.destinationEntityName))
    let isFile = model.sourceMap != nil
    if !completion.infersOthers {
      for entity in source.model.entities where !entity.isAbstract && !sources.contains(entity.name) {
        report(
          Diagnostic(
            .objectsUnread, .warning,
            "the objects of '\(entity.name)' are read by no mapping, so they are dropped",
            notes: [
              isFile
                ? "with 'inferred: false' an entity without a mapping is removed, as in Core Data"
                : "Core Data removes what no entity mapping of a mapping model reads"
            ],
            help: [
              isFile
                ? "add a mapping for it, or drop them on purpose: '\(entity.name): {source: \(entity.name), drop: true}'"
                : "add an entity mapping for it in Xcode, or list it under `retired:` in a modelc.yaml next to the package"
            ]), at: "entityMappings", of: model, entity.name)
      }
    }
    for entity in destination.model.entities where !entity.isAbstract && !destinations.contains(entity.name) {
      guard let past = completion.inferredPairs[entity.name],
        !completion.infersOthers || sources.contains(past)
      else { continue }
      report(
        Diagnostic(
          .withoutMapping, .warning, "'\(entity.name)' starts empty: no mapping creates its objects",
          notes: [Diagnostic.Note("the objects of '\(past)' are mapped elsewhere or dropped")],
          help: [
            isFile
              ? "add a mapping with 'source: \(past)' and 'destination: \(entity.name)', if they should be kept"
              : "add an entity mapping from \(past) to \(entity.name) to the mapping model in Xcode, if they should be kept"
          ]), at: "entityMappings", of: model, entity.name)
    }
  }

  mutating func report(
    _ diagnostic: Diagnostic, at key: String, of model: CustomMappingModel, _ entity: String? = nil
  ) {
    var located = diagnostic
    if let map = model.sourceMap { located.place = map.nearestRange(to: ModelSubject(key: key)) }
    located.subject = ModelSubject(version: destination.name, entity: entity)
    diagnostics.append(located)
  }
}

extension AttributeDescription {
  /// Whether genuine snapshots show how Xcode's editor archives it.
  fileprivate var isInSnapshots: Bool {
    !isDerived && type != .composite && !preservesValueInHistoryOnDeletion
  }
}

extension Diagnostic.Code {
  /// A mapping model is bound to hashes that no version has, or that its versions have no longer.
  package static let mappingOfOtherVersions = Self("MC4101")
  package static let withoutMapping = Self("MC4103")
  /// A mapping model of Xcode's keeps a snapshot of a version that is not the version of today.
  package static let staleSnapshot = Self("MC4211")
  package static let objectsUnread = Self("MC4104")
}

extension Diagnostic {
  fileprivate static func versionMoved(_ entities: [String], _ model: CustomMappingModel) -> Self {
    let step = "\(model.sourceVersionName) \(model.destinationVersionName)"
    return Self(
      .mappingOfOtherVersions, .error,
      "the mapping is bound to version hashes that have changed: \(entities.joined(separator: ", "))",
      notes: ["a version was edited after the mapping was written, so the mapping may miss the change"],
      help: ["look at what changed, then `modelc map rebase \(step)` binds it to the versions as they are"],
      cocoaCode: 134140)
  }

  /// Refuses nothing: modelc goes by the names of the versions. In the gate it is an error.
  fileprivate static func staleSnapshot(_ entities: [String], _ model: CustomMappingModel) -> Self {
    Self(
      .staleSnapshot, .warning,
      "Core Data will not find the mapping model from '\(model.sourceVersionName)' to '\(model.destinationVersionName)': its snapshot has other version hashes for \(entities.listed)",
      place: model.foundPath.map { SourceRange(startOf: "\($0)/xcmapping.xml") },
      notes: [
        "an .xcmappingmodel keeps a snapshot of both versions, and Xcode compiles their hashes into the app",
        "in the app the step is inferred instead, or the store is refused",
      ],
      help: [
        "open the mapping model in Xcode, choose Editor > Refresh Data Models, and save it",
        "or, if the app loads it by its URL, write into a modelc.yaml next to the package: `allow: [{code: MC4211, version: \(model.destinationVersionName), reason: loaded by URL}]`",
      ],
      cocoaCode: 134140)
  }
}

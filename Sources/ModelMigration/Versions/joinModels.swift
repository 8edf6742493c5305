import ManagedModel
package import PersistentStore

/// The models among which a store is looked for, and what a project adds to inference. Where Core Data merged several
/// models when it opened the store, the joined model is one more.
///
/// With a single model the store is not read.
///
/// - Parameters:
///   - target: the name of a version of one of them, or of a joined version; the others then go to their current ones, or stay
///     where this one goes back.
///   - isDowngrade: whether that may stand before the store's version.
///   - ends: the versions that another store of the same models has, which are then the targets.
/// - Returns: with the target by the joined model's name for it; what none of them has stays as it is.
/// - Throws: ``DiagnosticsError`` where one of the merged models has no way to its target, or two say different things
///   under one name.
package func joiningModels(
  _ models: [VersionedModel], _ custom: CustomMigrations, for metadata: StoreMetadata, store: String,
  to target: String?, isDowngrade: Bool, ends: [RecognisedVersion] = []
) throws -> (models: [VersionedModel], custom: CustomMigrations, target: String?) {
  guard models.count > 1 else { return (models, custom, target) }
  let parts = recogniseStore(metadata: metadata, among: models).mergedFrom
  guard !parts.isEmpty else { return (models, custom, target) }
  let names = (target ?? "").split(separator: "+").map(String.init)
  var ways = try parts.enumerated().compactMap { index, part in
    try models.first { $0.name == part.modelName }.map { model in
      let end = ends.first { $0.modelName == model.name }?.versionName
      let wanted = [end, names.count == parts.count ? names[index] : nil, target].compactMap(\.self)
      return try partPath(
        of: model, from: part, to: wanted.lazy.compactMap(model.askedVersion).first, store: store, custom,
        isDowngrade: isDowngrade)
    }
  }
  // The versions of the joined model stand in one order: where one of the models goes back, no other goes on.
  let isDowngradePath = ways.contains(where: \.isDowngradePath)
  if isDowngradePath { ways = ways.map(\.reversed) }
  let join = ModelJoin(ways: ways)
  let joined = try join.model()
  var custom = custom
  custom.mappingModels[joined.name] = join.mappingModels(custom)
  custom.postProcessing[joined.name] = join.postProcessing(custom)
  let end = (isDowngradePath ? joined.versions.first : joined.versions.last)?.name
  return (models + [joined], custom, ways.contains(where: \.isNamed) ? end : target)
}

/// How the objects of one of the models get to their target.
private struct PartPath {
  var model: VersionedModel
  var versions: [ModelVersion]
  /// Whether the target was asked for.
  var isNamed: Bool

  var isDowngradePath: Bool { model.isDowngradePath(versions) }

  /// A way back in the order of its versions; another one at its beginning.
  var reversed: PartPath {
    var way = self
    way.versions = isDowngradePath ? versions.reversed() : Array(versions.prefix(1))
    return way
  }
}

private func partPath(
  of model: VersionedModel, from part: RecognisedVersion, to named: ModelVersion?, store: String,
  _ custom: CustomMigrations, isDowngrade: Bool
) throws -> PartPath {
  guard let target = named ?? model.currentVersion else {
    throw UnknownVersionError(name: model.currentVersionName, models: [model])
  }
  let path = try migrationPath(
    in: model, from: [part.versionName], to: target, store: store,
    isDowngrade: isDowngrade && named != nil)
  let way = PartPath(model: model, versions: path, isNamed: named != nil)
  guard let first = path.first, let last = path.last, path.count > 2,
    !custom.mappingModels(of: model.name, from: first.name, to: last.name).isEmpty
  else { return way }
  // A mapping model for the whole way is taken before any for a part of it.
  return PartPath(model: model, versions: [first, last], isNamed: way.isNamed)
}

/// Several models as one. Its versions are the steps of all: the first model goes its whole path, then the second.
private struct ModelJoin {
  let ways: [PartPath]

  private var name: String { ways.map(\.model.name).joined(separator: "+") }

  /// The version at which one model has come so far, those before it are at their ends and the others have not begun.
  private func name(of part: Int, at place: Int) -> String {
    ways.indices.map { ways[$0].versions[self.place(of: $0, while: part, isAt: place)].name }
      .joined(separator: "+")
  }

  private func place(of other: Int, while part: Int, isAt place: Int) -> Int {
    other == part ? place : other < part ? ways[other].versions.count - 1 : 0
  }

  func model() throws(DiagnosticsError) -> VersionedModel {
    var versions: [ModelVersion] = []
    for (part, way) in ways.enumerated() {
      for place in way.versions.indices where place > 0 || part == 0 {
        if let version = try version(of: part, at: place) { versions.append(version) }
      }
    }
    var model = VersionedModel(name: name, versions: versions, currentVersionName: versions.last?.name ?? "")
    model.isStepwise = ways.contains(where: \.model.isStepwise)
    model.stages = ways.indices.flatMap(stages)
    return model
  }

  private func version(of part: Int, at place: Int) throws(DiagnosticsError) -> ModelVersion? {
    let parts = ways.indices.map { other in
      (ways[other].model.name, ways[other].versions[self.place(of: other, while: part, isAt: place)])
    }
    guard let merged = mergeVersions(parts) else { return nil }
    if merged.diagnostics.hasErrors { throw DiagnosticsError(merged.diagnostics) }
    var version = merged.version
    version.allowsInference = ways[part].versions[place].allowsInference
    return version
  }

  /// Where a version of one of the models stands, under the names of the joined one.
  private func names(of part: Int) -> [String: String] {
    let named = ways[part].versions.enumerated().map { ($1.name, name(of: part, at: $0)) }
    return Dictionary(firstOf: named)
  }

  private func stages(of part: Int) -> [MigrationStage] {
    let names = names(of: part)
    return ways[part].model.stages.compactMap { stage in
      guard case .custom(var custom) = stage, let current = names[custom.currentVersionName],
        let next = names[custom.nextVersionName]
      else { return nil }
      (custom.currentVersionName, custom.nextVersionName) = (current, next)
      return .custom(custom)
    }
  }

  func postProcessing(_ custom: CustomMigrations) -> [PostProcessingStep] {
    ways.indices.flatMap { part in
      let names = names(of: part)
      return (custom.postProcessing[ways[part].model.name] ?? []).compactMap { step in
        names[step.versionName].map { name in
          var step = step
          step.versionName = name
          return step
        }
      }
    }
  }

  func mappingModels(_ custom: CustomMigrations) -> [CustomMappingModel] {
    ways.indices.flatMap { part in
      (custom.mappingModels[ways[part].model.name] ?? []).compactMap { joined($0, of: part) }
    }
  }

  /// The mapping between the joined versions; nil for one off the way.
  private func joined(_ mapping: CustomMappingModel, of part: Int) -> CustomMappingModel? {
    let names = names(of: part)
    guard let source = names[mapping.sourceVersionName],
      let destination = names[mapping.destinationVersionName]
    else { return nil }
    var joined = mapping
    (joined.sourceVersionName, joined.destinationVersionName) = (source, destination)
    joined.versionHashes = Dictionary(mapping.versionHashes.map { (names[$0] ?? $0, $1) }) { $1 }
    // What removes an entity by leaving it out knows only those of its own model.
    if !joined.infersOthers { joined.entityMappings += keptEntities(of: part) }
    return joined
  }

  private func keptEntities(of part: Int) -> [CustomEntityMapping] {
    let own = Set(ways[part].versions.flatMap { $0.model.entities.map(\.name) })
    return ways.indices.filter { $0 != part }.flatMap { other in
      let place = place(of: other, while: part, isAt: 0)
      return ways[other].versions[place].model.entities.map(\.name).filter { !own.contains($0) }.map { name in
        CustomEntityMapping(name: "\(name)To\(name)", sourceEntityName: name, destinationEntityName: name)
      }
    }
  }
}

package import ManagedModel
import PersistentStore

extension MigrationRequest {
  /// The way from the model that the store itself carries, where no version at hand has its hashes: Core Data takes it as
  /// the source as well.
  ///
  /// - Parameter recognition: with the nearest versions, which tell the store's app from another one.
  /// - Returns: nil if the store carries none that its hashes confirm, or shares no entity with any version.
  /// - Throws: ``DiagnosticsError`` with MC5112 where the store is newer than every version.
  func startFromOwnModel(
    _ own: ManagedObjectModel?, _ recognition: Recognition
  ) throws(DiagnosticsError) -> MigrationStart? {
    let name = options.targetVersion
    guard let own, recognition.mergedFrom.isEmpty, let nearest = recognition.nearest.first,
      nearest.isOfSameApp,
      let model = models.first(where: { $0.name == nearest.modelName }),
      let target = model.askedVersion(name ?? model.currentVersionName)
    else { return nil }
    // To the current version no newer store is taken back.
    if name == nil, recognition.released == nil {
      if let sign = signOfNewerVersion(own, than: target, in: model) {
        let (word, version) = (store.shellWord, model.versions.first)
        let place = version?.notation == .language ? " --into \(model.name.shellWord)" : ""
        // A model in YAML would stand beside the package.
        let making =
          version?.packagePath.map { "`modelc export \(word) --as xcdatamodeld -o \($0.shellWord)`" }
          ?? "`modelc adopt \(word)\(place)`"
        throw DiagnosticsError(
          .storeOfUnknownLaterVersion, "'\(store)' is newer than every version here: \(sign)",
          notes: [
            "migrating it to '\(target.name)' would drop what the newer version added, and no newer app would open it"
          ],
          help: [
            "check out the revision that has its version: a newer branch or tag (`git fetch --all --tags`, `git log --all`)",
            "or make a version from the model that the store contains: \(making)",
            "`modelc plan \(word) --to \(target.name.shellWord)` shows what a downgrade would lose",
          ], cocoaCode: 134506)
      }
    }
    let source = ModelVersion(name: MigrationPlan.ownModelName, model: own, origin: .xcode)
    let finding = Diagnostic(
      .recognisedByOwnModel, .warning,
      "'\(store)' matches no version here: its migration to '\(target.name)' starts from the model that the store contains",
      notes: ["the model in Z_MODELCACHE has the store's hashes"]
        + (recognition.released.map { [$0.note] } ?? []),
      help: [recognition.releasedHelp ?? "to keep that version: \(recognition.adoptionAdvice(for: store))"])
    return (model, [source, target], nil, [finding])
  }
}

/// Why a store came after the target, by its own model; nil if it may as well be of a version that got lost before.
///
/// It has what no version here has, while it has all that is new in the target, or some of it, or lacks what every
/// version has: a later version removed that.
private func signOfNewerVersion(
  _ own: ManagedObjectModel, than target: ModelVersion, in model: VersionedModel
) -> String? {
  let (mine, theirs) = (namedItems(of: own), namedItems(of: target.model))
  let versions = model.versions.map { version in
    Set(namedItems(of: version.model).flatMap { [$0.name, $0.canonical] })
  }
  let held = Set(mine.flatMap { [$0.name, $0.canonical] })
  let current = Dictionary(firstOf: theirs.map { ($0.canonical, $0.name) })
  let unknown = mine.filter { item in
    guard !versions.contains(where: { $0.contains(item.name) }) else { return false }
    // What the target renamed has another name in the versions before it.
    return current[item.canonical].map { $0 == item.canonical }
      ?? !versions.contains { $0.contains(item.canonical) }
  }.map(\.name)
  let known = "no version of '\(model.name)' has \(unknown.quoted(3))"
  guard let predecessor = model.lineage(of: target).dropFirst().first else {
    // SwiftData infers from whatever an app without versions made before; what has no place any more is a loss.
    return unknown.isEmpty || target.notation == .swiftData ? nil : known
  }
  func isHeld(_ item: (name: String, canonical: String)) -> Bool {
    held.contains(item.canonical) || held.contains(item.name)
  }
  let old = Set(namedItems(of: predecessor.model).map(\.canonical))
  let added = theirs.filter { !old.contains($0.canonical) }
  let gone = theirs.filter { item in
    !isHeld(item) && versions.allSatisfy { $0.contains(item.canonical) || $0.contains(item.name) }
  }
  let hasNew = added.contains(where: isHeld)
  if !unknown.isEmpty { return added.allSatisfy(isHeld) || hasNew || !gone.isEmpty ? known : nil }
  return hasNew && !gone.isEmpty
    ? "it lacks \(gone.map(\.name).quoted(3)), which every version of '\(model.name)' has" : nil
}

/// Entities and properties, by their names and by those that renaming identifiers say.
private func namedItems(of model: ManagedObjectModel) -> [(name: String, canonical: String)] {
  model.entities.flatMap { entity in
    let properties =
      entity.attributes.filter { !$0.isTransient }.map { ($0.name, $0.canonicalName) }
      + entity.relationships.filter { !$0.isTransient }.map { ($0.name, $0.canonicalName) }
    return [(entity.name, entity.canonicalName)]
      + properties.map { ("\(entity.name).\($0.0)", "\(entity.canonicalName).\($0.1)") }
  }
}

extension [String] {
  /// Of versions with equal hashes, the one from which least is lost on the way to the target; the latest of those that
  /// lose the same.
  ///
  /// They differ in facts that no hash contains: renaming identifiers, most of all, may be there by accident.
  func chooseAmongEqual(in model: VersionedModel, to target: ModelVersion, store: String) -> (
    names: [String], diagnostics: [Diagnostic]
  ) {
    guard count > 1, !contains(target.name) else { return (self, []) }
    let latest = model.origins(of: target).first { contains($0.name) } ?? last.flatMap(model.version)
    guard let latest else { return (self, []) }
    var (chosen, least) = (latest, losses(from: latest, to: target))
    if least == (0, 0, 0) { return (self, []) }
    for version in reversed().compactMap(model.version) where version.name != latest.name {
      let lost = losses(from: version, to: target)
      if lost < least { (chosen, least) = (version, lost) }
    }
    if chosen.name == latest.name { return (self, []) }
    let finding = Diagnostic(
      .readAsEqualVersion, .information,
      "'\(store)' is read as '\(chosen.name)': '\(latest.name)' has the same hashes, but a migration from it to '\(target.name)' would lose more",
      subject: ModelSubject(version: chosen.name),
      notes: ["the two differ in details that no hash contains, such as renaming identifiers"])
    return ([chosen.name], [finding])
  }
}

/// What conflicts with the step, entities and properties without a place in the target; the first counts for most.
private func losses(from source: ModelVersion, to target: ModelVersion) -> (Int, Int, Int) {
  let (mapping, diagnostics) = inferMappingModel(from: source, to: target)
  let refusals = diagnostics.count { $0.severity == .error }
  let entities = mapping.entityMappings.count { $0.destinationEntityName == nil }
  return (refusals, entities, mapping.possibleLosses(path: [source, target]).count)
}

extension Diagnostic.Code {
  package static let storeOfUnknownLaterVersion = Self("MC5112")
  package static let readAsEqualVersion = Self("MC5110")
}

extension Diagnostic {
  /// - Parameter models: those that take the store to different versions.
  static func storeOfSeveralModels(_ store: String, _ models: [VersionedModel]) -> Self {
    let choices = models.map { model in
      model.currentVersion?.packagePath.map { "`--models \($0.shellWord)`" }
        ?? "`--model \(model.name.shellWord)`"
    }
    return Self(
      .readAsEqualVersion, .error,
      "'\(store)' fits equal versions of \(models.count) models: \(models.map(\.name).listed)",
      notes: ["once it is migrated to a version of one of them, the app of the other cannot open it"],
      help: ["name the model of the store's app: \(choices.joined(separator: " or "))"])
  }
}

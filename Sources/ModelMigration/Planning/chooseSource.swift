package import ManagedModel
import ModelMapping
import PersistentStore
import StoreVerification

/// From where a store sets out, and to where.
struct MigrationStart {
  var model: VersionedModel
  /// The versions from the store's own to the target.
  var path: [ModelVersion]
  /// The configuration whose entities the store holds; nil where it holds all.
  var configuration: String?
  /// What there is to say about the choice.
  var diagnostics: [Diagnostic] = []
}

/// The way from the model that the store itself carries, where no version at hand has its hashes: Core Data takes it as
/// the source as well.
///
/// - Parameter recognition: with the nearest versions, which tell the store's app from another one.
/// - Returns: nil where the store carries none that its hashes confirm, or shares no entity with any version.
func startFromOwnModel(
  _ own: ManagedObjectModel?, of store: String, _ recognition: Recognition, among models: [VersionedModel],
  target name: String?
) -> MigrationStart? {
  guard let own, recognition.mergedFrom.isEmpty, let nearest = recognition.nearest.first,
    nearest.isOfSameApp,
    let model = models.first(where: { $0.name == nearest.modelName }),
    let target = model.version(named: name ?? model.currentVersionName)
  else { return nil }
  let source = ModelVersion(name: MigrationPlan.ownModelName, model: own, origin: .xcode)
  return MigrationStart(
    model: model, path: [source, target],
    diagnostics: [.sourceIsOwnModel(store, target: target.name, recognition)])
}

/// Of versions with equal hashes, the one from which least is lost on the way to the target; the latest of those that
/// lose the same.
///
/// They differ in facts that no hash contains: renaming identifiers, most of all, may be there by accident.
func chooseAmongEqual(
  _ names: [String], in model: VersionedModel, to target: ModelVersion, store: String
) -> (names: [String], diagnostics: [Diagnostic]) {
  guard names.count > 1, !names.contains(target.name) else { return (names, []) }
  let latest =
    model.origins(of: target).first { names.contains($0.name) } ?? names.last.flatMap(model.version)
  guard let latest else { return (names, []) }
  var (chosen, least) = (latest, losses(from: latest, to: target))
  if least == (0, 0, 0) { return (names, []) }
  for version in names.reversed().compactMap(model.version) where version.name != latest.name {
    let lost = losses(from: version, to: target)
    if lost < least { (chosen, least) = (version, lost) }
  }
  if chosen.name == latest.name { return (names, []) }
  return ([chosen.name], [.readAsEqual(store, chosen.name, insteadOf: latest.name, to: target.name)])
}

/// What stands against the step, entities and properties without a place in the target; the first counts for most.
private func losses(from source: ModelVersion, to target: ModelVersion) -> (Int, Int, Int) {
  let (mapping, diagnostics) = inferMappingModel(from: source, to: target)
  let refusals = diagnostics.count { $0.severity == .error }
  let entities = mapping.entityMappings.count { $0.destinationEntityName == nil }
  return (refusals, entities, findPossibleLosses(mapping, path: [source, target]).count)
}

extension Diagnostic.Code {
  package static let readAsEqualVersion = Self("MC5110")
}

extension Diagnostic {
  fileprivate static func sourceIsOwnModel(
    _ store: String, target: String, _ recognition: Recognition
  ) -> Self {
    Self(
      .recognisedByOwnModel, .warning,
      "'\(store)' matches no version here: the model that it carries is the source of its way to '\(target)'",
      notes: ["the model in Z_MODELCACHE gives the store's hashes"]
        + (recognition.released.map { [$0.note] } ?? []),
      help: [
        recognition.released?.help ?? "to keep that version: \(recognition.adoptionAdvice(for: store))"
      ])
  }

  fileprivate static func readAsEqual(
    _ store: String, _ name: String, insteadOf other: String, to target: String
  ) -> Self {
    Self(
      .readAsEqualVersion, .information,
      "'\(store)' is read as '\(name)': from '\(other)', which has the same hashes, more would be lost on the way to '\(target)'",
      subject: ModelSubject(version: name),
      notes: ["the two differ in facts that no hash contains, such as renaming identifiers"])
  }
}

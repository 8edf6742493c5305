public import ManagedModel

/// What a project adds to inference: its mapping models, the policies that they name, its post-processing, and the
/// handlers of its stages.
public struct CustomMigrations: Sendable {
  /// By the name of their model. Several mapping models for one step run as one.
  public var mappingModels: [String: [CustomMappingModel]]
  /// The classes that mapping models may name.
  public var policies: PolicyRegistry
  /// By the name of the model: work on the objects of a version, once they have its schema.
  public var postProcessing: [String: [PostProcessingStep]]
  /// What runs around the steps of custom stages.
  public var stageHandlers: StageHandlers
  /// The text of a mapping file, for refusals that propose one; nil if none shall be proposed. The language of such files
  /// is not the engine's: a program that reads them also says how they are written.
  package var mappingFile: (@Sendable ([CustomMappingModel]) -> String)?
  /// Whether all mappings go object by object, also those that compile to statements: for tests.
  package var usesObjectCopy = false
  /// See ``RowTransfer/update(_:of:upTo:in:ownRows:now:sortedFrom:)``.
  package var sortsLookupsFrom: Int64 = 400_000

  /// Nothing custom unless given: every step is inferred.
  public init(
    mappingModels: [String: [CustomMappingModel]] = [:], policies: PolicyRegistry = PolicyRegistry(),
    postProcessing: [String: [PostProcessingStep]] = [:], stageHandlers: StageHandlers = StageHandlers()
  ) {
    (self.mappingModels, self.policies) = (mappingModels, policies)
    (self.postProcessing, self.stageHandlers) = (postProcessing, stageHandlers)
  }

  /// The mapping models for exactly this step.
  package func mappingModels(
    of model: String, from source: String, to destination: String
  ) -> [CustomMappingModel] {
    (mappingModels[model] ?? []).filter { $0.versionNames == [source, destination] }
  }

  /// Steps of the versions on a store's way that have not run on it. Of a version that the way leads to they run also
  /// where they ran before: the store has been there, and gone back.
  func pendingSteps(of model: String, along path: [ModelVersion], done: Set<String>) -> [PostProcessingStep] {
    let names = Set(path.map(\.name))
    return (postProcessing[model] ?? []).filter {
      names.contains($0.versionName) && ($0.versionName != path.first?.name || !done.contains($0.name))
    }
  }

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
          .mappingOfOtherVersions, .warning,
          "\(what) fits the models \(others.map(\.name).listed), and is used for all of them",
          help: ["say which it is for: `CustomMigrations(mappingModels: [\"\(others[0].name)\": …])`"])
      }
      for step in postProcessing[model.name] ?? [] where model.version(named: step.versionName) == nil {
        found.append(.unknownVersion(step.versionName, "post-processing step '\(step.name)'", of: model))
      }
    }
    return found.ordered
  }
}

/// Work on the objects of a version without a schema change, such as values that are computed once.
///
/// A store's metadata say which steps ran, so each runs once, even if the store already had the version.
public struct PostProcessingStep: Sendable {
  /// Unique among the steps of a model; stores record it in their metadata.
  public var name: String
  /// The version whose objects it works on.
  public var versionName: String
  /// Inserts, changes and deletes objects of the context.
  public var work: @Sendable (ManagedObjectContext) throws -> Void

  /// Work that runs once, when a store has reached the version.
  public init(
    name: String, version: String, work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) {
    (self.name, versionName, self.work) = (name, version, work)
  }
}

/// The handlers that custom stages name (`willMigrate:` and `didMigrate:` in `versions.yaml`), by name.
///
/// In Core Data they are closures of `NSCustomMigrationStage`. Here a program registers them, and the list of versions
/// says when they run: the first while the objects have the older schema, the second once they have the newer one. Both
/// work on a private file, and their result is checked against the rules of its version. A handler that throws ends the
/// migration, and the store is unchanged.
public struct StageHandlers: Sendable {
  /// Fetches, inserts, changes and deletes objects of the context.
  public typealias Handler = @Sendable (CustomMigrationStage, ManagedObjectContext) throws -> Void

  private let byName: [String: Handler]

  /// Handlers by the names that `versions.yaml` has for them.
  public init(_ handlers: [String: Handler] = [:]) { byName = handlers }

  package subscript(name: String) -> Handler? { byName[name] }

  package var names: [String] { byName.keys.sorted() }
}

extension VersionedModel {
  /// Versions of a mapping model that it does not have.
  func lacks(_ mapping: CustomMappingModel) -> [String] {
    mapping.versionNames.filter { version(named: $0) == nil }
  }

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

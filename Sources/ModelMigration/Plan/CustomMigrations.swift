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
    self.mappingModels = mappingModels
    self.policies = policies
    self.postProcessing = postProcessing
    self.stageHandlers = stageHandlers
  }

  /// The mapping models for exactly this step.
  package func mappingModels(
    of model: String, from source: String, to destination: String
  ) -> [CustomMappingModel] {
    (mappingModels[model] ?? []).filter {
      $0.sourceVersionName == source && $0.destinationVersionName == destination
    }
  }

  /// Steps of the versions on a store's way that have not run on it. Of a version that the way leads to they run also
  /// where they ran before: the store has been there, and gone back.
  func pendingSteps(of model: String, along path: [ModelVersion], done: Set<String>) -> [PostProcessingStep] {
    let names = Set(path.map(\.name))
    return (postProcessing[model] ?? []).filter {
      names.contains($0.versionName) && ($0.versionName != path.first?.name || !done.contains($0.name))
    }
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
    self.name = name
    self.versionName = version
    self.work = work
  }
}

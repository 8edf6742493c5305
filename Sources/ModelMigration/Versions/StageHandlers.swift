public import ManagedModel

/// The handlers that custom stages name (`willMigrate:` and `didMigrate:` in `versions.yaml`), by name.
///
/// Core Data has them as closures of `NSCustomMigrationStage`; here a program registers them, and the list of
/// versions says where they run: the first while the store still has the older schema, the second once it has the
/// newer one. A handler that throws ends the migration, and the store is as it was.
///
/// - Parameter Context: what a handler works on: the objects of the store at that moment.
public struct StageHandlers<Context>: Sendable {
  public typealias Handler = @Sendable (CustomMigrationStage, Context) throws -> Void

  private var byName: [String: Handler]

  public init(_ handlers: [String: Handler] = [:]) { byName = handlers }

  public subscript(name: String) -> Handler? {
    get { byName[name] }
    set { byName[name] = newValue }
  }

  /// Sorted.
  public var names: [String] { byName.keys.sorted() }

  /// The handlers around one step of a path.
  ///
  /// - Throws: MC3408 for every name that nothing is registered under.
  package func handlers(
    from source: String, to destination: String, in model: VersionedModel
  ) throws(DiagnosticsError) -> (stage: CustomMigrationStage, willMigrate: Handler?, didMigrate: Handler?)? {
    guard let stage = model.customStage(from: source, to: destination) else { return nil }
    let wanted = [stage.willMigrateHandler, stage.didMigrateHandler].compactMap(\.self)
    let unknown = wanted.filter { byName[$0] == nil }
    if !unknown.isEmpty {
      throw DiagnosticsError(unknown.map { .unknownHandler($0, of: stage, known: names) })
    }
    return (
      stage, stage.willMigrateHandler.flatMap { byName[$0] }, stage.didMigrateHandler.flatMap { byName[$0] }
    )
  }
}

extension VersionedModel {
  /// The custom stage that leads from one version to the next, where the list states one.
  func customStage(from source: String, to destination: String) -> CustomMigrationStage? {
    for case .custom(let stage) in stages
    where stage.currentVersionName == source && stage.nextVersionName == destination {
      return stage
    }
    return nil
  }
}

extension Diagnostic.Code {
  public static let unknownStageHandler = Self("MC3408")
}

extension Diagnostic {
  fileprivate static func unknownHandler(
    _ name: String, of stage: CustomMigrationStage, known: [String]
  ) -> Self {
    Self(
      .unknownStageHandler, .error,
      "the stage from '\(stage.currentVersionName)' to '\(stage.nextVersionName)' names the handler '\(name)', which nothing is registered under",
      subject: ModelSubject(version: stage.nextVersionName),
      notes: known.isEmpty
        ? ["this program registers no handlers"]
        : [Note("registered are \(known.map { "'\($0)'" }.joined(separator: ", "))")],
      help: nearestName(to: name, among: known).map { ["did you mean '\($0)'?"] }
        ?? ["run the migration by the program that brings the handler along, or remove the name"],
      cocoaCode: 134140)
  }
}

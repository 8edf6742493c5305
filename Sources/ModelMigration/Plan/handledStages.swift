package import ManagedModel

extension VersionedModel {
  /// The custom stages with handlers on a way, in its order.
  func handledStages(along path: [ModelVersion]) -> [CustomMigrationStage] {
    zip(path, path.dropFirst()).compactMap { customStage(from: $0, to: $1) }
      .filter { $0.willMigrateHandler != nil || $0.didMigrateHandler != nil }
  }
}

extension CustomMigrationStage {
  fileprivate var handlerNames: [String] { [willMigrateHandler, didMigrateHandler].compactMap(\.self) }

  /// Whether the segments stop at both its versions.
  func isPassed(by segments: [SegmentPath]) -> Bool {
    segments.contains { $0.versions.map(\.name) == [currentVersionName, nextVersionName] }
  }
}

extension [CustomMigrationStage] {
  /// Errors of the stages on a path: handlers that nobody registered, or that the path skips.
  func checkHandlers(of segments: [SegmentPath], among handlers: StageHandlers) -> [Diagnostic] {
    flatMap { stage -> [Diagnostic] in
      guard stage.isPassed(by: segments) else {
        return stage.handlerNames.map { name in
          Diagnostic(
            .stageHandlerSkipped, .warning,
            "the handler '\(name)' does not run: this path does not stop at the stage from '\(stage.currentVersionName)' to '\(stage.nextVersionName)'",
            subject: ModelSubject(version: stage.nextVersionName),
            help: [
              "leave out `MigrationOptions(chain: .direct)`, or let the mapping model do what the handler does"
            ])
        }
      }
      return stage.handlerNames.filter { handlers[$0] == nil }.map { name in
        Diagnostic(
          .unknownStageHandler, .error,
          "the stage from '\(stage.currentVersionName)' to '\(stage.nextVersionName)' names the handler '\(name)', but no handler is registered under that name",
          subject: ModelSubject(version: stage.nextVersionName),
          notes: handlers.names.isEmpty
            ? ["this program registers no handlers"]
            : [Diagnostic.Note("registered: \(handlers.names.map { "'\($0)'" }.joined(separator: ", "))")],
          help: .didYouMean(
            name, among: handlers.names,
            else: [
              "run the migration in the program that registers the handler (for a SwiftData plan, the app)"
            ]),
          cocoaCode: 134140)
      }
    }
  }
}

extension Diagnostic.Code {
  package static let unknownStageHandler = Self("MC3408")
  package static let stageHandlerSkipped = Self("MC3409")
}

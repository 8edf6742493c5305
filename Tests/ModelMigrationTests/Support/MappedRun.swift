import Foundation
import ManagedModel
import ModelMigration

/// A migration by mapping models: what comes of it, or what ends it.
struct MappedRun {
  /// Nil if it is refused or fails.
  private(set) var report: MigrationReport?
  private(set) var objects: [ManagedObject] = []
  /// What the plan finds, where it refuses.
  private(set) var refusal: [Diagnostic] = []
  /// What ends the run on its way.
  private(set) var failure: [Diagnostic] = []

  init(
    _ store: TestStore, _ model: VersionedModel, _ custom: CustomMigrations,
    accepting losses: Set<AcceptedLoss>
  ) throws {
    let options = MigrationOptions(acceptedLosses: losses, keepsBackup: false)
    do {
      let report = try migrateStore(at: store.url.path, models: [model], options: options, custom: custom)
      objects = try store.objects(model.last)
      self.report = report
    } catch let error as MigrationRefusedError {
      refusal = error.plan.diagnostics
    } catch let error as DiagnosticsError {
      failure = error.diagnostics
    } catch let error as MigrationValidationError {
      failure = error.diagnostics
    }
  }

  /// How many mappings statements carried out.
  var statements: Int { report?.mappings.count(where: \.isStatement) ?? 0 }
}

/// What findings say, and of what.
func texts(_ diagnostics: [Diagnostic]) -> [String] {
  diagnostics.map { "\($0.code) \($0.message) \($0.subject?.entity ?? "") \($0.subject?.property ?? "")" }
    .sorted()
}

import CustomMigration
import Logging
import ManagedModel

/// Logs what Core Data's migration debugging logs: the models that were found, the mapping that was chosen and why, and
/// the result.
func log(_ plan: MigrationPlan, models: [VersionedModel]) {
  guard let logger = MigrationMonitor.current?.logger, logger.logLevel <= .debug else { return }
  for model in models {
    let versions = model.versions.map { "\($0.name) \($0.versionChecksum)" }.joined(separator: ", ")
    logger.debug("model \(model.name): \(versions)")
  }
  logger.debug("store \(plan.store): \(plan.modelName) \(plan.from), \(plan.storeBytes) bytes")
  for step in plan.steps {
    let why =
      step.isInferred ? "inferred, because no mapping model is stated for it" : "a stated mapping model"
    logger.debug("mapping \(step.from) → \(step.to): \(why); route \(step.route.rawValue)")
  }
  for row in plan.entities {
    logger.debug(
      "entity mapping \(row.mapping): \(row.source ?? "-") → \(row.destination ?? "-")",
      metadata: ["rows": "\(row.rows)"])
  }
}

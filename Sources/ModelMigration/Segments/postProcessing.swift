import ManagedModel
package import PersistentStore

/// The key of a store's metadata under which the steps of post-processing stand that ran.
let postProcessingKey = "modelc.postProcessing"

extension StoreMetadata {
  var postProcessingSteps: Set<String> {
    guard case .array(let names)? = self[postProcessingKey] else { return [] }
    return Set(
      names.compactMap { name in
        if case .string(let text) = name { text } else { nil }
      })
  }
}

extension CustomMigrations {
  /// Steps of the versions on a store's way that have not run on it.
  func pendingSteps(of model: String, along path: [ModelVersion], done: Set<String>) -> [PostProcessingStep] {
    let names = Set(path.map(\.name))
    return (postProcessing[model] ?? []).filter { names.contains($0.versionName) && !done.contains($0.name) }
  }
}

/// Runs steps on a complete store of their version and records them in its metadata.
///
/// - Throws: ``DiagnosticsError`` for what a step fails with, ``MigrationValidationError`` where its result breaks rules.
package func runPostProcessing(
  _ steps: [PostProcessingStep], on db: StoreDatabase, version: ModelVersion, configuration: String?,
  store: String
) throws {
  let physical = try readPhysicalSchema(db)
  var metadata = try readStoreMetadata(db)
  let model = version.model.restricted(toConfiguration: configuration)
  let schema = bindSchema(physical, to: model).schema
  registerFunctions(on: [db])
  let before = try verifyObjects(db, schema: schema, model: model, exampleLimit: 1)
  let rows = ObjectRows(db, schema: schema, model: model)
  rows.isWritable = true
  let context = ManagedObjectContext(rows)
  defer { context.close() }
  let maxima = Dictionary(
    physical.entityRows.map { ($0.number, $0.maximum) }, uniquingKeysWith: { first, _ in first })
  for entity in schema.entities where entity.name == entity.rootEntityName {
    context.reservedKeys[entity.name] = maxima[entity.number]
  }
  for step in steps {
    do {
      try step.work(context)
      try context.flush()
    } catch { context.record(error, nil, nil) }
    if let failure = context.failure { throw DiagnosticsError(.stepFailed(step, failure)) }
  }
  try rows.dropWorkIndexes()
  for statement in derivedValueStatements(for: model, in: schema) {
    _ = try execute(.deriveValues(sql: statement), in: db)
  }
  let after = try verifyObjects(db, schema: schema, model: model, exampleLimit: 5).filter { finding in
    finding.diagnostic.severity == .error
      && !before.contains {
        $0.diagnostic.code == finding.diagnostic.code && ($0.count ?? 0) >= (finding.count ?? 1)
          && $0.diagnostic.subject == finding.diagnostic.subject
      }
  }
  if !after.isEmpty { throw DiagnosticsError(after.map(\.diagnostic) + [.stepsBrokeRules(steps)]) }
  try writePrimaryKeys(of: schema, formerMaxima: context.reservedKeys, in: db)
  let done = metadata.postProcessingSteps.union(steps.map(\.name)).sorted()
  metadata.setApplicationValue(.array(done.map { .string($0) }), forKey: postProcessingKey)
  try writeStoreMetadata(metadata, to: db)
}

extension Diagnostic {
  fileprivate static func stepFailed(_ step: PostProcessingStep, _ failure: ManagedObjectContext.Failure)
    -> Self
  {
    let reason =
      (failure.error as? DiagnosticsError)?.diagnostics.first?.message ?? (failure.error as? PolicyMisuse)?
      .message
      ?? "\(failure.error)"
    var notes: [Note] = []
    if let object = failure.object { notes.append("object \(object.primaryKey) of '\(object.entityName)'") }
    return Self(
      .policyFailed, .error, "post-processing step '\(step.name)' of '\(step.versionName)' failed: \(reason)",
      subject: ModelSubject(
        version: step.versionName, entity: failure.object?.entityName, property: failure.property),
      notes: notes + ["the store is as it was"], cocoaCode: 134170)
  }

  fileprivate static func stepsBrokeRules(_ steps: [PostProcessingStep]) -> Self {
    Self(
      .validationFailed, .error,
      "post-processing (\(steps.map { "'\($0.name)'" }.joined(separator: ", "))) leaves objects that break rules of their model",
      notes: ["the store is as it was"], cocoaCode: 1560)
  }
}

import ManagedModel
import ModelArchives
import PersistentStore

/// Work on the objects of a complete store, without a change of the schema.
struct ObjectWork {
  /// What it is called in messages: `post-processing step 'words' of 'V2'`.
  var name: String
  var work: (ManagedObjectContext) throws -> Void
}

/// Where works on objects take place: a store of a version, and what reads and writes its values.
struct ObjectWorkplace {
  var version: ModelVersion
  var configuration: String?
  var monitor: MigrationMonitor
  /// The store, as its user named it; nil for works that ask for no store.
  var store: String?
  var transformers = PolicyRegistry()
  /// Where large values lie, and where those go that works make.
  var largeValues: MigratedExternalData?

  /// Runs works on the objects of a store, one after the other, and checks the result against the model's rules.
  ///
  /// - Throws: ``DiagnosticsError`` with MC4302 where a work fails, MC6101 where objects break rules that they did not
  ///   break before.
  func carryOut(_ works: [ObjectWork], in db: StoreDatabase) throws {
    let physical = try db.readPhysicalSchema()
    let model = version.model.restricted(toConfiguration: configuration)
    let schema = physical.bound(to: model).schema
    db.registerExpressionFunctions()
    let before = try db.verifyObjects(schema: schema, model: model, exampleLimit: 1)
    let rows = ObjectRows(db, schema: schema, model: model, largeValues: largeValues)
    rows.isWritable = true
    let context = ManagedObjectContext(rows)
    context.monitor = monitor
    context.transformers = transformers
    context.store = try store.map { MigratingStore($0, try db.readStoreMetadata()) }
    defer { context.close() }
    let maxima = physical.maxima
    for entity in schema.entities where entity.name == entity.rootEntityName {
      context.reservedKeys[entity.name] = maxima[entity.number]
    }
    for work in works {
      do {
        try work.work(context)
        try context.flush()
      } catch { context.record(error, nil, nil) }
      if let failure = context.failure {
        let object = failure.object.map { "object \($0.primaryKey) of '\($0.entityName)'" }
        let finding = Diagnostic(
          .policyFailed, .error, "\(work.name) failed: \(failure.error.wording)",
          subject: ModelSubject(
            version: version.name, entity: failure.object?.entityName, property: failure.property),
          notes: [object, "the store is unchanged"].compactMap { $0.map { Diagnostic.Note($0) } },
          help: failure.error.suggestion, cocoaCode: 134170)
        throw DiagnosticsError([finding], underlying: failure.underlyingError)
      }
    }
    try rows.dropWorkIndexes()
    for sql in schema.derivedValueStatements(for: model) { try execute(.deriveValues(sql: sql), in: db) }
    let after = try db.verifyObjects(schema: schema, model: model, exampleLimit: 5).filter { finding in
      finding.diagnostic.severity == .error
        && !before.contains {
          $0.diagnostic.code == finding.diagnostic.code && ($0.count ?? 0) >= (finding.count ?? 1)
            && $0.diagnostic.subject == finding.diagnostic.subject
        }
    }
    if !after.isEmpty {
      let names = works.map(\.name).joined(separator: ", ")
      let finding = Diagnostic(
        .validationFailed, .error,
        "\(names) \(works.count == 1 ? "leaves" : "leave") objects that break rules of their model",
        notes: ["the store is unchanged"], cocoaCode: 1560)
      throw DiagnosticsError(after.map(\.diagnostic) + [finding])
    }
    try schema.writePrimaryKeys(formerMaxima: context.reservedKeys, in: db)
  }

  /// Runs steps on a complete store of their version and records them in its metadata.
  ///
  /// - Throws: ``DiagnosticsError`` for what a step fails with, or where its result breaks rules.
  func carryOut(_ steps: [PostProcessingStep], in db: StoreDatabase) throws {
    var metadata = try db.readStoreMetadata()
    try carryOut(
      steps.map {
        ObjectWork(name: "post-processing step '\($0.name)' of '\($0.versionName)'", work: $0.work)
      }, in: db)
    let done = metadata.postProcessingSteps.union(steps.map(\.name)).sorted()
    metadata.setApplicationValue(.array(done.map { .string($0) }), forKey: postProcessingKey)
    try metadata.write(to: db)
  }
}

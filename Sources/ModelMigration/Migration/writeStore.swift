import ManagedModel
import PersistentStore

extension MigrationRun {
  /// Writes the result to another file; the store goes on living, and what is migrated is a copy.
  func writeStore(to output: String) throws -> MigrationReport {
    try begin(.plan)
    findings = try output.recoverBeforeWriting()
    if options.route == .inPlace {
      throw DiagnosticsError(.routeCannotServe(store: store, reason: "the result is written to another file"))
    }
    request = try request.joiningModels()
    if options.keptLosses != nil { throw DiagnosticsError(.nothingToKeep("the store is left unchanged")) }
    let connection = try openStore(store, among: request.models, busyTimeout: options.busyTimeout)
    findings += connection.file.examineLog()
    // A folder that nobody may write to has no record.
    let record = try? CopyRecord(ofStoreAt: connection.file.path, named: store, to: output)
    defer { record?.remove() }
    let (files, plan) = try stage(connection, for: output)
    defer { files.remove() }
    let newData = MigratedExternalData(
      forStoreAt: output, like: connection.file, seed: plan.seed, isNew: true)
    defer { newData.discard() }
    let result = try SegmentRunner(
      run: self, store: connection, places: files.places, largeValues: newData
    ).run(plan)
    try begin(.swap)
    try newData.copyFiles(ofStoreAt: connection.file.path)
    try newData.finish(in: result.file)
    try files.publish(result.file, newData)
    try connection.close()
    return report(plan, result, destination: output)
  }

  /// Plans, and makes the first private file beside the output. The plan that counts is the copy's.
  private func stage(
    _ connection: StoreConnection, for output: String
  ) throws -> (files: OutputFiles, plan: MigrationPlan) {
    func makePlan(_ db: StoreDatabase) throws -> MigrationPlan {
      try request.plan(of: db, file: connection.file, onClone: true).unblocked()
    }
    _ = try connection.read(makePlan)
    let file = try connection.stage(for: output)
    return (OutputFiles(connection, output, file), try file.read(makePlan))
  }
}

/// The private files beside an output, of which the last one gets its name.
final class OutputFiles {
  private let connection: StoreConnection
  private let output: String
  private let staged: PrivateStore
  private var files: [PrivateStore]

  init(_ connection: StoreConnection, _ output: String, _ staged: PrivateStore) {
    self.connection = connection
    self.output = output
    self.staged = staged
    files = [staged]
  }

  var places: PrivateStoreFactory {
    PrivateStoreFactory(
      clone: { seesStore in try seesStore ? self.makeNext(after: self.staged) : self.staged },
      nextFile: { former in
        let file = try self.makeNext(after: former)
        // The new file is filled from the one before it; those before that have served.
        self.keep([former, file])
        return file
      })
  }

  private func makeNext(after former: PrivateStore) throws -> PrivateStore {
    let file = try former.createNextFile(at: privatePath(besides: output), for: connection.file)
    files.append(file)
    return file
  }

  private func keep(_ kept: [PrivateStore]) {
    for file in files where !kept.contains(where: { $0 === file }) { file.remove() }
    files = kept
  }

  func publish(_ file: PrivateStore, _ newData: MigratedExternalData) throws {
    try file.finish(connection.file.header.journalForm)
    // What it was filled from has served; once it has its name no private file may say that it has none.
    keep([file])
    do { try file.publish(at: output) } catch {
      // What others may have found already keeps what belongs to it.
      if file.hasName { newData.keep() }
      throw error
    }
    newData.keep()
    files = []
  }

  func remove() { keep([]) }
}

import Foundation
import GRDB
import Logging
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@Suite("A migration that is watched, and one that is cancelled") struct MonitorTests {
  private func model() -> VersionedModel {
    func version(_ more: [AttributeDescription]) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(name: "Note", attributes: [.init(name: "title", type: .string)] + more)
      ])
    }
    return versionedModel([version([]), version([.init(name: "rank", type: .integer16, defaultValue: "3")])])
  }

  private func store(in folder: URL, of model: VersionedModel) throws -> TestStore {
    let objects = (1...200).map { ManagedObject("Note", $0, values: ["title": .string("secret \($0)")]) }
    return try TestStore(in: folder, of: model.versions[0], objects: objects)
  }

  /// What was seen, from whatever thread.
  private final class Seen<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var items: [Element] = []
    func add(_ item: Element) { lock.withLock { items.append(item) } }
    var all: [Element] { lock.withLock { items } }
  }

  @Test func `phases come in order, rows are counted, and the log hides values`() throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, of: model)
      let (seen, lines) = (Seen<MigrationProgress>(), Seen<String>())
      let logger = Logger(label: "test") { _ in Collector(write: { lines.add($0) }) }
      let monitor = MigrationMonitor(logger: logger) { seen.add($0) }
      _ = try migrateStore(at: store.url.path, models: [model], monitor: monitor)
      var phases: [MigrationPhase] = []
      for progress in seen.all where phases.last != progress.phase { phases.append(progress.phase) }
      #expect(phases == [.plan, .clone, .alter, .prove, .swap])
      #expect(seen.all.contains { $0.phase == .alter && $0.entity == "Note" && $0.total > 200 })
      let wholes = seen.all.compactMap(\.whole)
      #expect(wholes == wholes.sorted() && wholes.first == 0 && (wholes.last ?? 0) > 0)
      #expect(wholes.allSatisfy { (0...1).contains($0) })
      let text = lines.all.joined(separator: "\n")
      #expect(text.contains("mapping V1 → V2: inferred"))
      #expect(text.contains("ADD COLUMN") && text.contains("ZRANK") && text.contains("rows=200"))
      #expect(!text.contains("secret"))
    }
  }

  @Test(arguments: [.plan, .clone, .alter, .prove] as [MigrationPhase])
  func `cancelled in any phase before the swap, the store is what it was`(
    phase: ModelMigration.MigrationPhase
  ) throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, of: model)
      let before = try Data(contentsOf: store.url)
      let box = Seen<MigrationMonitor>()
      let monitor = MigrationMonitor { if $0.phase == phase { box.all.first?.cancel() } }
      box.add(monitor)
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(at: store.url.path, models: [model], monitor: monitor)
      }
      #expect(error?.diagnostics.map(\.code) == [.cancelled])
      #expect(error?.diagnostics.first?.cocoaCode == 134120 && error?.underlyingError is CancellationError)
      #expect(try Data(contentsOf: store.url) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Store.sqlite"])
    }
  }

  @Test func `a result without a folder is refused by its name`() throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, of: model)
      let output = folder.appending(path: "none/out").path
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(at: store.url.path, models: [model], to: .file(output))
      }
      let reason = "cannot write into 'none': no such file or directory"
      #expect(error?.diagnostics.map(\.message) == ["'\(output)' cannot be written: \(reason)"])
    }
  }

  /// So that after a kill a recovery of the store finds what lies beside the result.
  @Test func `while a result is written elsewhere, a record beside the store says where`() throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, of: model)
      let output = folder.appending(path: "out").path
      let seen = Seen<String?>()
      let monitor = MigrationMonitor { progress in
        guard progress.phase == .prove else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let record = names.first { $0.hasSuffix(".copy") }
        seen.add(record.flatMap { try? String(contentsOf: folder.appending(path: $0), encoding: .utf8) })
      }
      _ = try migrateStore(at: store.url.path, models: [model], to: .file(output), monitor: monitor)
      #expect(Set(seen.all) == [output])
      #expect(
        try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["Store.sqlite", "out"])
    }
  }

  @Test func `a long statement gives a sign of life, and ends when the run is cancelled`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder, of: model())
      let (seen, box) = (Seen<MigrationProgress>(), Seen<MigrationMonitor>())
      let monitor = MigrationMonitor {
        seen.add($0)
        if seen.all.count == 3 { box.all.first?.cancel() }
      }
      box.add(monitor)
      monitor.report(.alter, entity: "Note")
      let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
      _ = try store.read { db in
        #expect(throws: (any Error).self) {
          try db.interrupting(when: monitor.shouldStop) { try db.execute(sql: endless) }
        }
      }
      #expect(seen.all.count >= 3 && seen.all.allSatisfy { $0.entity == "Note" })
    }
  }

  /// More than the 64 that run at the same time: the others wait.
  @Test func `of the many migrations that a server starts together all end`() async throws {
    try await withTemporaryFolder { folder in
      let model = model()
      let first = try store(in: folder, of: model)
      let stores = try [first] + (2...66).map { try first.copy(named: "\($0).sqlite") }
      let migrator = StoreMigrator(models: [model], options: MigrationOptions(keepsBackup: false))
      for migration in stores.map({ migrator.migrate($0.url) }) {
        let objects = try await migration.report.objects
        #expect(objects == 200)
      }
      let isDone = try stores.allSatisfy { try migrator.status(of: $0.url).isCurrent }
      #expect(isDone)
    }
  }

  /// As in a program whose own work waits in the queues.
  @Test func `a migration ends though all threads of the system's queues wait`() throws {
    try withTemporaryFolder { folder in
      let model = model()
      let store = try store(in: folder, of: model)
      let gate = DispatchSemaphore(value: 0)
      for _ in 0..<300 { DispatchQueue.global(qos: .userInitiated).async { gate.wait() } }
      defer { for _ in 0..<300 { gate.signal() } }
      let report = try migrateStore(at: store.url.path, models: [model])
      #expect(report.objects == 200)
    }
  }

  @Test func `a statement that runs is ended`() throws {
    try withTemporaryFolder { folder in
      let store = try store(in: folder, of: model())
      try store.read { db in
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
        let start = ContinuousClock.now
        #expect(throws: (any Error).self) {
          try db.interrupting(when: { ContinuousClock.now - start > .milliseconds(50) }) {
            try db.execute(sql: endless)
          }
        }
        #expect(ContinuousClock.now - start < .seconds(20))
      }
    }
  }

  @Test func `in the background, and cancelled with its task`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "modelc-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    let store = try store(in: folder, of: model)
    #expect(try !StoreMigrator(models: [model]).status(of: store.url).isCurrent)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await StoreMigrator(models: [model]).migrate(store.url).report
    }
    await #expect(throws: DiagnosticsError.self) { try await task.value }
    #expect(try !StoreMigrator(models: [model]).status(of: store.url).isCurrent)
    let migration = StoreMigrator(models: [model]).migrate(store.url)
    var last: MigrationProgress?
    for await progress in migration.progress { last = progress }
    #expect(try await migration.report.objects == 200)
    #expect(last?.phase == .swap && last?.whole == 1 && last?.fraction == 1)
    #expect(try StoreMigrator(models: [model]).status(of: store.url).isCurrent)
    #expect(throws: DiagnosticsError.self) {
      try StoreMigrator(models: [model], options: MigrationOptions(targetVersion: "V1")).status(of: store.url)
    }
  }
}

private struct Collector: LogHandler {
  let write: @Sendable (String) -> Void
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.debug

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let notes = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
    write("\(event.message) \(notes)")
  }
}

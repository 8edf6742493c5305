import Logging
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@testable import ModelMigration

@Suite("The thread of a migration") struct OwnThreadTests {
  @Test func `is that of its task, if the system makes no other`() async {
    let migration = StoreMigration(Logger(label: "test"), on: { _ in }) { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { _ = try await migration.report }
  }
}

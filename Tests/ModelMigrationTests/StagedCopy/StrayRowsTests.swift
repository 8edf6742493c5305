import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Where a migration touches rows; one that changes only the schema leaves them as they lie.
@Suite("Rows that belong to no entity")
struct StrayRowsTests {
  private func version(_ name: String, _ attributes: [AttributeDescription]) -> ModelVersion {
    ModelVersion(
      name: name,
      model: ManagedObjectModel(entities: [EntityDescription(name: "Note", attributes: attributes)]))
  }

  @Test(arguments: [7, nil])
  func `a migration is refused and changes nothing`(number: Int?) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "s.sqlite").path
      let old = version("V1", [.init(name: "title", type: .string)])
      let new = version(
        "V2",
        [
          .init(name: "title", type: .string),
          .init(name: "text", type: .string, isOptional: false, defaultValue: .text("none")),
        ])
      let file = try createNewStoreFile(at: path)
      try file.write { db in
        _ = try fillStore(
          in: db, version: old, objects: [ManagedObject("Note", 1, values: ["title": .string("kept")])])
        try db.execute(sql: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) VALUES (2, ?, 1)", arguments: [number])
      }
      try file.finish()
      let before = try Data(contentsOf: URL(filePath: path))
      let model = VersionedModel(name: "Notes", versions: [old, new], currentVersionName: "V2")
      let error = #expect(throws: MigrationRefusedError.self) { try migrateStore(at: path, models: [model]) }
      #expect(error?.plan.diagnostics.map(\.code) == [.entityNumbersInconsistent])
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }
}

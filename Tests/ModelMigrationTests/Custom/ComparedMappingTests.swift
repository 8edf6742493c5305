import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks
import TestSupport
import Testing

/// A migrated store against the one before, where a mapping says what became of its objects.
@Suite("Comparing across mapping models") struct ComparedMappingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var old: String
    var new: String
    var mapping: String
    /// Put into the migrated store.
    var damage: String
    /// What is then found.
    var found: [String]
    var testDescription: String { name }
  }

  private static let huts =
    "entities:\n  Hut: {attributes: {name: string?, beds: integer16 = 2}}\n  Shed: {attributes: {name: string?}}\n"
  private static func lodges(_ more: String = "") -> String {
    "entities:\n  Lodge: {attributes: {title: string?, beds: integer16 = 2}}\n\(more)"
  }
  private static let shed = "  Shed: {attributes: {name: string?}}\n"

  static let cases = [
    Case(
      name: "an entity becomes another", old: huts, new: lodges(shed),
      mapping:
        "entityMappings:\n  HutToLodge: {source: Hut, destination: Lodge, attributes: {title: $source.name}}\n",
      damage: "UPDATE ZLODGE SET ZTITLE = 'x' WHERE Z_PK = 2; DELETE FROM ZLODGE WHERE Z_PK = 3",
      found: ["MC6302 Lodge", "MC6304 Lodge.title"]),
    Case(
      name: "a computed value", old: huts, new: lodges(shed),
      mapping:
        "entityMappings:\n  HutToLodge: {source: Hut, destination: Lodge, attributes: {title: \"uppercase:($source.name)\", beds: $source.beds + 1}}\n",
      damage: "DELETE FROM ZLODGE WHERE Z_PK = 3", found: ["MC6302 Lodge"]),
    Case(
      name: "a filter", old: huts, new: lodges(shed),
      mapping:
        "entityMappings:\n  HutToLodge: {source: Hut, destination: Lodge, where: beds > 2, attributes: {title: $source.name}}\n",
      damage: "UPDATE ZLODGE SET ZTITLE = 'x' WHERE Z_PK = 2", found: ["MC6304 Lodge.title"]),
    Case(
      name: "two entities become one", old: huts, new: lodges(),
      mapping: """
        entityMappings:
          HutToLodge: {source: Hut, destination: Lodge, attributes: {title: $source.name}}
          ShedToLodge: {source: Shed, destination: Lodge, attributes: {title: $source.name, beds: 0}}

        """, damage: "", found: []),
  ]

  @Test(arguments: cases) func `a right migration is right, and a wrong value is found`(_ item: Case) throws {
    let objects =
      (1...3).map { ManagedObject("Hut", $0, values: ["name": .string("h\($0)"), "beds": .integer($0 + 1)]) }
      + (1...2).map { ManagedObject("Shed", $0, values: ["name": .string("s\($0)")]) }
    try withTemporaryFolder { folder in
      var trial = try CustomTrial([item.old, item.new], mappings: [item.mapping])
      trial.options.acceptedLosses = [.droppedData]
      let store = try trial.store(objects, in: folder)
      let old = try store.copy(named: "Old.sqlite")
      try trial.migrate(store)
      func compared() throws -> [String] {
        try old.read { before in
          try store.read { after in
            try compareStores(
              before: before, named: "old", after: after, named: "new", models: [trial.model],
              custom: trial.custom
            ).diagnostics.filter { $0.severity == .error }.map {
              "\($0.code) \($0.subject?.entity ?? "")" + ($0.subject?.property.map { ".\($0)" } ?? "")
            }.sorted()
          }
        }
      }
      #expect(try compared() == [])
      if item.damage.isEmpty { return }
      try store.write { try $0.execute(sql: item.damage) }
      #expect(try compared() == item.found)
    }
  }
}

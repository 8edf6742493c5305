import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What is retired as `check` advises is accepted by the migration: both name it alike.
@Suite("What objects inherited, and lose with their parent") struct InheritedLossTests {
  private static let old = """
    entities:
      Pet:
        attributes: {name: string?}
        relationships:
          clubs: {toMany: Club, inverse: pets}
          owner: {to: Person, inverse: pets}
      Dog: {parent: Pet}
      Club:
        relationships: {pets: {toMany: Pet, inverse: clubs}}
      Person:
        relationships: {pets: {toMany: Pet, inverse: owner}}
      Vet: {parent: Person}

    """

  private var objects: [ManagedObject] {
    var dog = ManagedObject(
      "Dog", 2, values: ["name": .string("Rex")], toOne: ["owner": objectID("Vet", 2)])
    dog.toMany["clubs"] = [objectID("Club", 1)]
    return [ManagedObject("Pet", 1), dog, ManagedObject("Club", 1), ManagedObject("Person", 1)]
      + [ManagedObject("Vet", 2)]
  }

  @Test func `rows of a join table without an end are counted with what is lost`() throws {
    let new = Self.old.replacing("Dog: {parent: Pet}", with: "Dog: {}")
      .replacing("      clubs: {toMany: Club, inverse: pets}\n", with: "")
      .replacing("  Club:\n    relationships: {pets: {toMany: Pet, inverse: clubs}}\n", with: "  Club: {}\n")
    let model = try writtenModel(Self.old, new)
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects)
      try store.write { db in
        let join = try String.fetchOne(
          db, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'")
        try db.execute(sql: "INSERT INTO \(join ?? "") VALUES (NULL, 1), (NULL, 2)")
      }
      let lost = try store.plan(model).losses.filter { ["clubs", "pets"].contains($0.property ?? "") }
      #expect(lost.contains { $0.entity == "Dog" })
      #expect(lost.map(\.count).reduce(0, +) == 3)
    }
  }

  @Test(arguments: [
    ("Dog: {parent: Pet}", "Dog: {}", ["Dog.clubs", "Dog.name", "Dog.owner"]),
    ("Vet: {parent: Person}", "Vet: {}", ["Vet.pets"]),
    ("name: string?", "title: string?", ["Pet.name"]),
  ])
  func `are named by their own entity`(part: String, now: String, lost: [String]) throws {
    let new = Self.old.replacing(part, with: now)
    let silent = try writtenModel(Self.old, new)
    let advised = try planPath(from: "V1", models: [silent]).diagnostics
      .filter { $0.code == .droppedData }.compactMap(\.subject)
    #expect(Set(advised.map { "\($0.entity ?? "").\($0.property ?? "")" }) == Set(lost))
    try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: silent.versions[0], objects: objects)
      let refused = #expect(throws: MigrationRefusedError.self) { try store.migrate(silent, allowing: []) }
      #expect(refused?.plan.losses.map { "\($0.entity).\($0.property ?? "")" }.sorted() == lost)
      let said = try writtenModel(Self.old, new + "retired: [\(lost.joined(separator: ", "))]\n")
      let report = try store.migrate(said, allowing: [])
      #expect(report.plan.losses.map(\.isAcknowledged) == lost.map { _ in true })
    }
  }
}

import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// The mapping that a refusal proposes, taken as it is printed: the migration ends, and what is left of the objects is
/// what the proposal says.
@Suite("A proposed mapping does what it says") struct ProposalTests {
  /// Plans without a mapping, wants the refusal and its proposal, and migrates by it.
  private func outcome(
    of code: String, _ old: String, _ new: String, _ objects: [ManagedObject]
  ) throws -> CustomTrial.Outcome {
    var trial = try CustomTrial([old, new])
    let text = try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects, in: folder))
      #expect(plan.diagnostics.contains { $0.code.description == code && $0.severity == .error })
      return try #require(plan.diagnostics.compactMap(\.proposal?.text).last)
    }
    let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
    #expect(reading.diagnostics == [], "\(text)")
    trial.custom = CustomMigrations(mappingModels: [trial.model.name: reading.mappingModels])
    return try trial.run(objects)
  }

  private static let many = """
    entities:
      Hut:
        attributes: {name: string?}
        relationships: {owners: {toMany: Person, inverse: huts}}
      Person:
        attributes: {name: string?}
        relationships: {huts: {toMany: Hut, inverse: owners}}
    """

  private func huts(_ owners: [[Int64]]) -> [ManagedObject] {
    var huts = objects("Hut", ["name": .string("a")], ["name": .string("b")], ["name": .string("c")])
    for (index, keys) in owners.enumerated() {
      huts[index].toMany["owners"] = keys.map { objectID("Person", $0) }
    }
    return huts + objects("Person", ["name": .string("x")], ["name": .string("y")])
  }

  @Test func `MC3108: of none there is none, of several the first stays`() throws {
    let new = Self.many.replacing("{toMany: Person, inverse: huts}", with: "{to: Person, inverse: huts}")
    let outcome = try outcome(of: "MC3108", Self.many, new, huts([[], [2], [1, 2]]))
    #expect(outcome.links("Hut", "owners") == ["1>", "2>2", "3>1"])
  }

  @Test func `MC3108: also where the entity gets another name`() throws {
    let new = Self.many.replacing("{toMany: Person, inverse: huts}", with: "{to: Owner, inverse: huts}")
      .replacing("  Person:\n", with: "  Owner:\n    renamingIdentifier: Person\n")
    let outcome = try outcome(of: "MC3108", Self.many, new, huts([[], [2], [1, 2]]))
    #expect(outcome.links("Hut", "owners") == ["1>", "2>2", "3>1"])
  }

  @Test func `MC3107: objects of both keep their values, and places of ordered ones`() throws {
    let old = """
      entities:
        Club:
          relationships: {places: {toMany: Hut, inverse: club, ordered: true}}
        Hut:
          attributes: {name: string?}
          relationships: {club: {to: Club, inverse: places}}
        Summit:
          attributes: {name: string?}
      """
    let new = """
      entities:
        Club:
          relationships: {places: {toMany: Hut, inverse: club, ordered: true}}
        Place:
          abstract: true
          attributes: {name: string?}
        Hut:
          parent: Place
          relationships: {club: {to: Club, inverse: places}}
        Summit: {parent: Place}
      """
    var club = ManagedObject("Club", 1)
    club.toMany["places"] = [3, 1, 2].map { objectID("Hut", $0) }
    let all =
      [club] + objects("Hut", ["name": .string("a")], ["name": .string("b")], ["name": .string("c")])
      + objects("Summit", ["name": .string("s")])
    let outcome = try outcome(of: "MC3107", old, new, all)
    #expect(outcome.texts("Hut", "name") == ["a", "b", "c"] && outcome.texts("Summit", "name") == ["s"])
    let order = outcome.objects.first { $0.id.entityName == "Club" }?.toMany["places"]?.compactMap { id in
      outcome.objects.first { $0.id == id }?.values["name"]
    }
    #expect(order == [.string("c"), .string("a"), .string("b")])
  }
}

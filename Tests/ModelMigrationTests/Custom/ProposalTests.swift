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

  static let many = """
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

  @Test(arguments: [("V1", 1), ("the store's own model", 0)])
  func `a store's own model is no version that a mapping file could name`(name: String, count: Int) {
    let path = [versionOf(name, "A\n  x: string"), versionOf("V2", "A\n  x: date")]
    var custom = CustomMigrations()
    custom.mappingFile = writeMappingFile
    let found = inferMappingModel(from: path[0], to: path[1]).diagnostics
      .proposingMappings(path: path, modelName: "M", by: custom)
    #expect(found.compactMap(\.proposal).count == count)
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

  @Test(arguments: [
    (["2024-05-01", "2023-12-31"], "yyyy-MM-dd", "all 2 texts"),
    (["01.05.2024", "31.12.2023", "2024-05-01"], "dd.MM.yyyy", "2 of 3 texts"),
    (["2024-05-01T10:00:00Z"], "iso8601", "all 1 texts"), (["20240501"], "yyyyMMdd", "all 1 texts"),
  ])
  func `MC3103: the format is the one that most texts have, and the others are named`(
    _ texts: [String], _ format: String, _ fit: String
  ) throws {
    let old = "entities:\n  Day:\n    attributes: {on: string?}"
    let all = texts.enumerated().map { index, text in
      ManagedObject("Day", Int64(index + 1), values: ["on": .string(text)])
    }
    var trial = try CustomTrial([old, old.replacing("string", with: "date")])
    let plan = try withTemporaryFolder { try trial.plan(try trial.store(all, in: $0)) }
    let finding = try #require(plan.diagnostics.first { $0.code.description == "MC3103" })
    #expect(finding.notes.contains { $0.message == "'\(format)' fits \(fit)" })
    #expect(plan.losses == [])
    let text = try #require(finding.proposal?.text)
    #expect(text.contains("parseDate($source.on, \"\(format)\")"))
    let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
    trial.custom = CustomMigrations(mappingModels: [trial.model.name: reading.mappingModels])
    trial.options.acceptedLosses = [.failedConversions]
    let outcome = try trial.run(all)
    let misfits = outcome["Day"].filter { $0.values["on"] == nil }.map(\.id.primaryKey)
    #expect(outcome.plan.losses.flatMap(\.examples) == misfits)
    #expect(misfits.count == texts.count - (Int(fit.split(separator: " ").first ?? "") ?? texts.count))
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

  @Test func `MC3107: objects that join a list stand behind those that have places in it`() throws {
    let old = """
      entities:
        Trip:
          relationships:
            stops: {toMany: Stop, inverse: trip, ordered: true}
            peaks: {toMany: Peak, inverse: trip}
        Stop:
          attributes: {name: string?}
          relationships: {trip: {to: Trip, inverse: stops}}
        Peak:
          attributes: {name: string?}
          relationships: {trip: {to: Trip, inverse: peaks}}
      """
    let new = """
      entities:
        Trip: {relationships: {stops: {toMany: Stop, inverse: trip, ordered: true}}}
        Stop:
          attributes: {name: string?}
          relationships: {trip: {to: Trip, inverse: stops}}
        Peak: {parent: Stop}
      """
    var trip = ManagedObject("Trip", 1)
    trip.toMany["stops"] = [3, 1, 2].map { objectID("Stop", $0) }
    trip.toMany["peaks"] = [objectID("Peak", 1)]
    let all =
      [trip] + objects("Stop", ["name": .string("a")], ["name": .string("b")], ["name": .string("c")])
      + objects("Peak", ["name": .string("p")])
    let outcome = try outcome(of: "MC3107", old, new, all)
    let stops = outcome["Trip"].first?.toMany["stops"]?.compactMap { id in
      outcome.objects.first { $0.id == id }?.values["name"]?.text
    }
    #expect(stops == ["c", "a", "b", "p"] && outcome.plan.losses == [])
  }
}

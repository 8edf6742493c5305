import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What only the run of a custom migration finds.
@Suite("Findings of a run")
struct RunFindingTests {
  private static let old = """
    entities:
      Hut:
        attributes: {name: string, rank: {type: integer16?, max: 5}}
        relationships: {visits: {toMany: Visit, inverse: hut}}
      Visit:
        attributes: {text: string?}
        relationships: {hut: {to: Hut, inverse: visits}}
    """

  private func huts() -> [ManagedObject] {
    var visits = objects("Visit", [:], [:], [:])
    for (index, hut) in [1, 2, 2].enumerated() { visits[index].toOne["hut"] = objectID("Hut", Int64(hut)) }
    return objects(
      "Hut", ["name": .string("a"), "rank": .integer(9)], ["name": .string("b"), "rank": .integer(2)])
      + visits
  }

  /// Each hut becomes two doors, and each of these gets a visit of its own kind.
  @Test func `to-ones of what several mappings make get one object each`() throws {
    let old = """
      entities:
        Hut: {attributes: {name: string?}, relationships: {visits: {toMany: Visit, inverse: hut}}}
        Visit: {attributes: {kind: string?}, relationships: {hut: {to: Hut, inverse: visits}}}
      """
    let new = """
      entities:
        Door: {attributes: {name: string?}, relationships: {last: {to: Visit, inverse: lastOf}}}
        Visit: {attributes: {kind: string?}, relationships: {lastOf: {to: Door, inverse: last}}}
      """
    func door(_ number: Int) -> String {
      "{source: Hut, destination: Door, attributes: {name: $source.name},"
        + " relationships: {last: 'destinationInstances(\"V\(number)\", $source.visits)'}}"
    }
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          Front: \(door(1))
          Back: \(door(2))
          V1: {source: Visit, destination: Visit, where: kind == "1"}
          V2: {source: Visit, destination: Visit, where: kind == "2"}
        """
      ])
    var visits = objects("Visit", ["kind": .string("1")], ["kind": .string("2")])
    let hut = objects("Hut", ["name": .string("a")])
    for index in visits.indices { visits[index].toOne["hut"] = hut.first?.id }
    try withTemporaryFolder { folder in
      let plan = try trial.plan(trial.store(hut + visits, in: folder))
      #expect(!plan.diagnostics.contains { $0.code.description == "MC4305" })
    }
  }

  /// The plan counts a list; which of its objects fulfill a condition the run says.
  @Test(arguments: [
    ("", #"destinationInstances("VisitToVisit", $source.visits)"#, "plan"),
    (#"where: 'name == "b"', "#, #"destinationInstances("VisitToVisit", $source.visits)"#, "plan"),
    (#"where: 'name == "a"', "#, #"destinationInstances("VisitToVisit", $source.visits)"#, "1>1"),
    ("", #"destinationInstances("VisitToVisit", SUBQUERY($source.visits, $v, $v.text == nil))"#, "run"),
    ("", #"destinationInstances("VisitToVisit", $source.visits[LAST])"#, "1>1 2>3"),
  ])
  func `MC4305: a to-one takes one object`(_ filter: String, _ expression: String, _ found: String) throws {
    let new = Self.old.replacing(
      "visits: {toMany: Visit, inverse: hut}",
      with: "visits: {toMany: Visit, inverse: hut}, last: {to: Visit, inverse: lastOf}"
    ).replacing(
      "hut: {to: Hut, inverse: visits}",
      with: "hut: {to: Hut, inverse: visits}, lastOf: {to: Hut, inverse: last}")
    let trial = try CustomTrial(
      [Self.old, new],
      mappings: [
        "entityMappings:\n  H: {source: Hut, destination: Hut, \(filter)relationships: {last: '\(expression)'}}\n"
      ])
    switch found {
    case "plan":
      let error = #expect(throws: MigrationRefusedError.self) { _ = try trial.run(huts()) }
      #expect(refusalCodes(error) == ["MC4305"])
      let finding = error?.plan.diagnostics.first { $0.code.description == "MC4305" }
      #expect(finding?.subject?.property == "last" && finding?.message.contains(": 1 reference ") == true)
      #expect(finding?.notes.first?.message == "objects of 'Hut' with several: primary keys 2")
    case "run":
      let error = #expect(throws: DiagnosticsError.self) { _ = try trial.run(huts()) }
      #expect(refusalCodes(error) == ["MC4305"])
      let finding = error?.diagnostics.first
      #expect(finding?.subject?.property == "last")
      #expect(finding?.notes.contains { $0.message.contains("'H'") && $0.message.contains("2") } == true)
    default: #expect(try trial.run(huts()).links("Hut", "last").joined(separator: " ") == found)
    }
  }

  @Test(arguments: ["Hut", "Note"])
  func `MC5204: one-to-ones whose sides do not match are a warning of a plan that writes them`(
    _ entity: String
  ) throws {
    let old = """
      entities:
        Man: {relationships: {hut: {to: Hut, inverse: owner}}}
        Hut: {attributes: {name: string?}, relationships: {owner: {to: Man, inverse: hut}}}
        Note: {attributes: {name: string?}}

      """
    let mapping = "source: \(entity), destination: \(entity), attributes: {name: 'uppercase:($source.name)'}"
    let trial = try CustomTrial(
      [old, old.replacing("\(entity): {attributes: {", with: "\(entity): {attributes: {size: integer16?, ")],
      mappings: ["entityMappings:\n  H: {\(mapping)}\n"])
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("Hut", [:], [:]) + objects("Man", [:], [:]), in: folder)
      let before = try trial.plan(store).diagnostics
      try store.write {
        try $0.execute(
          sql: "UPDATE ZHUT SET ZOWNER = 1 WHERE Z_PK = 1; UPDATE ZMAN SET ZHUT = 2 WHERE Z_PK = 1")
      }
      let after = try trial.plan(store).diagnostics
      let found = [before, after].map { $0.filter { $0.code.description == "MC5204" }.map(\.severity) }
      #expect(found == [[], entity == "Hut" ? [.warning, .warning] : []])
    }
  }

  @Test func `MC6102: a rule that the store broke before is a warning, and in the record`() throws {
    let new = Self.old.replacing("name: string", with: "name: string, note: string?")
    let trial = try CustomTrial(
      [Self.old, new],
      mappings: [
        "entityMappings:\n  H: {source: Hut, destination: Hut, attributes: {note: \"'x'\", rank: $source.rank + 0}}\n"
      ])
    let found = try trial.run(huts())
    #expect(found.codes == ["MC6102"])
    #expect(
      found.report.violations.map { "\($0.code) \($0.primaryKeys) \($0.wasThereBefore)" } == [
        "MC6107 [1] true"
      ])
  }

  @Test func `MC6101: a rule that the migration breaks ends it, beside those that were broken before`() throws
  {
    let new = Self.old.replacing("name: string", with: "name: string, grade: {type: integer16?, max: 10}")
    let trial = try CustomTrial(
      [Self.old, new],
      mappings: [
        "entityMappings:\n  H: {source: Hut, destination: Hut, attributes: {grade: $source.rank * 2, rank: $source.rank + 0}}\n"
      ])
    let error = #expect(throws: MigrationValidationError.self) { _ = try trial.run(huts()) }
    #expect(refusalCodes(error) == ["MC6101", "MC6107", "MC6102"])
    let violations = error?.violations.map {
      "\($0.property ?? "") \($0.count) \($0.primaryKeys) \($0.wasThereBefore)"
    }.sorted()
    #expect(violations == ["grade 1 [1] false", "rank 1 [1] true"])
  }

  @Test(arguments: [true, false])
  func `MC6403: keys of one table stay, and what moves is counted`(_ hutsStay: Bool) throws {
    let new = """
      entities:
        \(hutsStay ? "Hut: {attributes: {name: string}}" : "")
        Visit: {attributes: {text: string?, name: string?}}
      """
    var trial = try CustomTrial(
      [Self.old, new],
      mappings: [
        """
        entityMappings:
          V: {source: Visit, destination: Visit}
          HutAsVisit: {source: Hut, destination: Visit, attributes: {name: $source.name}}
          \(hutsStay ? "H: {source: Hut, destination: Hut}" : "")
        """
      ])
    trial.options.acceptedLosses = [.droppedData]
    let found = try trial.run(huts())
    #expect(found["Hut"].map(\.id.primaryKey) == (hutsStay ? [1, 2] : []))
    #expect(found.texts("Visit", "name") == ["-", "-", "-", "a", "b"])
    let moved = found.report.diagnostics.filter { $0.code == .objectURIsChange }
    #expect(moved.map(\.message) == (hutsStay ? [] : ["2 objects have a new primary key"]))
  }
}

import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What becomes of references to objects that a mapping drops.
@Suite("References to dropped objects")
struct DropRuleTests {
  private static func text(_ modifier: String) -> String {
    """
    entities:
      Trail:
        attributes: {name: string, isGone: boolean = false}
        relationships: {stages: {toMany: Stage, inverse: trail}, tags: {toMany: Tag, inverse: trails}}
        versionHashModifier: \(modifier)
      Stage:
        attributes: {name: string}
        relationships: {trail: {to: Trail, inverse: stages}, notes: {toMany: Remark, inverse: stage}}
      Remark:
        attributes: {text: string}
        relationships: {stage: {to: Stage, inverse: notes}}
      Tag:
        attributes: {name: string}
        relationships: {trails: {toMany: Trail, inverse: tags}}
    """
  }

  /// Trail 2 is gone; stages 2 and 3 are of it, and a remark is about stage 3. Both trails have the tag.
  private func store() -> [ManagedObject] {
    var trails = objects(
      "Trail", ["name": .string("a"), "isGone": .boolean(false)],
      ["name": .string("b"), "isGone": .boolean(true)])
    for index in trails.indices { trails[index].toMany["tags"] = [objectID("Tag", 1)] }
    var stages = objects(
      "Stage", ["name": .string("1")], ["name": .string("2")], ["name": .string("3")], ["name": .string("4")])
    for (index, trail) in [1, 2, 2].enumerated() {
      stages[index].toOne["trail"] = objectID("Trail", Int64(trail))
    }
    var remarks = objects("Remark", ["text": .string("x")], ["text": .string("y")])
    remarks[0].toOne["stage"] = objectID("Stage", 1)
    remarks[1].toOne["stage"] = objectID("Stage", 3)
    return trails + stages + remarks + objects("Tag", ["name": .string("t")])
  }

  private func trial(_ rule: String) throws -> CustomTrial {
    try CustomTrial(
      [Self.text("one"), Self.text("two")],
      mappings: [
        """
        entityMappings:
          TrailToTrail: {source: Trail, destination: Trail, where: isGone == NO\(rule.isEmpty ? "" : ", onDrop: \(rule)")}
        """
      ])
  }

  @Test(arguments: ["", "nullify"])
  func `they become nil, or leave the collection`(rule: String) throws {
    let found = try trial(rule).run(store())
    #expect(found.texts("Trail", "name") == ["a"])
    #expect(found.links("Stage", "trail") == ["1>1", "2>", "3>", "4>"])
    #expect(found.links("Tag", "trails") == ["1>1"])
    #expect(found["Remark"].count == 2)
    #expect(found.codes == ["MC4104"])
    #expect(found.plan.losses.map { "\($0.code) \($0.entity) \($0.count)" } == ["MC4104 Trail 1"])
  }

  @Test func `with cascade what holds them goes along, and what holds that`() throws {
    let found = try trial("cascade").run(store())
    #expect(found.texts("Trail", "name") == ["a"])
    #expect(found.links("Stage", "trail") == ["1>1", "4>"])
    #expect(found.links("Remark", "stage") == ["1>1"])
    // A tag holds a list, and stays without the one.
    #expect(found.links("Tag", "trails") == ["1>1"])
    let told = found.report.diagnostics.filter {
      $0.code == .objectsUnread && $0.notes.first?.message.contains("cascade") == true
    }
    #expect(
      told.map { "\($0.subject?.entity ?? "") \($0.message.prefix(1))" }.sorted() == ["Remark 1", "Stage 2"])
    // The plan says the same before anything is written.
    let losses = found.plan.losses.map { "\($0.code) \($0.entity) \($0.count)" }
    #expect(losses.sorted() == ["MC4104 Remark 1", "MC4104 Stage 2", "MC4104 Trail 1"])
    #expect(found.plan.entities.first { $0.source == "Stage" }?.made == 2)
  }

  @Test func `what a filter drops of groups is not counted with the cascade again`() throws {
    let trial = try CustomTrial(
      [Self.text("one"), Self.text("two")],
      mappings: [
        """
        entityMappings:
          TrailToTrail: {source: Trail, destination: Trail, where: isGone == NO, onDrop: cascade}
          StageToStage: {source: Stage, destination: Stage, where: name != "3", groupBy: $source.name, keep: first}
        """
      ])
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(store(), in: folder))
      let losses = plan.losses.filter { $0.entity == "Stage" }.map { "\($0.code) \($0.count)" }
      #expect(losses == ["MC4104 1", "MC4104 1"])
      #expect(plan.entities.allSatisfy { $0.made ?? 0 >= 0 })
    }
  }

  @Test func `with deny the migration is refused where there are any`() throws {
    let trial = try trial("deny")
    let error = #expect(throws: MigrationRefusedError.self) { _ = try trial.run(store()) }
    #expect(refusalCodes(error) == ["MC4110"])
    let refusal = error?.plan.diagnostics.first { $0.code == .dropDenied }
    #expect(refusal?.message.hasPrefix("3 references point to objects of 'Trail'") == true)
    var lonely = store().filter { $0.id.entityName == "Trail" }
    for index in lonely.indices { lonely[index].toMany = [:] }
    #expect(try trial.run(lonely).texts("Trail", "name") == ["a"])
  }

  /// A remark is about a stage that goes with its trail, and the tag names the trail.
  @Test(arguments: [("Stage", false), ("Trail", true)])
  func `what a cascade takes is gone before a rule denies`(denying: String, isDenied: Bool) throws {
    let other = denying == "Trail" ? "deny" : "cascade"
    let trial = try CustomTrial(
      [Self.text("one"), Self.text("two")],
      mappings: [
        """
        entityMappings:
          TrailToTrail: {source: Trail, destination: Trail, where: isGone == NO, onDrop: \(other)}
          StageToStage: {source: Stage, destination: Stage, where: name != '2', onDrop: \(denying == "Stage" ? "deny" : "cascade")}
        """
      ])
    if isDenied {
      #expect(throws: MigrationRefusedError.self) { try trial.run(store()) }
    } else {
      #expect(try trial.run(store()).texts("Stage", "name") == ["1", "4"])
    }
  }

  @Test func `an entity that is removed on purpose takes its holders along`() throws {
    let new = """
      entities:
        Stage:
          attributes: {name: string}
          relationships: {notes: {toMany: Remark, inverse: stage}}
        Remark:
          attributes: {text: string}
          relationships: {stage: {to: Stage, inverse: notes}}
        Tag: {attributes: {name: string}}
      """
    let trial = try CustomTrial(
      [Self.text("one"), new],
      mappings: ["entityMappings:\n  Trails: {source: Trail, drop: true, onDrop: cascade}\n"])
    let found = try trial.run(store())
    #expect(found.texts("Stage", "name") == ["4"])
    #expect(found["Remark"] == [])
  }

  /// Stages 1 and 4 are of nothing that goes; 2 and 3 are of a trail that goes.
  private func grouping(_ stages: String, trails: String = "") throws -> CustomTrial {
    try CustomTrial(
      [Self.text("one"), Self.text("two")],
      mappings: [
        """
        entityMappings:
          TrailToTrail: {source: Trail, destination: Trail\(trails)}
          StageToStage: {source: Stage, destination: Stage, groupBy: $source.name, keep: first\(stages)}
        """
      ])
  }

  private func named(_ names: String...) -> [ManagedObject] {
    var (found, place) = (store(), 0)
    for index in found.indices where found[index].id.entityName == "Stage" {
      found[index].values["name"] = .string(names[place])
      place += 1
    }
    return found
  }

  @Test func `what refers to an object that its group leaves behind goes with it, and the plan counts that`()
    throws
  {
    // Remark 2 is about stage 3, which stage 1 stands for.
    let found = try grouping(", onDrop: cascade").run(named("a", "b", "a", "c"))
    #expect(found["Stage"].map(\.id.primaryKey) == [1, 2, 4])
    #expect(found.links("Remark", "stage") == ["1>1"])
    #expect(
      found.plan.losses.contains { $0.code == .objectsUnread && $0.entity == "Remark" && $0.count == 1 })
    #expect(found.plan.entities.first { $0.source == "Stage" }?.made == 3)
    #expect(found.plan.entities.first { $0.source == "Remark" }?.made == 1)
    #expect(!found.plan.notCheckedByPreflight.contains { $0.contains("onDrop") })
  }

  @Test func `references to an object that its group leaves behind are denied by the plan`() throws {
    let trial = try grouping(", onDrop: deny")
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(named("a", "b", "a", "c"), in: folder))
      let refusal = plan.diagnostics.first { $0.code == .dropDenied }
      #expect(refusal?.message.hasPrefix("1 reference points to objects of 'Stage'") == true)
    }
    #expect(try trial.run(named("a", "b", "c", "d"))["Stage"].count == 4)
  }

  /// Stage 3 goes with its trail, and stage 1 or 4 of its group stays.
  @Test(arguments: [
    ("a", "b", "a", "c", [Int64(1), 4]), ("b", "c", "a", "a", [1, 3]), ("b", "a", "a", "c", [1, 4]),
  ])
  func `a group goes with a cascade where all its objects go`(
    _ one: String, _ two: String, _ three: String, _ four: String, _ left: [Int64]
  ) throws {
    let trial = try grouping("", trails: ", where: isGone == NO, onDrop: cascade")
    let found = try trial.run(named(one, two, three, four))
    #expect(found["Stage"].map(\.id.primaryKey) == left)
    #expect(found.plan.entities.first { $0.source == "Stage" }?.made == left.count)
    let told = found.report.diagnostics.filter { $0.subject?.entity == "Stage" && $0.code == .objectsUnread }
    let counted = found.plan.losses.filter { $0.entity == "Stage" && $0.code == .objectsUnread }
    #expect(told.map { $0.message.prefix(2) } == counted.map { "\($0.count) " })
  }
}

import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

@Suite("Plans between versions, without a store") struct PathPlanTests {
  private func model(_ list: String, _ versions: String...) throws -> VersionedModel {
    try withTemporaryFolder { folder in
      try writeVersions(versions, list: list, into: folder)
      return try #require(readVersionedModel(folder: folder).model)
    }
  }

  private let hut = "entities: {Hut: {attributes: {a: string?}}}"

  @Test func `conditions and possible losses are warnings, refusals are errors`() throws {
    let model = try model(
      "current: V2\nversions: [V1, V2]\n",
      "entities: {Hut: {attributes: {a: string?, gone: string?, t: string?, n: integer64 = 0}}}",
      """
      entities:
        Hut:
          attributes: {a: string, new: integer16, t: date?, n: integer16 = 0}
          uniquenessConstraints: [[a]]
      """)
    var custom = CustomMigrations()
    custom.mappingFile = writeMappingFile
    let plan = try planPath(from: "V1", models: [model], custom: custom)
    let found = plan.diagnostics.map { "\($0.code) \($0.severity)" }.sorted()
    #expect(
      found == [
        "MC3101 warning", "MC3101 warning", "MC3103 error", "MC3105 warning", "MC3109 warning",
        "MC3111 warning",
      ])
    #expect(plan.isBlocked)
    #expect(plan.diagnostics.first { $0.code == .incompatibleAttributeTypes }?.proposal != nil)
  }

  @Test func `what the subentities of an abstract entity have now is no loss`() throws {
    let model = try model(
      "current: V2\nversions: [V1, V2]\n",
      "entities: {Pet: {abstract: true, attributes: {a: string?}}, Dog: {parent: Pet}}",
      "entities: {Pet: {abstract: true}, Dog: {parent: Pet, attributes: {a: string?}}}")
    #expect(
      try !planPath(from: "V1", models: [model]).diagnostics.contains { $0.code == .droppedData })
  }

  @Test func `links that a relationship no longer has are not a rename`() throws {
    func version(_ place: String) -> String {
      "entities: {P: {abstract: true}, A: {parent: P}, B: {parent: P}, Q: {relationships: {p: {to: \(place)}}}}"
    }
    let model = try model("current: V2\nversions: [V1, V2]\n", version("P"), version("A"))
    let found = try planPath(from: "V1", models: [model]).diagnostics.filter { $0.code == .droppedData }
    #expect(found.map(\.message) == ["links of 'Q.p' have no place in 'V2': data in stores would be lost"])
    #expect(!found.flatMap(\.help).contains { $0.contains("renaming") })
  }

  @Test func `a branch has its own way, and a missing step is named`() throws {
    let list = "current: V3\nversions: [V1, {name: V2, from: V1}, V3]\n"
    let model = try model(
      list, hut, "entities: {Hut: {attributes: {a: string?, b: string?}}}",
      "entities: {Hut: {attributes: {a: string?, c: string?}}}")
    #expect(try planPath(from: "V1", models: [model]).path == ["V1", "V3"])
    #expect(try planPath(from: "V1", to: "V2", models: [model]).path == ["V1", "V2"])
    let error = #expect(throws: DiagnosticsError.self) { try planPath(from: "V2", models: [model]) }
    #expect(error?.diagnostics.first?.code == .noMigrationPath)
    #expect(
      error?.diagnostics.first?.notes.contains { $0.message == "missing step: 'V2' → 'V3'" } == true)
    let back = try planPath(from: "V3", to: "V1", models: [model])
    #expect(back.path == ["V3", "V1"])
    #expect(back.diagnostics.map(\.code) == [.droppedData])
  }

  @Test func `a way that modelc goes and Core Data does not is told`() throws {
    let model = try model(
      "current: V3\nversions: [V1, V2, V3]\n", "entities: {Hut: {attributes: {a: string?, v: string?}}}", hut,
      "entities: {Hut: {attributes: {a: string?, v: date?}}}")
    let plan = try planPath(from: "V1", models: [model])
    #expect(!plan.isBlocked)
    #expect(plan.diagnostics.contains { $0.code.description == "MC3401" && $0.severity == .warning })
    #expect(
      try !planPath(from: "V2", models: [model]).diagnostics.contains { $0.code.description == "MC3401" })
  }

  @Test func `the steps that stores take are those of the plan, mapped ones too`() throws {
    func hut(_ more: String) -> String { "entities: {Hut: {attributes: {a: string?, n: double?\(more)}}}" }
    let mapping = "entityMappings: {Hut: {source: Hut, destination: Hut, attributes: {b: $source.n * 2}}}"
    let trial = try CustomTrial(
      [hut(""), hut(", c: string?"), hut(", b: double?")], mappings: ["", mapping])
    let plan = try planPath(from: "V1", models: [trial.model], custom: trial.custom)
    #expect(plan.path == ["V1", "V2", "V3"])
    #expect(plan.segments.map { $0.versions.map(\.name) } == [["V1", "V2"], ["V2", "V3"]])
    #expect(plan.segments.map(\.isInferred) == [true, false])
    #expect(try planPath(from: "V1", models: [trial.model]).path == ["V1", "V3"])
    let steps = try planPath(from: "V1", models: [trial.model], chain: .stepwise)
    #expect(steps.path == ["V1", "V2", "V3"] && steps.segments.count == 2)
  }
}

import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

@Suite("Ways through several versions")
struct ChainTests {
  private static let versions = [
    "entities:\n  Hut: {attributes: {name: string, beds: integer16?}}\n",
    "entities:\n  Hut: {attributes: {name: string, beds: integer16?, note: string?}}\n",
    "entities:\n  Hut: {attributes: {name: string, beds: integer16?, note: string?, stars: integer16?}}\n",
  ]

  private func mapping(_ from: String, _ to: String, note: String) -> CustomMappingModel {
    CustomMappingModel(
      sourceVersionName: from, destinationVersionName: to,
      entityMappings: [
        CustomEntityMapping(
          name: "HutToHut", sourceEntityName: "Hut", destinationEntityName: "Hut",
          attributeMappings: [CustomPropertyMapping(name: "note", expression: "'\(note)'")])
      ])
  }

  /// Which mappings there are, the rule, the segments (`c` for custom), and the note that comes out.
  static let chains: [(mappings: [String], rule: ChainRule, segments: [String], note: String)] = [
    ([], .auto, ["V1 V3"], "-"), ([], .direct, ["V1 V3"], "-"), ([], .stepwise, ["V1 V2", "V2 V3"], "-"),
    (["V1 V2"], .auto, ["V1 V2 c", "V2 V3"], "V1 V2"),
    (["V1 V2"], .stepwise, ["V1 V2 c", "V2 V3"], "V1 V2"),
    // The mapping of a step that is not gone is not asked.
    (["V1 V2"], .direct, ["V1 V3"], "-"), (["V1 V3"], .auto, ["V1 V3 c"], "V1 V3"),
    (["V1 V3"], .direct, ["V1 V3 c"], "V1 V3"), (["V1 V3"], .stepwise, ["V1 V2", "V2 V3"], "-"),
    (["V1 V2", "V1 V3"], .auto, ["V1 V3 c"], "V1 V3"),
    (["V1 V2", "V1 V3"], .stepwise, ["V1 V2 c", "V2 V3"], "V1 V2"),
    (["V2 V3"], .auto, ["V1 V2", "V2 V3 c"], "V2 V3"),
    (["V1 V2", "V2 V3"], .auto, ["V1 V2 c", "V2 V3 c"], "V2 V3"),
  ]

  @Test(arguments: chains.indices)
  func `the rule says where the way is cut`(index: Int) throws {
    let chain = Self.chains[index]
    var trial = try CustomTrial(Self.versions)
    trial.options.chain = chain.rule
    // A mapping for the second step gives the note that the first one wrote another value.
    trial.options.acceptedLosses = [.droppedData]
    trial.custom.mappingModels[trial.model.name] = chain.mappings.map { step in
      let names = step.split(separator: " ").map(String.init)
      return mapping(names[0], names[1], note: step)
    }
    let found = try trial.run(objects("Hut", ["name": .string("Alp")], ["name": .string("Nook")]))
    let segments = found.plan.segments.map { segment in
      (segment.path + (segment.isInferred ? [] : ["c"])).joined(separator: " ")
    }
    #expect(segments == chain.segments)
    #expect(found.texts("Hut", "note") == [chain.note, chain.note])
    // Every segment knows how many objects it takes.
    #expect(found.plan.segments.map { $0.entities.map(\.rows) } == chain.segments.map { _ in [2] })
    #expect(found.plan.segments.allSatisfy { !$0.rowsAreEstimates })
  }

  /// Which mappings there are, and the one past versions that the way of V1 to V4 does not take.
  @Test(
    arguments: [
      (["V1 V3"], "'V1' → 'V3'"), (["V2 V4"], "'V2' → 'V4'"), (["V1 V4", "V1 V3"], nil),
      (["V1 V2", "V1 V3"], nil), (["V1 V2", "V2 V4"], "'V2' → 'V4'"), (["V1 V2"], nil), ([], nil),
    ] as [([String], String?)])
  func `a longer way says which mapping model it skips`(mappings: [String], skipped: String?) throws {
    let last = Self.versions[2].replacing("stars: integer16?", with: "stars: integer16?, web: string?")
    var trial = try CustomTrial(Self.versions + [last])
    trial.options.acceptedLosses = [.droppedData]
    trial.custom.mappingModels[trial.model.name] = mappings.map { step in
      let names = step.split(separator: " ").map(String.init)
      return mapping(names[0], names[1], note: step)
    }
    let found = try trial.run(objects("Hut", ["name": .string("Alp")]))
    let said = found.plan.diagnostics.filter { $0.code.description == "MC3402" }.map(\.message)
    let message = skipped.map { "V1 → V4 skips the mapping model of \($0)" }
    #expect(said == [message].compactMap(\.self))
    let path = try planPath(from: "V1", models: [trial.model], custom: trial.custom)
    #expect(path.diagnostics.filter { $0.code.description == "MC3402" }.map(\.message) == said)
  }

  @Test func `what a filter may leave out makes later numbers estimates`() throws {
    var trial = try CustomTrial(Self.versions)
    var first = mapping("V1", "V2", note: "n")
    first.entityMappings[0].filter = "beds > 1"
    var second = mapping("V2", "V3", note: "m")
    second.entityMappings[0].filter = "note != 'x'"
    trial.custom.mappingModels[trial.model.name] = [first, second]
    let found = try trial.run(
      objects(
        "Hut", ["name": .string("a"), "beds": .integer(1)], ["name": .string("b"), "beds": .integer(2)]))
    #expect(found.plan.segments.map { $0.entities.map(\.rows) } == [[1], [1]])
    #expect(found.plan.segments.map(\.rowsAreEstimates) == [false, true])
    #expect(found.report.mappings.map(\.taken) == [1, 1])
  }
}

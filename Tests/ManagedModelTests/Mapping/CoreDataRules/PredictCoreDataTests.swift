import ManagedModel
import TestSupport
import Testing

@Suite("Core Data's own way") struct PredictCoreDataTests {
  /// One step cannot be inferred: a text becomes a date.
  static let broken = ["A\n  x: string", "A\n  x: date", "A\n  x: date\n  y: string?"]

  private func outcome(
    _ notes: [String], _ stages: [MigrationStage] = [], from: Int = 0, to: Int = 2, mappings: [String] = []
  ) -> String {
    let versions = versionsOf(notes)
    let model = VersionedModel(name: "M", versions: versions, currentVersionName: "V3", stages: stages)
    switch model.predictCoreData(
      from: versions[from], to: versions[to], hasMapping: { mappings.contains("\($0) \($1)") })
    {
    case .migrates: return "migrates"
    case .cannotInfer(let from, let to, let reasons):
      return "\(from) \(to) \(reasons.map(\.code.description))"
    case .unknownVersion(let name): return "unknown \(name)"
    case .backwards: return "backwards"
    }
  }

  private func custom(_ from: String, _ to: String) -> MigrationStage {
    .custom(CustomMigrationStage(currentVersionName: from, nextVersionName: to))
  }

  @Test func `a mapping model stands in for inference over exactly its stretch`() {
    #expect(
      outcome(Self.broken) == "V1 V3 [\"MC3103\"]" && outcome(Self.broken, mappings: ["V1 V3"]) == "migrates")
    #expect(
      outcome(Self.broken, mappings: ["V1 V2", "V2 V3"]) == "V1 V3 [\"MC3103\"]"
        && outcome(Self.broken, from: 1) == "migrates")
    #expect(
      outcome(Self.broken, [custom("V1", "V2"), custom("V2", "V3")], mappings: ["V1 V2"]) == "migrates")
  }

  /// Core Data knows versions by their checksums alone.
  @Test func `a version of equal hashes stands in the stage of the other`() {
    let notes = ["A\n  x: string", "A\n  x: string = a", "A\n  x: string\n  y: string?"]
    #expect(outcome(notes, [custom("V1", "V3")], from: 1) == "migrates")
    let alike = [Self.broken[0], Self.broken[1], Self.broken[1]]
    #expect(outcome(alike, mappings: ["V1 V2"]) == "migrates")
    #expect(outcome(notes, [custom("V1", "V2"), custom("V2", "V3")], from: 1, to: 0) == "migrates")
  }

  @Test func `a store of the target is there, and stages do not lead back`() {
    let stages = [custom("V1", "V2"), custom("V2", "V3")]
    #expect(
      outcome(Self.broken, stages, from: 2, to: 2) == "migrates"
        && outcome(Self.broken, from: 2, to: 2) == "migrates")
    let light = [MigrationStage.lightweight(["V1"]), custom("V2", "V3")]
    #expect(outcome(Self.broken, light, from: 2, to: 0) == "backwards")
    #expect(outcome(Self.broken, [custom("V2", "V3")]) == "unknown V1")
    // A stage that names a version which is not there leads nowhere.
    #expect(outcome(Self.broken, [custom("V1", "none"), custom("V2", "V3")], from: 1) == "migrates")
  }

  @Test func `each outcome but one is a warning with Core Data's own code`() {
    let outcomes: [CoreDataOutcome] = [
      .migrates, .cannotInfer(from: "V1", to: "V2", reasons: []), .unknownVersion("V1"), .backwards,
    ]
    let warnings = outcomes.map { $0.warning(from: "V1", to: "V2") }
    #expect(warnings.map { $0?.cocoaCode } == [nil, 134140, 134504, 134506])
    #expect(
      warnings.dropFirst().allSatisfy {
        $0?.code == .coreDataRefuses && $0?.severity == .warning && $0?.subject?.version == "V2"
      })
  }

  @Test func `a mapping that has to be stated is no refusal of Core Data's`() {
    var versions = versionsOf(["A", "A\n  x: string?"])
    versions[1].allowsInference = false
    let model = VersionedModel(name: "M", versions: versions, currentVersionName: "V2")
    #expect(model.predictCoreData(from: versions[0], to: versions[1]) == .migrates)
  }
}

import ManagedModel
import Testing

/// The outcomes of staged migrations that developers reported (Apple's forum, thread 804902): every step can be
/// inferred, V2 to V4 can, V1 to V3 and V1 to V4 cannot.
@Suite("What Core Data's own rules make of versions and stages") struct CoreDataRulesTests {
  /// V1 has a text under a name that V2 retires; V3 and V4 have a number under that name.
  private static func version(_ number: Int) -> ModelVersion {
    var attributes: [AttributeDescription] = [
      .init(name: "v\(min(number, 2))", type: .string, isOptional: true)
    ]
    if number == 1 { attributes.append(.init(name: "value", type: .string, isOptional: true)) }
    if number >= 3 { attributes.append(.init(name: "value", type: .integer64, isOptional: true)) }
    if number == 4 { attributes.append(.init(name: "more", type: .integer64, isOptional: true)) }
    return ModelVersion(
      name: "V\(number)",
      model: ManagedObjectModel(entities: [EntityDescription(name: "Hut", attributes: attributes)]))
  }

  private static func custom(_ from: Int, _ to: Int) -> MigrationStage {
    .custom(CustomMigrationStage(currentVersionName: "V\(from)", nextVersionName: "V\(to)"))
  }

  private static func light(_ versions: Int...) -> MigrationStage {
    .lightweight(versions.map { "V\($0)" })
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var stages: [MigrationStage]
    var target: Int
    var outcome: String
  }

  static let rows: [Row] = failing + passing

  static let failing: [Row] = [
    Row(testDescription: "no stages", stages: [], target: 3, outcome: "V1→V3"),
    Row(testDescription: "L[1,2,3]", stages: [light(1, 2, 3)], target: 3, outcome: "V1→V3"),
    Row(
      testDescription: "L[1] L[2] L[3]", stages: [light(1), light(2), light(3)], target: 3, outcome: "V1→V3"),
    Row(testDescription: "L[1,2] L[3,4]", stages: [light(1, 2), light(3, 4)], target: 4, outcome: "V1→V4"),
    Row(testDescription: "L[3,4] C[1→2]", stages: [light(3, 4), custom(1, 2)], target: 4, outcome: "134506"),
    Row(testDescription: "C[2→3] L[1,4]", stages: [custom(2, 3), light(1, 4)], target: 4, outcome: "V1→V4"),
    Row(
      testDescription: "a version that no stage names", stages: [custom(2, 3)], target: 3, outcome: "134504"),
    Row(
      testDescription: "a target that no stage names", stages: [custom(1, 2)], target: 4, outcome: "134504"),
  ]

  static let passing: [Row] = [
    Row(testDescription: "no stages, one step", stages: [], target: 2, outcome: "ok"),
    Row(testDescription: "C[1→2] L[3]", stages: [custom(1, 2), light(3)], target: 3, outcome: "ok"),
    Row(testDescription: "L[1] C[2→3]", stages: [light(1), custom(2, 3)], target: 3, outcome: "ok"),
    Row(testDescription: "C[1→2] C[2→3]", stages: [custom(1, 2), custom(2, 3)], target: 3, outcome: "ok"),
    Row(testDescription: "C[1→2] L[3,4]", stages: [custom(1, 2), light(3, 4)], target: 4, outcome: "ok"),
    Row(
      testDescription: "L[1] C[2→3] L[4]", stages: [light(1), custom(2, 3), light(4)], target: 4,
      outcome: "ok"),
    Row(testDescription: "L[1,4] C[2→3]", stages: [light(1, 4), custom(2, 3)], target: 4, outcome: "ok"),
  ]

  @Test(arguments: rows)
  func `every row of the reported table`(_ row: Row) {
    let model = VersionedModel(
      name: "Huts", versions: (1...4).map(Self.version), currentVersionName: "V\(row.target)",
      stages: row.stages)
    let (source, target) = (model.versions[0], model.versions[row.target - 1])
    let outcome = model.predictCoreData(from: source, to: target)
    let text =
      switch outcome {
      case .migrates: "ok"
      case .cannotInfer(let from, let to, _): "\(from)→\(to)"
      case .unknownVersion: "134504"
      case .backwards: "134506"
      }
    #expect(text == row.outcome)
    let warning = outcome.warning(from: "V1", to: target.name)
    #expect(warning?.code.description == (row.outcome == "ok" ? nil : "MC3401"))
    #expect(warning.map { $0.severity == .warning } ?? true)
  }

  @Test func `one step and several differ where a name comes back`() throws {
    func version(_ name: String, _ attributes: [String]) -> ModelVersion {
      let descriptions = attributes.map { AttributeDescription(name: $0, type: .string, isOptional: true) }
      return ModelVersion(
        name: name,
        model: ManagedObjectModel(entities: [EntityDescription(name: "Hut", attributes: descriptions)]))
    }
    func difference(_ path: [ModelVersion]) -> Diagnostic? {
      let steps = zip(path, path.dropFirst()).map { inferMappingModel(from: $0, to: $1).mappingModel }
      return path.comparePaths(stepwise: steps.dropFirst().reduce(steps[0]) { $0.composed(with: $1) })
    }
    let reused = [version("V1", ["a", "note"]), version("V2", ["a"]), version("V3", ["a", "note"])]
    let found = try #require(difference(reused))
    #expect(found.code == .pathsDiffer)
    #expect(
      found.notes.map(\.message) == [
        "'Hut.note': in one step it copies 'note'; step by step it starts empty"
      ])
    #expect(
      difference([version("V1", ["a"]), version("V2", ["a", "b"]), version("V3", ["a", "b", "c"])]) == nil)
  }
}

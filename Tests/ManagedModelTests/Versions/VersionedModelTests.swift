import Foundation
import TestSupport
import Testing

@testable import ManagedModel

@Suite("Versions of a model") struct VersionedModelTests {
  @Test func `a version is found by its name, else by the type of its schema`() {
    var (first, second) = (versionOf("A", "X"), versionOf("B", "Y"))
    (first.typeName, second.typeName) = ("B", "SchemaB")
    let model = VersionedModel(name: "M", versions: [first, second], currentVersionName: "SchemaB")
    #expect(model.currentVersion?.name == "B" && model.version(named: "B")?.name == "B")
    #expect(model.version(named: "C") == nil && model.version(named: "") == nil)
  }

  @Test func `recorded hashes stand before computed ones`() throws {
    let hash = try #require(VersionHash(data: Data(repeating: 7, count: 32)))
    let model = modelOf("A\n  x: string")
    let version = ModelVersion(name: "V", model: model, recordedHashes: ["A": hash])
    #expect(
      version.entityVersionHashesByName == ["A": hash] && version.versionChecksum != model.versionChecksum)
    #expect(ModelVersion(name: "V", model: model).versionChecksum == model.versionChecksum)
  }

  @Test func `a profile holds the version to rules, and moves no hash`() {
    var version = versionOf("V", "A\n  x: string", retired: ["A.y"])
    let (hashes, print) = (version.entityVersionHashesByName, version.model.fingerprint)
    version.setProfile(.cloudKit)
    #expect(version.model.profile == .cloudKit && version.retired == ["A.y"])
    #expect(version.entityVersionHashesByName == hashes && version.model.fingerprint == print)
    #expect(version.predecessorName == nil)
  }

  @Test func `a stage names its versions in its order`() {
    let light = MigrationStage.lightweight(["A", "B", "C"], label: "l")
    let custom = MigrationStage.custom(
      CustomMigrationStage(currentVersionName: "C", nextVersionName: "D", didMigrateHandler: "h"))
    #expect(light.versionNames == ["A", "B", "C"] && custom.versionNames == ["C", "D"])
    #expect(light.label == "l" && custom.label == nil)
  }

  /// The places where the authors of three kinds of source make the change.
  @Test func `advice is in the words of the source`() {
    let notations: [ModelNotation] = [.language, .xcode, .swiftData]
    let advice = notations.map { notation in
      [
        notation.renamingAdvice("Hut.title", formerly: "name"), notation.retiringAdvice("Hut.fax", in: "V2"),
        notation.hashModifierAdvice("Hut.title"), notation.versionListName, notation.newVersionAdvice,
      ]
    }
    let words = [
      ["renamingIdentifier: name", "retired:", "versionHashModifier", "versions.yaml", "version new"],
      ["Renaming ID", "modelc.yaml", "Hash Modifier", "modelc.yaml", "Add Model Version"],
      ["originalName: \"name\"", "modelc.yaml", "hashModifier:", "SchemaMigrationPlan", "VersionedSchema"],
    ]
    for (lines, expected) in zip(advice, words) {
      #expect(zip(lines, expected).allSatisfy { $0.contains($1) }, "\(lines)")
    }
    #expect(advice.allSatisfy { $0[0].contains("'Hut.title'") && $0[1].contains("'Hut.fax'") })
  }
}

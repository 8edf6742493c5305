import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

/// `stages:` of versions.yaml: how Core Data goes through the versions.
@Suite struct StageTests {
  /// V1 to V4 differ; `same` has the hashes of V2 with another default.
  private let files = [
    "V1": "entities: {E: {attributes: {a: string}}}\n", "V2": "entities: {E: {attributes: {a: string?}}}\n",
    "V3": "entities: {E: {attributes: {a: string?, b: string?}}}\n",
    "V4": "entities: {E: {attributes: {a: string?, c: string?}}}\n",
    "same": "entities: {E: {attributes: {a: string? = x}}}\n",
  ]

  private func read(
    _ stages: String, versions: String = "[V1, V2, V3, V4]", current: String = "V4"
  ) throws -> (model: VersionedModel?, source: MarkedSource, diagnostics: [Diagnostic]) {
    let source = MarkedSource("current: \(current)\nversions: \(versions)\nstages:\n\(stages)")
    return try withTemporaryFolder { folder in
      try source.data.write(to: folder.appending(path: "versions.yaml"))
      for (name, text) in files where versions.contains(name) {
        try Data(text.utf8).write(to: folder.appending(path: "\(name).yaml"))
      }
      let (model, diagnostics) = readVersionedModel(folder: folder)
      return (model, source, diagnostics)
    }
  }

  @Test func `stages are at hand, read back as written, and kept in a bundle`() throws {
    let stages = """
        - {lightweight: [V1], label: the early days}
        - {custom: [V2, V3], willMigrate: FillNames, didMigrate: CheckNames}
        - {custom: [V3, V4]}

      """
    let (read, _, diagnostics) = try read(stages)
    #expect(diagnostics == [])
    let model = try #require(read)
    #expect(
      model.stages == [
        .lightweight(["V1"], label: "the early days"),
        .custom(
          CustomMigrationStage(
            currentVersionName: "V2", nextVersionName: "V3", willMigrateHandler: "FillNames",
            didMigrateHandler: "CheckNames")),
        .custom(CustomMigrationStage(currentVersionName: "V3", nextVersionName: "V4")),
      ])
    #expect(model.stages.map(\.versionNames) == [["V1"], ["V2", "V3"], ["V3", "V4"]])
    let list = "current: V4\nversions:\n  - V1\n  - V2\n  - V3\n  - V4\nstages:\n"
    #expect(writeVersions(model) == list + stages)
    try withTemporaryFolder { folder in
      let bundle = folder.appending(path: "M.momd")
      try model.writeBundle(to: bundle)
      #expect(try readModelBundle(at: bundle).model.stages == model.stages)
      #expect(try model.checkBundle(at: bundle) == [])
      var changed = model
      changed.stages.removeLast()
      #expect(try changed.checkBundle(at: bundle).map(\.code.description) == ["MC2201"])
    }
  }

  @Test func `stages that share versions, as SwiftData's do, are written as Core Data takes them`() throws {
    let custom = MigrationStage.custom(
      CustomMigrationStage(currentVersionName: "V2", nextVersionName: "V3"))
    let (read, _, _) = try read("- {lightweight: [V1, V2, V3, V4]}\n")
    var model = try #require(read)
    model.stages = [.lightweight(["V1", "V2"]), custom, .lightweight(["V3", "V4"])]
    #expect(writeVersions(model).hasSuffix("[V1]}\n  - {custom: [V2, V3]}\n  - {lightweight: [V4]}\n"))
    model.stages = [.lightweight(["V1", "V2"]), .lightweight(["V2", "V3"])]
    #expect(writeVersions(model).hasSuffix("- {lightweight: [V1, V2]}\n  - {lightweight: [V3]}\n"))
    model.stages = [.lightweight(["V2", "V3"]), custom]
    #expect(writeVersions(model).hasSuffix("stages:\n  - {custom: [V2, V3]}\n"))
  }

  @Test(arguments: [
    // Keys and kinds.
    ("- 1️⃣V1", ["1️⃣ MC0004 V1"]),
    ("- 1️⃣{label: x}", ["1️⃣ MC0005 {label: x}"]),
    ("- {lightweight: [V1, V2], custom: 1️⃣[V3, V4]}", ["1️⃣ MC0004 [V3, V4]"]),
    ("- {lightweight: 1️⃣[]}", ["1️⃣ MC0004 []"]),
    ("- {custom: 1️⃣[V1]}", ["1️⃣ MC0004 [V1]"]),
    ("- {lightweight: [V1, V2, V3, V4], 1️⃣willMigrate: H}", ["1️⃣ MC0004 willMigrate"]),
    ("- {lightweight: [V1, V2, V3, V4], 1️⃣lable: H}", ["1️⃣ MC0003 lable"]),
    // Names.
    ("- {lightweight: [V1, V2, 1️⃣V5, V3, V4]}", ["1️⃣ MC2204 V5"]),
    ("- {custom: [1️⃣Q, V2]}", ["1️⃣ MC2204 Q"]),
    // Order, as Core Data has it.
    ("- {lightweight: [V3, V4]}\n- {custom: [1️⃣V1, V2]}", ["1️⃣ MC3403 V1"]),
    ("- {custom: [V2, V3]}\n- {lightweight: [1️⃣V1, V4]}", ["1️⃣ MC3403 V1"]),
    ("- {custom: [V2, 1️⃣V1]}\n- {lightweight: [V3, V4]}", ["1️⃣ MC3403 V1"]),
    ("- {lightweight: [V1, V4]}\n- {custom: [V2, V3]}", []),
    ("- {custom: [V1, V2]}\n- {lightweight: [V3, V4]}", []),
    ("- {lightweight: [V1]}\n- {custom: [V2, V3]}\n- {lightweight: [V4]}", []),
    ("- {custom: [V1, V2]}\n- {custom: [V2, V3]}\n- {custom: [V3, V4]}", []),
    // Twice.
    ("- {custom: [V1, 1️⃣V1]}\n- {lightweight: [V2, V3, V4]}", ["1️⃣ MC2105 V1"]),
    ("- {lightweight: [V1, V2]}\n- {lightweight: [1️⃣V2, V3, V4]}", ["1️⃣ MC2105 V2"]),
    ("- {lightweight: [V1, V2]}\n- {custom: [1️⃣V2, V3]}\n- {lightweight: [V4]}", ["1️⃣ MC2105 V2"]),
    ("- {custom: [V1, V2]}\n- {lightweight: [1️⃣V2, V3, V4]}", ["1️⃣ MC2105 V2"]),
  ])
  func `what Core Data would not take is told at its place`(_ stages: String, _ expected: [String]) throws {
    let (_, source, diagnostics) = try read(stages + "\n")
    let found = diagnostics.filter { $0.severity == .error }
    #expect(found.map(source.describe) == expected)
    for finding in found where !finding.fixIts.isEmpty {
      #expect(finding.fixIts.allSatisfy { $0.range.file.hasSuffix("versions.yaml") })
    }
  }

  @Test func `versions with one checksum are two names of one to Core Data`() throws {
    let (model, source, diagnostics) = try read(
      "- {lightweight: [V1, V2, 1️⃣same, V3]}\n", versions: "[V1, V2, same, V3]", current: "V3")
    #expect(diagnostics.map(source.describe) == ["1️⃣ MC2105 same"])
    let versions = try #require(model).versions
    #expect(versions[1].versionChecksum == versions[2].versionChecksum)
    // Naming one of them names both.
    #expect(
      try read("- {lightweight: [V1, V2, V3]}\n", versions: "[V1, V2, same, V3]", current: "V3").diagnostics
        == [])
  }

  @Test func `a version that no stage names is a warning, unless it is a draft`() throws {
    let (_, source, diagnostics) = try read(
      "- {lightweight: [V1, V3]}\n", versions: "[V1, 1️⃣V2, V3, V4]", current: "V3")
    #expect(diagnostics.map { "\($0.severity) \($0.code)" } == ["warning MC3401"])
    #expect(source.covered(by: try #require(diagnostics.first?.place)) == "V2")
  }

  @Test func `that no stage names the current version is told for itself`() throws {
    let found = try read("- {lightweight: [V2]}\n", versions: "[V1, V2, V3]", current: "V3").diagnostics
    #expect(Set(found.map { $0.subject?.version }) == [nil, "V3"])
    let own = found.first { $0.subject != nil }
    #expect(own?.help == ["write `- {lightweight: [V3]}` as the last stage"])
    #expect(own?.message.contains("every store") == true)
  }

  @Test func `without stages nothing is said of them`() throws {
    try withTemporaryFolder { folder in
      try Data("current: V1\nversions: [V1]\nstages:\n".utf8).write(
        to: folder.appending(path: "versions.yaml"))
      try Data("entities: {}\n".utf8).write(to: folder.appending(path: "V1.yaml"))
      let (model, diagnostics) = readVersionedModel(folder: folder)
      #expect(diagnostics == [])
      #expect(model?.stages == [])
    }
  }
}

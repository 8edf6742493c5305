import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite("Versions are taken out of a list") struct PrunedVersionListTests {
  private func pruned(_ text: String, _ names: String..., section: [String] = []) throws -> String {
    let list = try PrunedVersionList(
      Data(text.utf8), file: "versions.yaml", section: section, without: Set(names), unretired: ["Hut.fax"])
    return String(decoding: list.text, as: UTF8.self)
  }

  @Test(arguments: [
    ("current: V3\nversions: [V1, V2, V3]  # all\n", "current: V3\nversions: [V3]  # all\n"),
    (
      "# head\nversions:\n  - V1   # one\n  - {name: V2}\n\n  # three\n  - name: V3 # x\n    from: V2\n    infer: false\n",
      "# head\nversions:\n\n  # three\n  - name: V3 # x\n    infer: false\n"
    ),
    ("versions: [V1, V2, {name: V3, from: [V1, V2]}]\r\n", "versions: [{name: V3}]\r\n"),
    ("versions: [V0, V1, V2, {name: V3, from: [V0, V2]}]\n", "versions: [V0, {name: V3}]\n"),
    ("versions: [V0, X, V1, {name: V3, from: [V0, V1]}]\n", "versions: [V0, X, {name: V3, from: [V0]}]\n"),
    ("versions: [V2, V3]\nstages: []\n", "versions: [V3]\nstages: []\n"),
    (
      "versions: [V2, V3]\nstages:\n  - lightweight: [V1, V2]\n  - custom: [V2, V3]\n    willMigrate: Fill\n  - {custom: [V3, V4]}\n",
      "versions: [V3]\nstages:\n  - {custom: [V3, V4]}\n"
    ),
    (
      "versions: [V2, V3]\nstages:\n  - custom: [V2, V3]\n    willMigrate: Fill\n  - {lightweight: [V4]}\n",
      "versions: [V3]\nstages:\n  - {lightweight: [V3]}\n  - {lightweight: [V4]}\n"
    ),
    (
      "stages: [{lightweight: [V1, V3, V2, V4]}]\nversions: [V3]\n",
      "stages: [{lightweight: [V3, V4]}]\nversions: [V3]\n"
    ),
    ("stages:\n  - {custom: [V1, V2]}\nversions: [V3]\n", "versions: [V3]\n"),
    (
      "include:\n  - model: ../Core\n    versions: {V1: A, V3: C}\n  - {model: ../B, versions: {V2: B}}\nversions: [V3]\n",
      "include:\n  - model: ../Core\n    versions: {V3: C}\n  - {model: ../B}\nversions: [V3]\n"
    ),
    ("retired:\n  - Hut.fax\n  - Hut.phone\nversions: [V3]\n", "retired:\n  - Hut.phone\nversions: [V3]\n"),
    ("retired: [Hut.fax]\nversions: [V3]\n", "versions: [V3]\n"),
    ("versions: [V3, V4]\n", "versions: [V3, V4]\n"),
  ])
  func `entries go, and all else stays`(text: String, expected: String) throws {
    #expect(try pruned(text, "V1", "V2") == expected)
  }

  @Test func `in a file of several packages only the one that is meant is edited`() throws {
    let text = "models:\n  A: {versions: [V1, V3]}\n  B:\n    versions: [V1, V3]\n"
    #expect(
      try pruned(text, "V1", section: ["models", "B"])
        == "models:\n  A: {versions: [V1, V3]}\n  B:\n    versions: [V3]\n")
  }
}

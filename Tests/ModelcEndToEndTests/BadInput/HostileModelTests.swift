import Foundation
import TestSupport
import Testing

/// Models that would cost time or memory without end are refused at once; `Benchmarks/hostile-models` measures more.
@Suite("Hostile models")
struct HostileModelTests {
  struct Trick: CustomTestStringConvertible {
    var testDescription: String
    var code: String
    var text: @Sendable () -> String

    init(_ description: String, _ code: String, _ text: @escaping @Sendable () -> String) {
      (testDescription, self.code, self.text) = (description, code, text)
    }
  }

  static let tricks = [
    Trick("a composite within itself, by way of another", "MC1220") {
      "composites:\n  C: {a: {type: composite, composite: D}}\n  D: {a: {type: composite, composite: C}}\n"
        + "entities: {A: {attributes: {c: {type: composite, composite: C}}}}\n"
    },
    Trick("composites that double at every level", "MC0007") {
      let levels = (0..<60).map {
        "  C\($0): {a: {type: composite, composite: C\($0 + 1)}, b: {type: composite, composite: C\($0 + 1)}}\n"
      }
      return "composites:\n" + levels.joined() + "  C60: {a: string}\n"
        + "entities: {A: {attributes: {c: {type: composite, composite: C0}}}}\n"
    },
    Trick("many entities", "MC0007") { "entities:\n" + many(10_001) { "  E\($0): {}\n" } },
    Trick("many attributes", "MC0007") {
      "entities:\n  A:\n    attributes:\n" + many(2_001) { "      a\($0): string\n" }
    },
    Trick("a long line of ancestors", "MC0007") {
      "entities:\n  E0: {}\n" + many(2_002) { "  E\($0 + 1): {parent: E\($0)}\n" }
    },
    Trick("a long name", "MC0007") { "entities:\n  ? " + many(10_001) { _ in "a" } + "\n  : {}\n" },
    Trick("many unknown keys", "MC0003") { "entities:\n  A:\n" + many(5_000) { "    parant\($0): x\n" } },
    Trick("many misspelt parents", "MC1105") {
      "entities:\n" + many(3_000) { "  Entity\($0): {parent: Entitx\($0)}\n" }
    },
    Trick("a number of a thousand digits and more", "MC1203") {
      "entities: {A: {attributes: {a: integer16 = \(many(1_001) { _ in "9" })}}}\n"
    },
    Trick("a pattern of many parentheses", "MC1206") {
      "entities: {A: {attributes: {a: {type: string?, matching: '\(many(10_001) { _ in "(" })'}}}}\n"
    },
  ]

  private static func many(_ count: Int, _ line: (Int) -> String) -> String {
    (0..<count).map(line).joined()
  }

  @Test(arguments: tricks)
  func `a trick is refused with its code, and with few findings`(_ trick: Trick) throws {
    try withTemporaryFolder { folder in
      let models = folder.appending(path: "Models/App")
      try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
      try Data("current: V1\nversions: [V1]\n".utf8).write(to: models.appending(path: "versions.yaml"))
      try Data(trick.text().utf8).write(to: models.appending(path: "V1.yaml"))
      let run = try Modelc.run("compile", in: folder)
      #expect(run.code == 1)
      #expect(run.errors.contains(trick.code))
      #expect(run.errors.count <= 201)
      #expect(run.stderr.utf8.count < 500_000)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Build").path))
    }
  }
}

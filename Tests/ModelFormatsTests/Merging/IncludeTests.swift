import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite struct IncludeTests {
  /// Writes the files, reads the model `App`, and says each finding as `file:line:column code`.
  private func read(_ files: [String: String]) throws -> (model: VersionedModel?, findings: [String]) {
    try withTemporaryFolder { folder in
      for (name, text) in files {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      let (model, diagnostics) = ModelReader().read(at: folder.appending(path: "App"))
      let findings = diagnostics.map { diagnostic in
        let place = diagnostic.place
        let file = place?.file.replacing(folder.path + "/", with: "") ?? "nowhere"
        return "\(file):\(place?.start.line ?? 0):\(place?.start.column ?? 0) \(diagnostic.code)"
      }
      return (model, findings)
    }
  }

  private let hut = "entities:\n  Hut:\n    relationships:\n      visits: {toMany: Visit, inverse: hut}\n"
  private let visit = "entities:\n  Visit:\n    relationships:\n      hut: {to: Hut, inverse: visits}\n"

  @Test func `two models are one, and relationships lead across`() throws {
    let (model, findings) = try read([
      "App/versions.yaml": "current: V1\ninclude: [../Shared]\nversions: [V1]\n", "App/V1.yaml": hut,
      "Shared/versions.yaml": "current: V1\nversions: [V1]\n", "Shared/V1.yaml": visit,
    ])
    #expect(findings == [])
    let version = try #require(model?.versions.first)
    let whole = hut + visit.replacing("entities:\n", with: "")
    let expected = try #require(readModel(yaml: Data(whole.utf8), file: "V1.yaml").model)
    #expect(version.model == expected)
    #expect(version.entityVersionHashesByName == expected.entityVersionHashesByName)
    #expect(version.versionChecksum == expected.entityVersionHashesByName.versionChecksum)
    #expect(checkModel(of: version).filter { $0.severity == .error } == [])
    // Each part still stands where it was written.
    #expect(version.sourceMap?[ModelSubject(entity: "Hut")]?.file.hasSuffix("App/V1.yaml") == true)
    #expect(version.sourceMap?[ModelSubject(entity: "Visit")]?.file.hasSuffix("Shared/V1.yaml") == true)
  }

  private func twoVersions(_ include: String) -> [String: String] {
    [
      "App/versions.yaml": "current: V2\ninclude:\n  - \(include)\nversions: [V1, V2]\n",
      "App/V1.yaml": "entities: {A: {}}\n", "App/V2.yaml": "entities: {A: {}}\n",
      "Shared/versions.yaml": "current: S2\nversions: [S1, S2]\n", "Shared/S1.yaml": "entities: {B: {}}\n",
      "Shared/S2.yaml": "entities: {C: {}}\n", "One/versions.yaml": "current: S\nversions: [S]\n",
      "One/S.yaml": "entities: {D: {}}\n",
    ]
  }

  @Test(
    arguments: [
      ("{model: ../Shared, versions: {V1: S1, V2: S2}}", [["A", "B"], ["A", "C"]], []),
      ("../One", [["A", "D"], ["A", "D"]], []),
      (
        "{model: ../Shared, versions: {V1: S1}}", [["A", "B"], ["A"]], ["App/versions.yaml:3:13 MC2101"]
      ),
      (
        "{model: ../Shared, versions: {V1: S9, V2: S2}}", [["A"], ["A", "C"]],
        ["App/versions.yaml:3:13 MC2101"]
      ),
      (
        "{model: ../Shared, versions: {V1: S1, V2: S2, V9: S2}}", [["A", "B"], ["A", "C"]],
        ["App/versions.yaml:3:13 MC2101"]
      ),
      ("../Nowhere", [["A"], ["A"]], ["App/versions.yaml:3:5 MC0009"]),
      ("{versions: {V1: S1}}", [["A"], ["A"]], ["App/versions.yaml:3:5 MC0005"]),
      ("{model: ../One, version: S}", [["A", "D"], ["A", "D"]], ["App/versions.yaml:3:21 MC0003"]),
    ] as [(String, [[String]], [String])])
  func `which versions go together`(
    _ include: String, _ entities: [[String]], _ expected: [String]
  ) throws {
    let (model, findings) = try read(twoVersions(include))
    #expect(findings == expected)
    #expect(model?.versions.map { $0.model.entities.map(\.name) } == entities)
  }

  @Test func `an entity of both must be the same in both`() throws {
    let attributes = "{a: string, b: date?}"
    func files(_ other: String) -> [String: String] {
      [
        "App/versions.yaml": "current: V1\ninclude: [../Shared]\nversions: [V1]\n",
        "App/V1.yaml": "entities:\n  A: {attributes: \(attributes)}\ncomposites: {C: {x: double}}\n",
        "Shared/versions.yaml": "current: V1\nversions: [V1]\n",
        "Shared/V1.yaml": "entities:\n  B: {}\n  A: {attributes: \(other)}\ncomposites: {C: {x: double}}\n",
      ]
    }
    for same in [attributes, "{b: date?, a: string}"] {
      let (model, findings) = try read(files(same))
      #expect(findings == [])
      #expect(model?.versions.first?.model.entities.map(\.name) == ["A", "B"])
    }
    let (_, findings) = try read(files("{a: string, b: date}"))
    #expect(findings == ["App/V1.yaml:2:3 MC1103"])
  }

  @Test func `configurations of one name are joined, and other parts come along`() throws {
    let (model, findings) = try read([
      "App/versions.yaml": "current: V1\ninclude: [../Shared]\nversions: [V1]\n",
      "App/V1.yaml": "identifiers: ['1']\nentities: {A: {}}\nconfigurations: {Local: [A]}\nretired: [X]\n",
      "Shared/versions.yaml": "current: V1\nversions: [V1]\n",
      "Shared/V1.yaml":
        "identifiers: ['2']\nentities: {B: {}}\nconfigurations: {Local: [B], Cloud: [B]}\n"
        + "fetchRequests: {All: {entity: B}}\nretired: [X, Y]\nlocalization: {Entity/B: Bee}\n",
    ])
    #expect(findings == [])
    let merged = try #require(model?.versions.first?.model)
    #expect(merged.versionIdentifiers == ["1", "2"])
    #expect(merged.configurations.map(\.entityNames) == [["A", "B"], ["B"]])
    #expect(merged.fetchRequestTemplates.map(\.name) == ["All"])
    #expect(merged.retired == ["X", "Y"])
    #expect(merged.localizationDictionary == ["Entity/B": "Bee"])
  }

  @Test func `circles are found, and what two include once is there once`() throws {
    func list(_ includes: String) -> String { "current: V1\ninclude: [\(includes)]\nversions: [V1]\n" }
    let circle = try read([
      "App/versions.yaml": list("../B"), "App/V1.yaml": "entities: {A: {}}\n",
      "B/versions.yaml": list("../App"), "B/V1.yaml": "entities: {B: {}}\n",
    ])
    #expect(circle.findings == ["B/versions.yaml:2:11 MC0009"])
    #expect(circle.model?.versions.first?.model.entities.map(\.name) == ["A", "B"])
    let own = try read(["App/versions.yaml": list("./"), "App/V1.yaml": "entities: {A: {}}\n"])
    #expect(own.findings == ["App/versions.yaml:2:11 MC0009"])
    let diamond = try read([
      "App/versions.yaml": list("../B, ../C"), "App/V1.yaml": "entities: {A: {}}\n",
      "B/versions.yaml": list("../D"), "B/V1.yaml": "entities: {B: {}}\n",
      "C/versions.yaml": list("../D"), "C/V1.yaml": "entities: {C: {}}\n",
      "D/versions.yaml": "current: V1\nversions: [V1]\n", "D/V1.yaml": "entities: {D: {}}\n",
    ])
    #expect(diamond.findings == [])
    #expect(diamond.model?.versions.first?.model.entities.map(\.name) == ["A", "B", "D", "C"])
  }

  @Test func `findings in an included model say where it is included`() throws {
    let (_, findings) = try read([
      "App/versions.yaml": "current: V1\ninclude: [../Shared, ../X.xcdatamodeld]\nversions: [V1]\n",
      "App/V1.yaml": "entities: {A: {}}\n", "Shared/versions.yaml": "current: V1\nversions: [V1]\n",
      "Shared/V1.yaml": "entities: {B: {colour: red}}\n",
      "X.xcdatamodeld/X.xcdatamodel/contents": "<model><entity name=\"E\"></model>",
    ])
    #expect(findings == ["Shared/V1.yaml:1:16 MC0003", "X.xcdatamodeld/X.xcdatamodel/contents:1:25 MC0201"])
  }

  @Test func `a package of Xcode's can be included`() throws {
    let (model, findings) = try read([
      "App/versions.yaml": "current: V1\ninclude: [../X.xcdatamodeld]\nversions: [V1]\n",
      "App/V1.yaml": "entities: {A: {}}\n",
      "X.xcdatamodeld/X.xcdatamodel/contents": "<model><entity name=\"E\"/></model>",
    ])
    #expect(findings == [])
    #expect(model?.versions.first?.model.entities.map(\.name) == ["A", "E"])
  }
}

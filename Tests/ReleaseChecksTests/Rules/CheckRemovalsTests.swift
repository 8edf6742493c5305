import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("Removals without a word") struct CheckRemovalsTests {
  static let steps: [(String, String, [String])] = [
    ("A\n  x: string", "A", ["A.x"]), ("A\nB", "A", ["B"]), ("A, abstract\nB", "B", []),
    ("A\n  x: string, transient", "A", []),
    ("A\n  x: string", "A\n  y: string, was x", []),
    ("A\n  n: integer64, derived bs.@count\n  bs => A", "A\n  bs => A", []),
    // Another type is inference's to tell; the entity's own removal covers its properties and what led to it.
    ("A\n  x: string", "A\n  x: date", []), ("A\n  b -> B\nB\n  x: string", "A", ["B"]),
    ("A\n  bs => B.a\nB\n  a -> A.bs", "A\nB", ["A.bs", "B.a"]),
    ("A\n  bs => B.a\nB\n  a -> A.bs", "A\nB\n  a -> A", []),
    ("A\n  p: P\ncomposite P\n  x: double\n  y: double", "A\n  p: P\ncomposite P\n  x: double", ["A.p.y"]),
    ("P\n  x: string\nA < P", "P\nA < P\n  x: string", ["P.x"]),
    ("P\nA < P\n  x: string", "P\n  x: string?\nA < P", []),
    ("A\n  x: string", "B, was A", ["A.x"]),
    // What all concrete subentities of an abstract entity have now is not lost.
    ("P, abstract\n  x: string\nA < P\nB < P", "P, abstract\nA < P\n  x: string\nB < P\n  x: string", []),
    ("P, abstract\n  x: string\nA < P\nB < P", "P, abstract\nA < P\n  x: string\nB < P", ["P.x"]),
    ("P, abstract\n  x: string\nA < P", "P, abstract\nA < P", ["P.x"]),
    ("P, abstract\n  q -> Q\nA < P\nQ", "P, abstract\nA < P\n  q -> Q\nQ", []),
    // The inverse goes on, but not for objects of an entity that has left its parent.
    (
      "P, abstract\n  q -> Q.ps\nA < P\nB < P\nQ\n  ps => P.q",
      "P, abstract\n  q -> Q.ps\nA\nB < P\nQ\n  ps => P.q", ["A.q"]
    ),
    ("P, abstract\nA < P\nB < P\nQ\n  p -> P", "P, abstract\nA\nB < P\nQ\n  p -> P", ["Q.p"]),
    ("P\nA < P\nQ\n  p -> P", "P\nQ\n  p -> P", ["A"]),
    ("P\nA < P\nQ\n  p -> P", "P\nA < P\nQ\n  p -> P", []),
    // What it led to goes, and some of its objects stay.
    ("P, abstract\nA < P\nQ\n  p -> P", "A\nQ", ["Q.p"]),
    ("P, abstract\n  x: string\nA < P", "P, abstract\n  x: date\nA < P", []),
    // By its inverse, each of them goes on.
    ("P, abstract\n  q -> Q.ps\nA < P\nQ\n  ps => P.q", "A\n  q -> Q.ps\nQ\n  ps => A.q", []),
  ]

  @Test(arguments: steps)
  func `are errors, each with what is lost`(old: String, new: String, lost: [String]) {
    let step = VersionStep(from: versionOf("V1", old), to: versionOf("V2", new))
    let found = step.checkRemovals()
    #expect(
      found.allSatisfy {
        $0.code == .undeclaredRemoval && $0.severity == .error && $0.subject?.version == "V2"
      })
    #expect(step.silentRemovals().map(\.name) == lost && found.count == lost.count)
    #expect(
      found.map { [$0.related[0].entity, $0.related[0].property].compactMap(\.self).joined(separator: ".") }
        == lost)
  }

  /// The objects of a class go into another one, which has neither its attribute nor its relationship.
  @Test(arguments: [
    ("", ["D.x", "D.cs"]), ("drops: [D.x]\n", ["D.cs"]), ("drops: [D.x, D.cs]\n", []),
    ("drops: [D.x, C.ps]\n", []),
  ])
  func `what a written mapping leaves behind without a word`(drops: String, lost: [String]) throws {
    let (others, kept) = ("C\n  ps => P.cs", "P\n  cs => C.ps")
    let old = versionOf("V1", "\(kept)\nD < P\n  x: string\n\(others)")
    let new = versionOf("V2", "\(kept)\nE\n  y: string?\n\(others)")
    let text = "from: V1\nto: V2\n\(drops)entityMappings: {DToE: {source: D, destination: E}}\n"
    let mappings = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml").mappingModels
    let (mapping, found) = mappings.resolved(from: old, to: new, isForGate: true)
    #expect(found.filter { $0.severity == .error } == [])
    let written = ProjectMappings.Step(
      from: old, to: new, mappingModels: mappings, mappingModel: mapping, diagnostics: found)
    let step = VersionStep(from: old, to: new, mapping: written)
    #expect(step.silentRemovals().map(\.name) == lost)
    // What comes in the other entity is what the mapping says, not a rename.
    #expect(step.checkRenames() == [])
    #expect(step.checkRemovals().allSatisfy { $0.help.first?.contains("drops:") == true })
  }

  @Test func `an entity that both versions have, and a mapping file leaves out`() throws {
    let (old, new) = (versionOf("V1", "A\nB"), versionOf("V2", "A\n  x: string?\nB"))
    let text = "from: V1\nto: V2\ninferred: false\nentityMappings: {AToA: {source: A, destination: A}}\n"
    let mappings = readMappingFile(yaml: Data(text.utf8), file: "Migrations/V1-V2.yaml").mappingModels
    let (mapping, found) = mappings.resolved(from: old, to: new, isForGate: true)
    let written = ProjectMappings.Step(
      from: old, to: new, mappingModels: mappings, mappingModel: mapping, diagnostics: found)
    let finding = try #require(VersionStep(from: old, to: new, mapping: written).checkRemovals().first)
    #expect(finding.message.hasPrefix("no mapping of 'B' to 'V2' reads 'B' of 'V1'"))
    #expect(
      finding.help.last
        == "if not, add `BToB: {source: B, destination: B}` under `entityMappings:` in 'Migrations/V1-V2.yaml'"
    )
  }

  @Test func `links of a relationship that goes on are lost to the objects that it no longer leads to`() {
    for (old, new, name, entity) in [
      ("P, abstract\nA < P\nB < P\nQ\n  p -> P", "P, abstract\nA\nB < P\nQ\n  p -> P", "Q.p", "A"),
      ("A\nB\nQ\n  p -> A", "A\nB\nQ\n  p -> B", "Q.p", "A"),
      ("A\nB\nQ\n  p -> A", "A\nB\nQ\n  o -> B, was p", "Q.p", "A"),
    ] {
      let found = VersionStep(from: versionOf("V1", old), to: versionOf("V2", new)).checkRemovals()
      #expect(
        found.map(\.message) == [
          "links of '\(name)' of 'V1' to objects of '\(entity)' have no place in 'V2', and nothing says that this is intended"
        ])
      // Another name is given to nothing that is there.
      let now = new.contains("o -> ") ? "o" : "p"
      #expect(found.flatMap(\.help).last == "if not, let '\(now)' lead to objects of '\(entity)' too")
    }
  }

  @Test func `links that those of a new inverse replace are lost`() {
    var versions = versionsOf(["A\n  bs => B\nB\n  a -> A", "A\n  bs => B.a\nB\n  a -> A.bs"])
    let found = VersionStep(from: versions[0], to: versions[1]).checkRemovals()
    let message =
      "links of 'A.bs' of 'V1' are replaced by those of 'B.a' in 'V2', and nothing says that this is intended"
    #expect(found.map(\.message) == [message])
    #expect(found.flatMap(\.help).last?.hasPrefix("if not, leave 'bs' as it was") == true)
    // A modelc.yaml retires what a version has not got.
    versions[1].notation = .swiftData
    let advice = VersionStep(from: versions[0], to: versions[1]).checkRemovals().first?.help.first
    #expect(advice?.hasSuffix("`allow: [{code: MC7008, of: A.bs, reason: reviewed}]`") == true)
  }

  @Test func `links that a written mapping leaves behind have their place in the later version`() {
    let text = """
      from: V1
      to: V2
      entityMappings: {QToQ: {source: Q, destination: Q, relationships: {p: nil}}}

      """
    let (old, new) = (versionOf("V1", "A\nQ\n  p -> A"), versionOf("V2", "A\nQ\n  p -> A"))
    let mappings = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml").mappingModels
    let (mapping, found) = mappings.resolved(from: old, to: new, isForGate: true)
    let written = ProjectMappings.Step(
      from: old, to: new, mappingModels: mappings, mappingModel: mapping, diagnostics: found)
    let removed = VersionStep(from: old, to: new, mapping: written).checkRemovals()
    #expect(
      removed.map(\.message) == [
        "no mapping of 'Q' to 'V2' reads 'Q.p' of 'V1', and nothing says that this is intended"
      ])
  }

  @Test func `what goes into two entities is lost where its own one is`() throws {
    let text = """
      from: V1
      to: V2
      entityMappings: {DToE: {source: D, destination: E}, DToD: {source: D, destination: D}}

      """
    let (old, new) = (versionOf("V1", "D\n  x: string"), versionOf("V2", "D\nE"))
    let mappings = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml").mappingModels
    let (mapping, found) = mappings.resolved(from: old, to: new, isForGate: true)
    let written = ProjectMappings.Step(
      from: old, to: new, mappingModels: mappings, mappingModel: mapping, diagnostics: found)
    let removed = VersionStep(from: old, to: new, mapping: written).checkRemovals()
    #expect(removed.map { $0.subject?.entity } == ["D"])
  }

  @Test func `an entity that leaves a configuration leaves its stores`() {
    func found(_ now: [String]) -> [String] {
      findings(VersionStep.checkRemovals, "A\nB", "A\nB") { old, new in
        old.configurations = [.init(name: "Cloud", entityNames: ["A", "B"])]
        new.configurations = [
          .init(name: "Cloud", entityNames: now), .init(name: "Local", entityNames: ["B"]),
        ]
      }
    }
    #expect(found(["A"]) == ["MC7008 error B"] && found(["A", "B"]) == [])
  }

  @Test(arguments: [("A.x", 1), ("A", 1), ("B", 1), ("A.y", 2), ("x", 2)])
  func `what the later version lists as retired is said`(name: String, count: Int) {
    let old = "A\n  x: string\nB"
    #expect(findings(VersionStep.checkRemovals, old, "A", retired: [name]).count == count)
    #expect(findings(VersionStep.checkRemovals, old, "A", retired: ["A.x", "B"]) == [])
  }
}

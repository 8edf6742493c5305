import ManagedModel
import TestSupport
import Testing

@Suite("Renames that nobody stated") struct LikelyRenamesTests {
  struct Step: Sendable, CustomTestStringConvertible {
    var testDescription: String { "\(old) / \(new)" }
    var old: String
    var new: String
    /// Subject of the later version and what it looks like in the earlier one.
    var found: [String]
  }

  private static func step(_ old: String, _ new: String, _ found: String...) -> Step {
    Step(old: old, new: new, found: found)
  }

  static let steps: [Step] = [
    step("A\n  name: string", "A\n  fullName: string", "A.fullName < A.name"),
    step("A\n  fullName: string", "A\n  name: string", "A.name < A.fullName"),
    step("A\n  warden: string", "A\n  wardne: string", "A.wardne < A.warden"),
    // Another type, a name that is not near, one that is too short to tell, one that says it.
    step("A\n  name: string", "A\n  fullName: date"), step("A\n  name: string", "A\n  beds: string"),
    step("A\n  ab: string", "A\n  abc: string"), step("A\n  name: string", "A\n  fullName: string, was name"),
    step("A\n  name: string, was first", "A\n  fullName: string, was first"),
    // Derived values are computed anew; a name that stays is not gone; a value that moves is elsewhere.
    step("A\n  count: integer64", "A\n  counts: integer64, derived bs.@count\n  bs => A"),
    step("A\n  name: string", "A\n  name: string\n  fullName: string"),
    step("P\nA < P\n  name: string", "P\n  name: string\nA < P\n  fullName: string"),
    // Members of composites, as attributes.
    step(
      "A\n  at: P\ncomposite P\n  street: string", "A\n  at: P\ncomposite P\n  streetName: string",
      "A.at.streetName < A.at.street"),
    // Relationships with the same destination and cardinality.
    step("A\n  owner -> B\nB", "A\n  owners -> B\nB", "A.owners < A.owner"),
    step("A\n  owner -> B\nB", "A\n  owners => B\nB"),
    step("A\n  owner -> B\nB\nC", "A\n  owners -> C\nB\nC"),
    step("A\n  owner -> B\nB", "A\n  owners -> C\nC, was B", "A.owners < A.owner"),
    // An inverse that stays carries the links; one that goes as well does not.
    step("A\n  owner -> B.as\nB\n  as => A.owner", "A\n  owners -> B.as\nB\n  as => A.owners"),
    step(
      "A\n  owner -> B.as\nB\n  as => A.owner", "A\n  owners -> B.cs\nB\n  cs => A.owners",
      "A.owners < A.owner"),
    // Entities that share half of their properties at least.
    step("Hut\n  a: string\n  b: string", "BigHut\n  a: string\n  b: string\n  c: string", "BigHut < Hut"),
    step("Hut\n  a: string", "BigHut\n  a: string\n  b: string\n  c: string"), step("Hut", "BigHut"),
    step("Hut\n  a: string", "Cabin\n  a: string"),
    step("Hut\n  a: string", "BigHut, was Hut\n  a: string"),
    step("Hut\n  a: string", "Hut\n  a: string\nBigHut\n  a: string"),
    // In an entity that was renamed.
    step("Hut\n  name: string", "BigHut, was Hut\n  fullName: string", "BigHut.fullName < Hut.name"),
  ]

  private func found(_ old: ModelVersion, _ new: ModelVersion) -> [String] {
    func name(_ subject: ModelSubject?) -> String {
      [subject?.entity, subject?.property].compactMap(\.self).joined(separator: ".")
    }
    return [old, new].checkNameHistory().filter { $0.code == .likelyRename }.map {
      "\(name($0.subject)) < \(name($0.related.first))"
    }
  }

  @Test(arguments: steps)
  func `look like one thing under two names, or do not`(step: Step) {
    #expect(found(versionOf("V1", step.old), versionOf("V2", step.new)) == step.found)
  }

  @Test(arguments: ["A.name", "A.owner", "Hut"])
  func `what is listed as retired was given up`(name: String) {
    let old = "A\n  name: string\n  owner -> A\nHut\n  a: string"
    let new = "A\n  fullName: string\n  owners -> A\nBigHut\n  a: string"
    let all = found(versionOf("V1", old), versionOf("V2", new))
    let rest = found(versionOf("V1", old), versionOf("V2", new, retired: [name]))
    #expect(all.count == 3 && rest == all.filter { !$0.hasSuffix("< \(name)") } && rest.count == 2)
  }

  /// What only one version can tell is asked for that version alone.
  @Test func `versions that do not matter are left out, and so are renames`() {
    let lineage = versionsOf([
      "A\n  name: string", "A\n  fullName: string", "A\n  fullName: string\n  beds: string, was bds",
    ])
    #expect(lineage.checkNameHistory().map(line) == ["MC3204 warning A.fullName", "MC3205 warning A.beds"])
    #expect(lineage.checkNameHistory(of: ["V3"]).map(line) == ["MC3205 warning A.beds"])
    #expect(lineage.checkNameHistory(looksForRenames: false).map(line) == ["MC3205 warning A.beds"])
    #expect([].checkNameHistory().isEmpty && [lineage[2]].checkNameHistory().isEmpty)
  }
}

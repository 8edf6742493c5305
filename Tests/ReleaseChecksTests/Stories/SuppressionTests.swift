import Foundation
import ManagedModel
import ReleaseChecks
import TestSupport
import Testing

@Suite("Findings that are allowed") struct SuppressionTests {
  private let v3 = "Models/Huts/V3.yaml"
  private let cascade = (
    "visits: {toMany: Visit, inverse: hut}", "visits: {toMany: Visit, inverse: hut, deleteRule: cascade}"
  )

  private func states(_ comment: String, isTrailing: Bool) throws -> [String] {
    var states: [String] = []
    try ReleasedProject.with { project in
      try project.edit(
        v3, cascade.0,
        isTrailing ? "\(cascade.1)  \(comment)" : "# x\n        \(comment)\n        \(cascade.1)")
      let found = try project.check().found
      states = found.filter { ["MC7018", "MC7016"].contains($0.code) }.map { "\($0.code) \($0.state)" }
        .sorted()
    }
    return states
  }

  @Test(arguments: [
    ("# modelc:allow MC7018 reason=\"seen\"", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2999-01-01", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2020-01-01", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2020-1-31", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=2999-99-99", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until: 2020-01-31", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7018 reason=\"seen\" until=\"2999-01-01\"", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018 reason=\"until then\"", ["MC7018 suppressed"]),
    ("# modelc:allow MC7018", ["MC7016 new", "MC7018 new"]),
    ("# modelc:allow MC7019 reason=\"seen\"", ["MC7016 new", "MC7018 new"]),
    ("# nothing", ["MC7018 new"]),
  ])
  func `a comment allows its code, with a reason and until its day`(_ comment: String, _ expected: [String])
    throws
  {
    #expect(try states(comment, isTrailing: true) == expected)
  }

  @Test func `it may stand above the line`() throws {
    let comment = "# modelc:allow MC7018 reason=\"seen\""
    #expect(try states(comment, isTrailing: false) == ["MC7018 suppressed"])
  }

  @Test func `a loss is allowed as its help says, and no option of another command is named`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func version(_ beds: String) -> String { "entities:\n  Hut:\n    attributes:\n      beds: \(beds)\n" }
      try project.write(version("integer32 = 70000"), to: "Models/Huts/V1.yaml")
      try project.write(version("integer16 = 7"), to: "Models/Huts/V2.yaml")
      try project.write("current: V2\nversions: [V1, V2]\n", to: "Models/Huts/versions.yaml")
      let path = project.file("Models/Huts")
      _ = try project.model?.releaseVersions(["V1"], at: path, tag: nil, date: "2026-01-31", rows: 40)
      let found = try project.check().found
      let errors = found.filter { $0.severity == "error" }
      #expect(errors.map(\.code) == ["MC3109"], "\(errors)")
      // Without the store the models say that there may be such numbers; with it that is one finding.
      #expect(!found.contains { $0.code == "MC7055" }, "\(found)")
      #expect(try project.check("--level", "path").found.contains { $0.code == "MC7055" })
      #expect(errors.first?.help.contains { $0.contains("allow-loss") } == false, "\(errors)")
      let comment = try #require(errors.first?.help.last?.split(separator: "`").last)
      try project.edit("Models/Huts/V2.yaml", "= 7", "= 7 \(comment)")
      #expect(try project.check().code == 0)
      // What has no place is said in the model.
      try project.edit("Models/Huts/V2.yaml", "beds: integer16 = 7", "size: date?")
      let dropped = try project.check().found.filter { $0.severity == "error" }
      #expect(dropped.map(\.code) == ["MC7008"], "\(dropped)")
      #expect(!dropped.flatMap(\.help).contains { $0.contains("allow-loss") }, "\(dropped)")
    }
  }

  @Test func `a later day is said as the file has it, YAML in a modelc.yaml`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      for (version, names) in [("A", ["body", "fax"]), ("A 2", ["body"])] {
        let attributes = names.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
        try project.write(
          #"<model><entity name="Note">\#(attributes.joined())</entity></model>"#,
          to: "A.xcdatamodeld/\(version).xcdatamodel/contents")
      }
      try project.write(
        "allow: [{code: MC7008, of: Note.fax, reason: x, until: 2020-01-01}]\n", to: "modelc.yaml")
      let finding = try project.check(models: "A.xcdatamodeld").found.first { $0.code == "MC7016" }
      #expect(finding?.help == ["fix what it allows, or set a later date: `until: 2027-01-31`"])
      // What the class loses later is not allowed with it; what the version does is, with a warning.
      for (part, state) in [("", "new"), ("of: Note, ", "new"), ("version: A 2, ", "suppressed")] {
        try project.write("allow: [{code: MC7008, \(part)reason: x}]\n", to: "modelc.yaml")
        let wide = try project.check(models: "A.xcdatamodeld").found
        #expect(wide.first { $0.code == "MC7016" }?.help == ["write `of: Note.fax`"])
        #expect(wide.first { $0.code == "MC7008" }?.state == state)
      }
    }
  }

  @Test func `a baseline file`() throws {
    try ReleasedProject.with { project in
      try project.edit(v3, "      warden: string?\n", "")
      let baseline = project.file("baseline.txt")
      #expect(try project.check("--baseline", baseline).code == 2)
      #expect(try project.check("--baseline", baseline, "--write-baseline").code == 0)
      let run = try project.check("--baseline", baseline)
      #expect(run.code == 0)
      #expect(run.found.contains { $0.code == "MC7008" && $0.state == "suppressed" })
      try project.edit(v3, "      beds: integer16 = 0\n", "")
      #expect(try project.check("--baseline", baseline).code == 1)
      try project.write(ReleasedProject.third, to: v3)
      #expect(try project.check("--baseline", baseline).found.contains { $0.code == "MC7016" })
    }
  }
}

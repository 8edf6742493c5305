import Foundation
import ModelCommands
import TestSupport
import Testing

@Suite("modelc test") struct MigrationTestTests {
  private let file = "Tests/Migrations/Huts/V1.yaml"
  private let source = """
    from: V1
    objects:
      Hut:
        p1: {name: Ridge, beds: 12, visits: [Visit/p1]}
        p2: {name: Col}
      Visit:
        p1: {note: rain}

    """

  private func run(_ project: ReleasedProject, _ arguments: String...) -> Int32 {
    ModelcCommand.run(["test", "-q", "--no-cache", "-C", project.path] + arguments)
  }

  private func found(_ project: ReleasedProject) throws -> [ReleasedProject.Found] {
    try project.check().found
  }

  @Test func `what is expected is compared, and written anew on demand`() throws {
    try ReleasedProject.with { project in
      #expect(run(project) == 1)
      try project.write(source, to: file)
      #expect(run(project) == 1)
      #expect(run(project, "--update") == 0)
      #expect(run(project) == 0)
      #expect(run(project, "V1 → V3") == 0)
      #expect(run(project, "nothing") == 1)
      let text = try String(contentsOfFile: project.file(file), encoding: .utf8)
      #expect(text.hasPrefix(source.dropLast(1)) && text.contains("Hut: 2"))
      // A result that changes is told at its line, by the gate too.
      try project.edit(
        file, "from: V1\nobjects:\n  Hut:\n    p1: {name: Ridge",
        "from: V1\nobjects:\n  Hut:\n    p1: {name: Ridges")
      let changed = try found(project).filter { $0.code == "MC7010" }
      #expect(changed.count == 1 && changed[0].message == "'name' of 'Hut/p1' is not as expected")
      #expect(run(project) == 1)
    }
  }

  @Test func `what comes after the expectation stays, and what would not be read is not written`() throws {
    try ReleasedProject.with { project in
      let rest = "\n# A comment.\nobjects:\n  Hut:\n    p1: {name: Ridge}\nto: V2\n"
      try project.write("from: V1\nexpect:\n  counts: {Hut: 7}\n" + rest, to: file)
      #expect(run(project, "--update") == 0)
      let text = try String(contentsOfFile: project.file(file), encoding: .utf8)
      #expect(text.hasPrefix("from: V1\nexpect:\n  counts:\n    Hut: 1\n") && text.hasSuffix(rest))
      #expect(run(project) == 0)
      #expect(run(project, "--update") == 0)
      #expect(try String(contentsOfFile: project.file(file), encoding: .utf8) == text)
      let quoted = "from: V1\n'expect':\n  counts: {Hut: 7}\n" + rest
      try project.write(quoted, to: file)
      #expect(run(project, "--update") == 1)
      #expect(try String(contentsOfFile: project.file(file), encoding: .utf8) == quoted)
      let end = "\n# why\n"
      try project.write(rest + "from: V1\nexpect:\n  counts: {Hut: 7}\n" + end, to: file)
      #expect(run(project, "--update") == 0)
      #expect(try String(contentsOfFile: project.file(file), encoding: .utf8).hasSuffix(end))
    }
  }

  @Test func `counts, objects and queries`() throws {
    try ReleasedProject.with { project in
      let cases: [(expect: String, messages: [String])] = [
        ("  counts: {Hut: 2, Visit: 1}", []),
        ("  counts: {Hut: 3}", ["'Hut' has 2 objects, and 3 are expected"]),
        ("  objects: {Hut: {p1: {beds: 12}, p2: {visits: []}}}", []),
        (
          "  objects: {Hut: {p1: {beds: 13}}}",
          ["'Hut/p2' is not expected", "'beds' of 'Hut/p1' is not as expected"]
        ),
        ("  objects: {Hut: {p1: {}, p2: {}, p7: {}}}", ["'Hut/p7' is expected, but missing"]),
        ("  queries: [{entity: Hut, where: 'beds > 10', count: 1}]", []),
        ("  queries: [{entity: Hut, where: 'now() != nil', count: 2}]", []),
        (
          "  queries: [{entity: Hut, where: 'beds > 10', count: 2}]",
          ["'beds > 10' has 1 object, and 2 are expected"]
        ),
        ("  queries: [{entity: Hut, where: 'bed > 10', count: 2}]", ["cannot be run"]),
      ]
      for (expect, messages) in cases {
        try project.write(source + "expect:\n" + expect + "\n", to: file)
        let own = try found(project).filter { $0.code == "MC7010" }.map(\.message).sorted()
        #expect(own.count == messages.count)
        for (found, expected) in zip(own, messages) { #expect(found.contains(expected)) }
      }
    }
  }

  @Test(arguments: [
    "to: V3", "from: V1", "from: V1\nstore: a\nobjects: {}", "from: V1\nobjects: {}\nexpct: {}",
  ])
  func `a file that is no test`(_ text: String) throws {
    try ReleasedProject.with { project in
      try project.write(text + "\n", to: file)
      #expect(try found(project).contains { $0.code == "MC7025" })
    }
  }

  @Test func `a kept store as the source`() throws {
    try ReleasedProject.with { project in
      let store = "../../../Models/Huts/Released/V1.sqlite"
      try project.write("from: V1\nto: V2\nstore: \(store)\n", to: file)
      #expect(run(project, "--update") == 0)
      #expect(run(project) == 0)
      try project.write("from: V2\nstore: \(store)\n", to: file)
      #expect(run(project) == 1)
    }
  }
}

import Foundation
import ModelCommands
import TestSupport
import Testing

/// What users' stores came through, or what they are stores of, is gone from the project.
@Suite("Mapping models and models that are gone") struct LostModelTests {
  private static let mapping = "Migrations/Huts/V1-V2.yaml"
  private static let text = """
    from: V1
    to: V2
    entityMappings:
      HutToHut:
        source: Hut
        destination: Hut
        attributes:
          warden: uppercase:($source.warden)

    """

  /// A released step with a mapping file.
  private func withMapping(_ body: (ReleasedProject) throws -> Void) throws {
    try ReleasedProject.with { project in
      try project.write(Self.text, to: Self.mapping)
      try project.commit("a mapping")
      try body(project)
    }
  }

  private func new(
    _ project: ReleasedProject, _ arguments: String..., models: String? = nil
  ) throws -> [ReleasedProject.Found] {
    try project.check(arguments: arguments, models: models).found.filter {
      $0.state == "new" && $0.severity != "information"
    }
  }

  @Test func `a mapping file of a released step is deleted, edited, or called otherwise`() throws {
    try withMapping { project in
      #expect(try new(project, "--against", "HEAD") == [])
      try project.repository.git("mv", Self.mapping, "Migrations/Huts/upper.yaml")
      #expect(try new(project, "--against", "HEAD") == [])
      try project.edit("Migrations/Huts/upper.yaml", "uppercase:", "lowercase:")
      let edited = try new(project, "--against", "HEAD")
      #expect(edited.map { "\($0.code) \($0.severity)" } == ["MC7053 warning"], "\(edited)")
      try project.repository.git("rm", "-rqf", "Migrations")
      let gone = try new(project, "--against", "HEAD")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC7053 error"], "\(gone)")
      #expect(gone.first?.notes.last?.message == "1 entity comes out otherwise: 'Hut'")
      try FileManager.default.createDirectory(
        atPath: project.file("Migrations"), withIntermediateDirectories: true)
      try #require(gone.first).pasteHelp()
      #expect(try new(project, "--against", "HEAD") == [])
    }
  }

  @Test func `a mapping file of a step that is not released, or whose version becomes another one`() throws {
    try withMapping { project in
      let next = "Migrations/Huts/V2-V3.yaml"
      try project.write(Self.text.replacing("V2", with: "V3").replacing("V1", with: "V2"), to: next)
      try project.commit("the next one")
      try FileManager.default.removeItem(atPath: project.file(next))
      let gone = try new(project, "--against", "HEAD").filter { $0.code == "MC7053" }
      #expect(gone.map(\.severity) == ["warning"], "\(gone)")
      try project.edit("Models/Huts/V3.yaml", "opened: date?", "opened: date?\n      closed: date?")
      #expect(try !new(project, "--against", "HEAD").contains { $0.code == "MC7053" })
    }
  }

  @Test func `a model gets another name, and the folder of its mapping files does not`() throws {
    try withMapping { project in
      try project.repository.git("mv", "Models/Huts", "Models/Cabins")
      let gone = try new(project, "--against", "HEAD")
      #expect(gone.map { "\($0.code) \($0.severity)" } == ["MC4105 warning", "MC7053 error"], "\(gone)")
      #expect(try new(project).map(\.code) == ["MC4105"])
      let move = "mv \(project.file("Migrations/Huts")) \(project.file("Migrations/Cabins"))"
      #expect(gone.allSatisfy { $0.help.contains { $0.contains("`\(move)`") } }, "\(gone)")
      try project.repository.shell(move)
      #expect(try new(project, "--against", "HEAD") == [])
    }
  }

  @Test(.needsFixtures) func `a mapping model of a genuine package is deleted`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      let source = Fixtures.url("objcio+core-data/Migrations/Migrations")
      for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
      where name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcmappingmodel") {
        try FileManager.default.copyItem(
          at: source.appending(path: name), to: repository.folder.appending(path: name))
      }
      try project.commit("an app")
      try repository.git("rm", "-rq", "Moody 4-Moody 5.xcmappingmodel")
      let gone = try new(project, "--against", "HEAD").filter { $0.severity == "error" }
      #expect(gone.map(\.code) == ["MC7053"], "\(gone)")
      try #require(gone.first).pasteHelp()
      #expect(try !new(project, "--against", "HEAD").contains { $0.severity == "error" })
    }
  }
}

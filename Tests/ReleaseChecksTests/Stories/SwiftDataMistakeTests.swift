import ManagedModel
import SwiftDataModels
import TestSupport
import Testing

@Suite("Mistakes with SwiftData", .readsSwift)
struct SwiftDataMistakeTests {
  @Test func `there are 40 of them`() { #expect(SwiftDataMistake.all.count >= 40) }

  @Test(arguments: SwiftDataMistake.all)
  func `one finding at its line, and none once it is fixed`(_ mistake: SwiftDataMistake) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(mistake.former, to: "App/Models.swift")
      try project.commit("the first release")
      if mistake.kind != .plan { try repository.git("tag", "v1.0") }
      let wrong = try findings(project, mistake.wrong)
      #expect(wrong.map(\.code) == [mistake.code], "\(wrong.map(\.message))")
      if let line = mistake.line, let found = wrong.first {
        let lines = mistake.wrong.split(separator: "\n", omittingEmptySubsequences: false)
        let place = lines.indices.contains((found.line ?? 0) - 1) ? String(lines[(found.line ?? 0) - 1]) : ""
        #expect(place.contains(line), "\(found.place(in: project)): \(place)")
      }
      #expect(try findings(project, mistake.fixed) == [])
    }
  }

  @Test func `a value that rows may lack hides no loss, and what is retired is none`() throws {
    func source(_ properties: String) -> String {
      "import SwiftData\n@Model final class Trip {\n  \(properties)\n  init() {}\n}\n"
    }
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(source("var name: String?\n  var body: String?"), to: "App/Models.swift")
      try project.commit("the first release")
      try repository.git("tag", "v1.0")
      let both = try findings(project, source("var name: String"))
      #expect(both.map(\.code).sorted() == ["MC2631", "MC7008"], "\(both.map(\.message))")
      try project.write("retired: [Trip.body]\n", to: "modelc.yaml")
      #expect(try findings(project, source("var name: String?")) == [])
    }
  }

  @Test(arguments: [("Int64", [String]()), ("String", ["MC2631"])])
  func `an option set keeps its column where every number fits`(_ type: String, _ codes: [String]) throws {
    func source(_ type: String) -> String {
      "import SwiftData\nstruct Flags: OptionSet, Codable { let rawValue: \(type) }\n"
        + "@Model final class Trip {\n  var flags: Flags\n  init() {}\n}\n"
    }
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(source("Int"), to: "App/Models.swift")
      try project.commit("the first release")
      try repository.git("tag", "v1.0")
      #expect(try Set(findings(project, source(type)).map(\.code)) == Set(codes))
    }
  }

  @Test(arguments: [("UnitMass", true), ("Unit", false)])
  func `a measurement of any unit reads what one of a quantity wrote`(_ unit: String, _ isFound: Bool) throws
  {
    func source(_ unit: String) -> String {
      "import SwiftData\n@Model final class Trip {\n  var size: Measurement<\(unit)>?\n  init() {}\n}\n"
    }
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(source("UnitLength"), to: "App/Models.swift")
      try project.commit("the first release")
      try repository.git("tag", "v1.0")
      #expect(try findings(project, source(unit)).contains { $0.code == "MC2617" } == isFound)
    }
  }

  @Test(arguments: ["[Step]", "Step"])
  func `a member that is gone is one finding until it is retired`(_ type: String) throws {
    func source(_ members: String) -> String {
      "import SwiftData\nstruct Step: Codable { \(members) }\n"
        + "@Model final class Trip {\n  var step: \(type)\n  var more: [\(type)] = []\n  init() {}\n}\n"
    }
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(source("var a: Int; var b: Int?; var c: String?"), to: "App/Models.swift")
      try project.commit("the first release")
      try repository.git("tag", "v1.0")
      let both = try findings(project, source("var a: Int"))
      #expect(both.map(\.code) == ["MC2634"], "\(both.map(\.message))")
      #expect(both.first?.severity == "error" && both.first?.message.contains("'b'") == true)
      #expect(both.first?.message.contains("'c'") == true)
      try project.write("retired: [Trip.step.b, Trip.step.c]\n", to: "modelc.yaml")
      #expect(try findings(project, source("var a: Int")) == [])
    }
  }

  @Test(arguments: [
    ("lightweight(fromVersion: V1.self, toVersion: V2.self)", ["MC3401"]),
    ("custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: nil)", [String]()),
  ])
  func `lightweight stages are one step, which must be inferable`(_ stage: String, _ codes: [String]) throws {
    let classes = ["var stars: String?", "", "var stars: Int?"]
    let stages = [".\(stage)", ".lightweight(fromVersion: V2.self, toVersion: V3.self)"]
    let errors = try pathFindings(classes, stages).filter { $0.severity == "error" }
    #expect(errors.map(\.code) == codes, "\(errors.map(\.message))")
    let start = "write each stage from '1.0.0' to '3.0.0' as"
    #expect(errors.allSatisfy { $0.help.first?.hasPrefix(start) == true }, "\(errors)")
  }

  @Test(arguments: [("custom", ", willMigrate: nil, didMigrate: nil", 0), ("lightweight", "", 1)])
  func `custom stages are never one step, whose result could differ`(
    _ kind: String, _ more: String, _ count: Int
  ) throws {
    let stages = (1...2).map { ".\(kind)(fromVersion: V\($0).self, toVersion: V\($0 + 1).self\(more))" }
    let classes = ["var a: Int?", "@Attribute(originalName: \"a\") var b: Int?", "var b: Int?; var c: Int?"]
    let found = try pathFindings(classes, stages).filter { $0.code == "MC3402" }
    #expect(found.count == count, "\(found.map(\.message))")
  }

  /// What is found in a plan whose first schema a tag has.
  private func pathFindings(_ classes: [String], _ stages: [String]) throws -> [ReleasedProject.Found] {
    func source(_ count: Int) -> String {
      let schemas = zip(1...count, classes).map { number, property in
        "enum V\(number): VersionedSchema {\n  static let versionIdentifier = Schema.Version(\(number), 0, 0)\n"
          + "  static var models: [any PersistentModel.Type] { [Trip.self] }\n"
          + "  @Model final class Trip {\n    var name: String = \"\"\n    \(property)\n    init() {}\n  }\n}\n"
      }
      let names = (1...count).map { "V\($0).self" }.joined(separator: ", ")
      return "import SwiftData\n" + schemas.joined() + "enum Plan: SchemaMigrationPlan {\n"
        + "  static var schemas: [any VersionedSchema.Type] { [\(names)] }\n"
        + "  static var stages: [MigrationStage] {\n"
        + "    [\(stages.prefix(count - 1).joined(separator: ", "))]\n  }\n}\n"
    }
    return try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(source(1), to: "App/Models.swift")
      try project.commit("the first release")
      try repository.git("tag", "v1.0")
      return try findings(project, source(classes.count))
    }
  }

  private func findings(_ project: ReleasedProject, _ source: String) throws -> [ReleasedProject.Found] {
    try project.write(source, to: "App/Models.swift")
    // Without tags nothing is released, which is a remark of its own; so is what no store has shown.
    return try project.check(models: "App").found.filter {
      $0.severity != "information" && !["MC7011", "MC2606"].contains($0.code) && $0.state == "new"
    }
  }
}

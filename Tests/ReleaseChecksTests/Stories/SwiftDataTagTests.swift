import Foundation
import ManagedModel
import ModelCommands
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

/// What the tags of an app say of its users' stores.
@Suite("SwiftData judged by tags", .readsSwift)
struct SwiftDataTagTests {
  @Test func `stores of every release are refused for a new unique property with a default`() throws {
    try withSwiftDataApp { project, write in
      try write("@Model final class Stop { var name: String = \"\"; init() {} }")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      try write(
        "@Model final class Stop { var name: String = \"\"; @Attribute(.unique) var code: String = \"\"; init() {} }"
      )
      #expect(try newCodes(project).contains("MC3104"))
    }
  }

  @Test func `of an optional property the default alone is to go that gives every row one value`() throws {
    try withSwiftDataApp { project, write in
      func found(_ more: String) throws -> [String] {
        try write("@Model final class Stop { var name: String = \"\"; \(more)init() {} }")
        return try project.check(models: "App").found.filter { $0.code == "MC2636" }
          .map { String($0.help.joined().prefix { $0 != ":" }) }
      }
      #expect(try found("") == [])
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var seen: Date? = Date();") == ["write no default, and give each row its own"])
      #expect(
        try found("var seen: Date = Date();")
          == ["make it optional, with no default, and give each row its own"])
    }
  }

  @Test func `source that was moved is compared with what it was`() throws {
    try withSwiftDataApp { project, write in
      try write("@Model final class Stop { var name: String = \"\"; init() {} }")
      try project.commit("1.0")
      try project.repository.git("mv", "App", "Lib")
      try project.commit("moved")
      try project.edit(
        "Lib/Models.swift", "init()", "@Attribute(.unique) var code: String = \"\"; init()")
      let found = try project.check("--against", "HEAD~1", models: "Lib").found.map(\.code)
      #expect(found.contains("MC3104") && !found.contains("MC7050"))
      try project.repository.git("tag", "1.0", "HEAD~1")
      #expect(ModelcCommand.run(["release", "-q", "--models", project.file("Lib"), "--from-tags"]) == 0)
      let lock = try String(contentsOfFile: project.file("Lib.released.lock"), encoding: .utf8)
      #expect(lock.contains(" 1.0 "))
    }
  }

  @Test func `an originalName that goes one release later loses what older stores have`() throws {
    try withSwiftDataApp { project, write in
      func release(_ tag: String, _ property: String) throws {
        try write("@Model final class Stop { \(property); init() {} }")
        try project.commit(tag)
        try project.repository.git("tag", tag)
      }
      try release("1.0", "var name: String = \"\"")
      try release("1.1", "@Attribute(originalName: \"name\") var title: String = \"\"")
      #expect(try newCodes(project) == [])
      try write("@Model final class Stop { var title: String = \"\"; init() {} }")
      #expect(try newCodes(project) != [])
    }
  }

  @Test func `rows of the release before the last one miss the case that the last one dropped`() throws {
    try withSwiftDataApp { project, write in
      func found(_ cases: String, _ more: String, tag: String? = nil) throws -> [String] {
        let type = "enum Mood: String, Codable { case \(cases) }\n"
        try write(type + "@Model final class Trip { var mood: Mood = Mood.happy\(more); init() {} }")
        let found = try project.check(models: "App").found.filter { $0.code == "MC2634" }.map(\.message)
        if let tag {
          try project.commit(tag)
          try project.repository.git("tag", tag)
        }
        return found
      }
      let first = try found("happy, sad, ill", "", tag: "1.0")
      #expect(first == [])
      // The same hashes: one schema, of two tags.
      #expect(try found("happy, sad", "", tag: "1.0.1").count == 1)
      #expect(try found("happy, sad", "").count == 1)
      // It is shown where it was: in the last tag that had it.
      func places() throws -> [String?] {
        let (top, app) = (URL(filePath: project.path), URL(filePath: project.file("App")))
        let report = try Project(at: top, models: app).check()
        let notes = report.findings.map(\.diagnostic).filter { $0.code == .removedCases }.flatMap(\.notes)
        return notes.compactMap(\.place?.file).map { $0.split(separator: ":").first.map(String.init) }
      }
      #expect(try places() == ["1.0"])
      // And of two cases each.
      #expect(try found("happy", "").count == 1)
      #expect(try places() == ["1.0.1", "1.0"])
      #expect(try found("happy, sad", "; var a: Int?", tag: "1.1").count == 1)
      #expect(try found("happy, sad", "; var a: Int?; var b: Int?").count == 1)
      #expect(try found("happy, sad, ill", "; var a: Int?; var b: Int?") == [])
    }
  }

  @Test func `tags that are named and cannot be read are an error`() throws {
    try withSwiftDataApp { project, write in
      let trip = "@Model final class Trip { var name: String = \"\"; init() {} }"
      for (tag, text) in [("1.0", trip + "}"), ("1.1", trip)] {
        try write(text)
        try project.commit(tag)
        try project.repository.git("tag", tag)
      }
      func severities(_ pattern: String) throws -> [String] {
        try project.check("--against-tags", pattern, models: "App").found.filter { $0.code == "MC2632" }
          .map(\.severity)
      }
      #expect(try severities("1.0") == ["error"])
      #expect(try severities("1.*") == ["warning"])
    }
  }

  @Test func `each tag whose stores are lost is told, and a baseline of one allows no other`() throws {
    try withSwiftDataApp { project, write in
      for (tag, more) in [("1.0", ""), ("1.1", "; var b: Int = 0")] {
        try write("@Model final class Stop { var a: Int = 0\(more); init() {} }")
        try project.commit(tag)
        try project.repository.git("tag", tag)
      }
      try write("@Model final class Stop { var a: Int = 0; var b: Int = 0; var c: String; init() {} }")
      let found = try project.check(models: "App").found.filter { $0.code == "MC2631" }
      #expect(found.count == 2, "\(found.map(\.message))")
    }
  }

  @Test func `what a class of values holds is read from its own file`() throws {
    try withSwiftDataApp { project, write in
      func found(_ members: String) throws -> [String] {
        try project.write("struct Size: Codable { \(members) }\n", to: "App/Size.swift")
        return try project.check(models: "App").found.filter { $0.severity == "error" }.map(\.code)
      }
      try write("@Model final class Stop { var name: String = \"\"; var box: Box?; init() {} }")
      try project.write("final class Box: Codable { var size: Size? }\n", to: "App/Box.swift")
      #expect(try found("var a: Int") == [])
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var a: Int; var b: Int") == ["MC2617"])
    }
  }

  @Test(arguments: [".", "App", "App/M.swift"])
  func `source at a repository's top is held against its tags and revisions too`(_ models: String) throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      try project.write(
        "import SwiftData\n@Model final class Trip {\n  var name = \"\"\n  var link: URL?\n  init() {}\n}\n",
        to: "App/M.swift")
      try project.commit("released")
      try repository.git("tag", "v1")
      #expect(try project.check(models: models).found.map(\.code) == ["MC2606"])
      try project.edit("App/M.swift", "init", "#if os(macOS)\n  var frame: Int?\n  #endif\n  init")
      #expect(try project.check(models: models).found.map(\.code).sorted() == ["MC2606", "MC2607"])
      try project.edit("App/M.swift", "var link", "var stars: Int\n  var link")
      func errors(_ arguments: String...) throws -> [String] {
        try project.check(arguments: arguments, models: models).found
          .filter { $0.severity == "error" && $0.state == "new" }.map { "\($0.code) \($0.line ?? 0)" }
      }
      #expect(try errors() == ["MC2631 4"])
      try repository.git("tag", "-d", "v1")
      #expect(try errors() == [])
      #expect(try errors("--against", "HEAD") == ["MC2631 4"])
    }
  }

  @Test func `a relationship under another name is advised the macro of relationships`() throws {
    try withSwiftDataApp { project, write in
      func found(_ stops: String) throws -> [String] {
        let stop = "@Model final class Stop { var n = 0; init() {} }\n"
        try write(stop + "@Model final class Trip { var name = \"\"; \(stops) init() {} }")
        return try project.check(models: "App").found.filter { $0.severity == "error" }.map {
          "\($0.code) \($0.help.joined().contains("@Relationship(originalName: \"stops\")"))"
        }
      }
      #expect(try found("var stops: [Stop] = [];") == [])
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var places: [Stop] = [];") == ["MC3204 true"])
      #expect(try found("@Relationship(originalName: \"stops\") var places: [Stop] = [];") == [])
      #expect(try found("") == ["MC7008 true"])
    }
  }

  @Test func `an enum is no text under another name`() throws {
    try withSwiftDataApp { project, write in
      func found(_ property: String) throws -> [String] {
        try write("enum Kind: String, Codable { case a }\n@Model final class Trip { \(property); init() {} }")
        return try newCodes(project)
      }
      _ = try found("var kindText: String = \"a\"")
      try project.commit("1.0")
      try project.repository.git("tag", "1.0")
      #expect(try found("var kind: Kind = Kind.a") == ["MC7008"])
      #expect(try found("var kind: String = \"a\"") == ["MC3204"])
    }
  }

  @Test func `more tags than are read are said not to be checked`() throws {
    try withSwiftDataApp { project, write in
      try write("@Model final class Trip { var name: String = \"\"; init() {} }")
      try project.commit("1.0")
      let head = try project.repository.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      func found(_ count: Int) throws -> [String] {
        let lines = (0..<count).map { "\(head) refs/tags/v\(String(10_000 + $0))\n" }
        let header = "# pack-refs with: peeled fully-peeled sorted \n"
        try project.write(header + lines.joined(), to: ".git/packed-refs")
        return try project.check("--level", "path", models: "App").found
          .filter { $0.code == "MC2632" && $0.message.contains("1,000") }.map(\.severity)
      }
      #expect(try found(1_000) == [])
      #expect(try found(1_001) == ["warning"])
    }
  }

  @Test func `in a partial clone it is said how to get the source of tags`() throws {
    try withSwiftDataApp { origin, write in
      for (tag, name) in [("1.0", "a"), ("1.1", "b")] {
        try write("@Model final class Trip { var \(name): String = \"\"; init() {} }")
        try origin.commit(tag)
        try origin.repository.git("tag", tag)
      }
      try origin.repository.git("config", "uploadpack.allowFilter", "true")
      try withTemporaryFolder { folder in
        let clone = folder.appending(path: "clone")
        let url = "file://\(origin.path)"
        try origin.repository.git("clone", "--quiet", "--filter=blob:none", url, clone.path)
        let project = ReleasedProject(repository: Repository(folder: clone))
        let found = try project.check("--level", "path", models: "App").found.filter { $0.code == "MC2632" }
        #expect(found.first?.help.last?.contains("fetch --refetch --no-filter") == true, "\(found)")
      }
    }
  }

  @Test func `a repository that git does not read is not passed over in silence`() throws {
    try withTemporaryFolder { folder in
      let project = ReleasedProject(repository: Repository(folder: folder))
      try project.write(
        "import SwiftData\n@Model final class Trip { var name = \"\"; init() {} }\n", to: "App/Models.swift")
      func found() throws -> [String] {
        try project.check(models: "App").found.filter { $0.code == "MC0014" }.map(\.severity)
      }
      #expect(try found() == [])
      try project.write("gitdir: /nowhere\n", to: ".git")
      #expect(try found() == ["warning"])
    }
  }
}

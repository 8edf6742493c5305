import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import SwiftDataModels
import TestSupport
import Testing

/// What the app's containers keep, and where.
@Suite("SwiftData judged by its containers", .readsSwift)
struct SwiftDataContainerGateTests {
  /// A widget with fewer classes, and mirroring that the base had not.
  @Test(arguments: [("", "MC2643"), (", configurations: .init(cloudKitDatabase: .automatic)", "MC1802")])
  func `what a container brings to classes that nobody changed is new`(_ more: String, _ code: String) throws
  {
    try withSwiftDataApp { project, write in
      let app = """
        @Model final class Stop { var name: String; init(name: String) { self.name = name } }
        @Model final class Note { var text: String = ""; init() {} }
        let app = try ModelContainer(for: Stop.self, Note.self)

        """
      try write(app)
      try project.commit("1.0")
      try write(app + "let widget = try ModelContainer(for: Stop.self\(more))")
      let found = try project.check("--against", "HEAD", models: "App").found.filter { $0.code == code }
      #expect(found.map(\.state) == ["new"])
    }
  }

  @Test func `rules of CloudKit hold where the app's configuration has its stores mirrored`() throws {
    try Repository.with { repository in
      let project = ReleasedProject(repository: repository)
      func found(_ database: String) throws -> [String] {
        try project.write(
          """
          import SwiftData
          @Model final class Trip {
            var name: String
            init() {}
          }
          let own = ModelConfiguration(cloudKitDatabase: \(database))
          """, to: "App/Models.swift")
        return try project.check(models: "App").found.filter { $0.code == "MC1802" }.map(\.severity)
      }
      let always = try found(".private(\"iCloud.trips\")")
      #expect(always == ["error"])
      #expect(try found(".automatic") == ["warning"])
      #expect(try found(".none") == [])
    }
  }

  @Test func `objects stay behind in the file of the last release, whatever older ones had`() throws {
    try withSwiftDataApp { project, write in
      func release(_ name: String) throws {
        let classes = ["Trip", "Draft"].map { "@Model final class \($0) { var n = 0; init() {} }\n" }.joined()
        try write(
          classes
            + "let c = try ModelContainer(for: Trip.self, Draft.self, configurations: ModelConfiguration(\"\(name)\"))"
        )
        try project.commit(name)
      }
      for name in ["old", "trips"] {
        try release(name)
        try project.repository.git("tag", "-f", name)
        #expect(try newCodes(project) == [])
      }
      try release("main")
      let found = try project.check(models: "App").found.filter { $0.severity == "error" }
      let support = "Library/Application Support/"
      #expect(
        found.map(\.message) == [
          "'Trip', 'Draft' are kept in '\(support)main.store' now, not in '\(support)trips.store' as in 'trips'"
        ])
    }
  }

  @Test func `containers that are all in memory are a doubt`() throws {
    try withSwiftDataApp { project, write in
      func found(_ more: String, _ last: String = "") throws -> [String] {
        let container = "try ModelContainer(for: Trip.self\(more))"
        try write(
          "@Model final class Trip { var n = 0; init() {} }\nlet c = \(container)\n\(last)")
        let found = try project.check(models: "App").found.filter { $0.code == "MC7008" }
        #expect(found.allSatisfy { $0.help.first?.hasPrefix("remove `isStoredInMemoryOnly: true`") == true })
        return found.map(\.message)
      }
      let memory = ", configurations: ModelConfiguration(isStoredInMemoryOnly: true)"
      for (then, count) in [(memory, 0), ("", 1)] {
        _ = try found(then)
        try project.commit("then\(then)")
        try project.repository.git("tag", "-f", "1")
        #expect(try found("") == [])
        let messages = try found(memory)
        #expect(messages.count == count)
        #expect(messages.allSatisfy { $0.hasPrefix("'Trip' is kept in memory only now, not in ") })
        #expect(try found(memory, "let d = try ModelContainer(for: Trip.self)") == [])
        #expect(try found(memory, "let d = try ModelContainer(for: all)") == [])
      }
    }
  }

  @Test func `a group that is named now is a doubt, and another one an error`() throws {
    try withSwiftDataApp { project, write in
      func found(_ group: String) throws -> [String] {
        try write(
          "@Model final class Trip { var n = 0; init() {} }\n"
            + "let c = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(\(group)))")
        return try project.check(models: "App").found.filter { $0.code == "MC7008" }.map(\.severity)
      }
      for (group, severity) in [("", "warning"), ("groupContainer: .identifier(\"group.a\")", "error")] {
        _ = try found(group)
        try project.commit(severity)
        try project.repository.git("tag", "-f", "1")
        #expect(try found("groupContainer: .identifier(\"group.b\")") == [severity])
      }
    }
  }
}

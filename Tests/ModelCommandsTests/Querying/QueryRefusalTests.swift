import Foundation
import TestSupport
import Testing

@testable import ModelCommands

/// Whatever is asked, the answer is rows or a refusal, and never a bug of modelc's.
@Suite("Queries that cannot be answered") struct QueryRefusalTests {
  private static let model = """
    entities:
      City:
        attributes: {name: string, founded: date?}
        relationships: {people: {toMany: Person, inverse: city}}
      Person:
        attributes: {name: string}
        relationships: {city: {to: City, inverse: people}, friend: {to: Person, inverse: friend}}
    """

  private static func list(_ text: String, _ count: Int, _ separator: String = ", ") -> String {
    Array(repeating: text, count: count).joined(separator: separator)
  }

  /// Queries with the exit code.
  static let queries: [(String, Int32)] = [
    (#"City WHERE name MATCHES "(""#, 1),
    (#"City WHERE "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac" MATCHES "(a+)+b""#, 1),
    (#"Person WHERE name MATCHES "\#(list("(", 600, ""))a\#(list(")", 600, ""))""#, 1),
    ("City WHERE founded < now()", 0), ("SELECT now() FROM City", 0),
    ("City WHERE SELF == City/p1", 0), ("Person WHERE city IN {City/p1, City/p2}", 0),
    ("City WHERE SELF == Person/p1", 1), ("City WHERE SELF == Town/p1", 1),
    ("SELECT * FROM City", 1), ("SELECT DISTINCT name FROM City", 1),
    ("SELECT DISTINCT name, founded FROM City", 1),
    ("SELECT \(list("name", 2_500)) FROM City", 1), ("City ORDER BY \(list("name", 2_500))", 1),
    ("SELECT name FROM City GROUP BY \(list("name", 2_500))", 1),
    (#"City WHERE \#(list(#"name == "a""#, 1_500, " OR "))"#, 0),
    (#"City WHERE \#(list(#"name LIKE[c] "a""#, 1_500, " AND "))"#, 0),
    (#"Person WHERE \#(list("friend", 70, ".")).name == "a""#, 1),
    (#"Person WHERE \#(list("friend", 55, ".")).name == "a""#, 0),
    (#"Person WHERE ANY \#(list("city.people", 70, ".")).name == "a""#, 1),
    ("SELECT sum:(name, name) FROM City", 1), ("SELECT name FROM City LIMIT 99999999999999999999", 1),
  ]

  @Test func `rows or a refusal`() throws {
    try withTemporaryFolder { folder in
      let model = folder.appending(path: "Models/M")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      try writeVersions([Self.model], into: model)
      let store = folder.appending(path: "a store.sqlite").path
      let objects = folder.appending(path: "objects.yaml")
      try Data("City:\n  p1: {name: a}\nPerson:\n  p1: {name: =a, city: City/p1}\n".utf8).write(to: objects)
      let fixture = ["fixture", "V1", "--objects", objects.path, "-C", folder.path, "-o", store]
      #expect(ModelcCommand.run(fixture) == 0)
      // A store that is there is in the way; that is not a failed migration.
      #expect(ModelcCommand.run(fixture) == 2)
      for (query, code) in Self.queries {
        #expect(ModelcCommand.run(["query", store, query, "-C", folder.path]) == code, "\(query.prefix(90))")
      }
    }
  }

  @Test func `a fixture of a model with errors is refused for them`() throws {
    try withTemporaryFolder { folder in
      let model = folder.appending(path: "Models/M")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      let attributes = (1...1_998).map { "a\($0): integer16?" }.joined(separator: ", ")
      try writeVersions(["entities:\n  Sample:\n    attributes: {\(attributes)}\n"], into: model)
      let store = folder.appending(path: "s.sqlite").path
      #expect(ModelcCommand.run(["fixture", "V1", "--rows", "3", "-C", folder.path, "-o", store]) == 1)
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  }

  @Test func `a text that a spreadsheet would compute has an apostrophe before it`() {
    let texts = ["=1+1", "+49", "-x", "@a", "\t=1", "\r=1", "a=1", "", "'=1"]
    #expect(
      texts.map(\.spreadsheetText) == ["'=1+1", "'+49", "'-x", "'@a", "'\t=1", "'\r=1", "a=1", "", "'=1"])
  }
}

@Suite("A command within a program") struct EmbeddedCommandTests {
  /// In a process of its own: other tests run commands at the same time.
  @Test func `signals are what they were`() async {
    await #expect(processExitsWith: .success) {
      func actions() -> [Int] {
        [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ].map { number in
          var action = sigaction()
          _ = unsafe sigaction(number, nil, &action)
          #if canImport(Darwin)
            return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
          #else
            return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
          #endif
        }
      }
      _ = signal(SIGTERM, { _ in })
      let before = actions()
      #expect(before[1] != 0)
      #expect(ModelcCommand.run(["explain", "MC1302"]) == 0)
      #expect(actions() == before)
    }
  }
}

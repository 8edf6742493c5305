import Foundation
import GRDB
import TestSupport
import Testing

/// The attack of a store on its surroundings: a row of the schema whose text goes on after its statement.
@Suite("No text of a store runs, and nothing but the store is touched") struct ForgedSchemaAttackTests {
  static let commands: [[String]] = [
    ["inspect", "S"], ["verify", "S", "--full"], ["plan", "S", "--sql"], ["recover", "S"],
    ["migrate", "S", "--dry-run"],
    ["migrate", "S", "--route", "in-place"], ["migrate", "S", "--route", "clone"],
    ["migrate", "S", "--compact"],
    ["migrate", "S", "-o", "out.sqlite"], ["export", "S", "--as", "jsonl"],
    ["export", "S", "--as", "sqlite", "-o", "t.db"], ["export", "S", "--as", "csv", "-o", "t"],
    ["export", "S", "--as", "views"], ["query", "S", "Hut"],
    ["fixture", "--from", "S", "--rows", "9", "-o", "part.sqlite"],
    ["diff", "S", "V3"], ["adopt", "S"], ["check", "--store", "S"],
  ]

  private static func forged(_ victim: String) -> [(name: String, sql: String)] {
    let tail = "; ATTACH '\(victim)' AS v; DELETE FROM v.diary; DETACH v"
    let trigger = "CREATE TRIGGER t AFTER UPDATE ON ZHUT BEGIN SELECT 1; END"
    return [
      (
        "a trigger on a table of the model",
        "INSERT INTO sqlite_master VALUES ('trigger', 't', 'ZHUT', 0, $\(trigger)\(tail)$)"
      ),
      (
        "a trigger on a table of its own",
        "CREATE TABLE own (a); INSERT INTO sqlite_master VALUES ('trigger', 't', 'own', 0, $\(trigger.replacing("ZHUT", with: "own"))\(tail)$)"
      ),
      (
        "a table of its own",
        "CREATE TABLE own (a); UPDATE sqlite_master SET sql = sql || $\(tail)$ WHERE name = 'own'"
      ),
      ("a table of the model", "UPDATE sqlite_master SET sql = sql || $\(tail)$ WHERE name = 'ZHUT'"),
      (
        "an index",
        "CREATE INDEX i ON ZHUT (ZNAME); UPDATE sqlite_master SET sql = sql || $\(tail)$ WHERE name = 'i'"
      ),
      (
        "an index of a table of its own",
        "CREATE TABLE own (a); CREATE INDEX i ON own (a); UPDATE sqlite_master SET sql = sql || $\(tail)$ WHERE name = 'i'"
      ),
      (
        "a view",
        "CREATE VIEW w AS SELECT 1; UPDATE sqlite_master SET sql = sql || $\(tail)$ WHERE name = 'w'"
      ),
      (
        "bytes",
        "CREATE TABLE own (a); UPDATE sqlite_master SET sql = CAST(sql || $\(tail)$ AS BLOB) WHERE name = 'own'"
      ),
      ("another type", "UPDATE sqlite_master SET type = 'Table', sql = sql || $\(tail)$ WHERE name = 'ZHUT'"),
    ].map { ($0, $1.replacing("'", with: "\u{1}").replacing("$", with: "'")) }.map { name, sql in
      // Within `$…$` every quotation mark is doubled.
      let parts = sql.split(separator: "'", omittingEmptySubsequences: false)
      let quoted = parts.enumerated().map { $1.replacing("\u{1}", with: $0 % 2 == 1 ? "''" : "'") }
      return (name, quoted.joined(separator: "'"))
    }
  }

  @Test func `every command refuses the store, and the victim keeps its rows`() throws {
    try Workplace.withDemo { place, store in
      let canaries = [try VictimFolder(at: place.url("canary")), try VictimFolder(at: place.url("T/canary"))]
      let original = try Data(contentsOf: place.url(store))
      for attack in Self.forged(canaries[0].database) {
        try original.write(to: place.url(store))
        try edit(place.url(store)) { try $0.execute(sql: "PRAGMA writable_schema = ON; \(attack.sql)") }
        let before = try place.snapshot()
        for command in Self.commands {
          let arguments =
            command.map { $0 == "S" ? place.url(store).path : $0 } + ["-C", place.url("T").path]
          let run = try Modelc.run(arguments, in: place.url("stores"))
          #expect(run.stderr.contains("MC5002") || run.stdout.contains("MC5002"), "\(attack.name): \(run)")
          #expect([1, 3].contains(run.code), "\(attack.name): \(run)")
          #expect(try place.snapshot() == before, "\(attack.name): \(run)")
          for canary in canaries { try canary.expectUntouched("\(attack.name): \(command)") }
        }
      }
    }
  }
}

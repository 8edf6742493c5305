import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Rules of the new version that objects of the store break.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var old: String
  var new: String
  /// Run on three objects of A, and three of B that belong to the first.
  var sql: String
  /// Code, property, count and keys.
  var broken: [String]

  var testDescription: String { "\(old) → \(new)" }

  init(_ old: String, _ new: String, _ sql: String, _ broken: [String]) {
    (self.old, self.new, self.sql, self.broken) = (old, new, sql, broken)
  }
}

@Suite("Rules of the new version that objects will break") struct BrokenRulesTests {
  /// Rules move no version hash: each version has something else that does.
  private static func model(_ a: String, _ version: Int) -> String {
    let parts = a.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let many = parts.count > 1 ? parts[1] : "bs: {toMany: B, inverse: a}"
    let one = parts.count > 2 ? parts[2] : "a: {to: A, inverse: bs}"
    return """
      entities:
        A: {attributes: {\((0..<version).map { "v\($0): integer32?, " }.joined())k: date?\(parts[0].isEmpty ? "" : ", " + parts[0])}, relationships: {\(many)}}
        Sub: {parent: A}
        B: {relationships: {\(one)}}
      """
  }

  static let cases = [
    RuleCase(
      "n: integer16 = 5", "n: {type: integer16, default: 5, min: 5}", "UPDATE ZA SET ZN = Z_PK + 2",
      ["MC6108 n 2 [1, 2]"]),
    RuleCase(
      "n: double = 5", "n: {type: integer32, default: 4, max: 4}", "UPDATE ZA SET ZN = Z_PK + 2.5",
      ["MC6107 n 1 [3]"]),
    // Who broke the old rule already is no matter of the new one.
    RuleCase(
      "n: {type: integer16, default: 5, min: 3}", "n: {type: integer16, default: 5, min: 5}",
      "UPDATE ZA SET ZN = 1 + Z_PK", ["MC6108 n 2 [2, 3]"]),
    RuleCase(
      "n: {type: integer16, default: 5, min: 3}", "n: {type: integer16, default: 5, min: 3}, z: date?",
      "UPDATE ZA SET ZN = 1", []),
    RuleCase(
      "n: {type: integer16, default: 5, min: 3}", "n: {type: integer16, default: 5, min: 2}",
      "UPDATE ZA SET ZN = 1", []),
    RuleCase(
      "s: string?", "s: {type: string?, minLength: 2, maxLength: 3, matching: \"[a-z]*\"}",
      "UPDATE ZA SET ZS = substr('AAAAA', 1, Z_PK * 2 - 1)",
      ["MC6112 s 1 [3]", "MC6113 s 1 [1]", "MC6114 s 3 [1, 2, 3]"]),
    RuleCase(
      "s: string?", "t: {type: string?, minLength: 2, renamingIdentifier: s}",
      "UPDATE ZA SET ZS = 'x' WHERE Z_PK < 3", ["MC6113 t 2 [1, 2]"]),
    RuleCase(
      "d: date?", "d: {type: date?, min: 2001-01-01T00:00:02Z}", "UPDATE ZA SET ZD = Z_PK", ["MC6110 d 1 [1]"]
    ),
    RuleCase("f: float?", "f: {type: float?, min: 0.1, max: 0.3}", "UPDATE ZA SET ZF = Z_PK / 10.0", []),
    RuleCase(
      "|bs: {toMany: B, inverse: a}|a: {to: A, inverse: bs}",
      "|bs: {toMany: B, inverse: a}|a: {to: A, inverse: bs, optional: false}",
      "UPDATE ZB SET ZA = NULL WHERE Z_PK = 2", ["MC6103 a 1 [2]"]),
    RuleCase(
      "|bs: {toMany: B, inverse: a}|a: {to: A, inverse: bs}",
      "|bs: {toMany: B, inverse: a, optional: false, min: 1}|a: {to: A, inverse: bs}", "",
      ["MC6103 bs 2 [2, 3]"]),
    // Without a minimum it may be empty.
    RuleCase(
      "|bs: {toMany: B, inverse: a}|a: {to: A, inverse: bs}",
      "|bs: {toMany: B, inverse: a, optional: false}|a: {to: A, inverse: bs}", "", []),
    RuleCase(
      "|bs: {toMany: B, inverse: a, optional: false, min: 1}|a: {to: A, inverse: bs}",
      "z: date?|bs: {toMany: B, inverse: a, optional: false, min: 1}|a: {to: A, inverse: bs}", "", []),
    RuleCase(
      "|bs: {toMany: B, inverse: a}|a: {to: A, inverse: bs}",
      "|bs: {toMany: B, inverse: a, min: 2, max: 2}|a: {to: A, inverse: bs}",
      "UPDATE ZB SET ZA = 2 WHERE Z_PK = 3", ["MC6104 bs 1 [2]"]),
    RuleCase(
      "|bs: {toMany: B, inverse: a}|a: {to: A, inverse: bs}",
      "|bs: {toMany: B, inverse: a, max: 2}|a: {to: A, inverse: bs}", "", ["MC6105 bs 1 [1]"]),
  ]

  private func withStore(_ rule: RuleCase, _ body: (TestStore, VersionedModel) throws -> Void) throws {
    let objects =
      (1...3).map { ManagedObject($0 == 3 ? "Sub" : "A", $0) }
      + (1...3).map {
        ManagedObject("B", $0, toOne: ["a": objectID("A", 1)])
      }
    try withTemporaryFolder { folder in
      let model = try writtenModel(Self.model(rule.old, 1), Self.model(rule.new, 2))
      let store = try TestStore(in: folder, of: model.versions[0], objects: objects)
      try store.write { try $0.execute(sql: rule.sql) }
      try body(store, model)
    }
  }

  private func texts(_ violations: [RuleViolation]) -> [String] {
    violations.map { "\($0.code) \($0.property ?? "") \($0.count) \($0.primaryKeys)" }.sorted()
  }

  @Test(arguments: cases)
  func `they are counted before, and are those that verify finds then`(_ rule: RuleCase) throws {
    try withStore(rule) { store, model in
      let known = Set(try verified(store, model).map(\.message))
      let plan = try store.plan(model, allowing: [.narrowedNumbers])
      #expect(texts(plan.violations) == rule.broken && !plan.isBlocked)
      let warned = plan.diagnostics.filter { [.rulesBroken, .missingRelationshipValues].contains($0.code) }
      #expect(warned.count == rule.broken.count && warned.allSatisfy { $0.severity == .warning })
      let report = try store.migrate(model)
      #expect(texts(report.violations) == rule.broken)
      let found = try verified(store, model).filter { !known.contains($0.message) }
      #expect(found.map(\.code.description).sorted() == rule.broken.map { String($0.prefix(6)) })
      #expect(Set(warned.map(\.cocoaCode)) == Set(found.map(\.cocoaCode)))
    }
  }

  @Test(arguments: [true, false])
  func `Core Data migrates objects without a relationship that was optional, and none without a new one`(
    _ isNew: Bool
  ) throws {
    let (many, one) = ("bs: {toMany: B, inverse: a}", "to: A, inverse: bs")
    let rule = RuleCase(
      "", "|\(many)|a: {\(one)\(isNew ? "}, c: {to: A" : ""), optional: false}",
      "UPDATE ZB SET ZA = NULL WHERE Z_PK = 1", [])
    try withStore(rule) { store, model in
      let notes = try store.plan(model).diagnostics.filter { $0.code == .missingRelationshipValues }
        .map { $0.notes.contains { $0.message.contains("modelc does") } }
      #expect(notes == [isNew])
    }
  }

  private func verified(_ store: TestStore, _ model: VersionedModel) throws -> [Diagnostic] {
    try store.read { db in
      try verifyStore(db, name: "s", path: store.url.path, among: [model]).findings.map(\.diagnostic)
    }
  }

  @Test(arguments: cases) func `a strict migration is refused, and changes nothing`(_ rule: RuleCase) throws {
    try withStore(rule) { store, model in
      var options = MigrationOptions(acceptedLosses: [.narrowedNumbers])
      options.refusesBrokenRules = true
      let before = try Data(contentsOf: store.url)
      let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
      #expect(plan.isBlocked == !rule.broken.isEmpty)
      if rule.broken.isEmpty { return }
      #expect(throws: MigrationRefusedError.self) {
        try migrateStore(at: store.url.path, models: [model], options: options)
      }
      #expect(try Data(contentsOf: store.url) == before)
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `references that were broken before are told as such`(_ route: RouteRequest) throws {
    let rule = RuleCase("", "z: date?", "UPDATE ZB SET ZA = 99 WHERE Z_PK < 3", [])
    try withStore(rule) { store, model in
      let report = try store.migrate(model, route: route)
      #expect(report.brokenReferences == nil)
    }
  }

  /// Steps that follow one another: what counts is the last version.
  @Test func `a rule of a version between is none of the target's`() throws {
    let old = Self.model("n: integer16 = 5", 1)
    let narrow = Self.model("n: {type: integer16, default: 6, min: 6}", 2)
    try withTemporaryFolder { folder in
      let model = try writtenModel(old, narrow, Self.model("n: {type: integer16, default: 5, min: 4}", 3))
      let store = try TestStore(
        in: folder, of: model.versions[0],
        objects: (1...3).map { ManagedObject("A", $0, values: ["n": .integer($0 + 2)]) })
      for chain in [ChainRule.auto, .direct, .stepwise] {
        var options = MigrationOptions(chain: chain)
        options.refusesBrokenRules = false
        let plan = try planMigration(ofStoreAt: store.url.path, models: [model], options: options)
        #expect(texts(plan.violations) == ["MC6108 n 1 [1]"], "\(chain)")
      }
      let report = try store.migrate(model, chain: .stepwise)
      #expect(texts(report.violations).last == "MC6108 n 1 [1]")
    }
  }
}

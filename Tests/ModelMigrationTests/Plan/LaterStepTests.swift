import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What a plan says of steps whose objects are not there yet.
@Suite("Plans of steps after a mapping") struct LaterStepTests {
  @Test func `plans name what inferred steps after a mapping lose`() throws {
    let other = "  B: {attributes: {y: string?}}\n"
    let trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {x: string?, n: string?}}\n" + other,
        "entities:\n  A: {attributes: {x: string?, m: string?}}\n" + other,
        "entities:\n  A: {attributes: {m: string?}}\n",
      ], mappings: ["entityMappings:\n  AToA: {source: A, destination: A, attributes: {m: $source.n}}\n"])
    func lost(_ found: [Diagnostic]) -> [String] {
      found.filter { $0.code == .droppedData && $0.severity == .warning }.compactMap(\.subject).map {
        [$0.entity, $0.property].compactMap(\.self).joined(separator: ".")
      }.sorted()
    }
    let path = try planPath(from: "V1", models: [trial.model], custom: trial.custom)
    #expect(lost(path.diagnostics) == ["A.x", "B"])
    #expect(!path.diagnostics.contains { $0.notes.contains { $0.message.contains("is known only when") } })
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("B", ["y": .string("b")]), in: folder))
      #expect(lost(plan.diagnostics) == ["A.x", "B"])
    }
  }

  /// What V2 has, empty or with one value for all, and V4 no more is in no store of V1.
  @Test(arguments: [false, true])
  func `plans name nothing as lost that comes after the store's version`(isMappedLast: Bool) throws {
    let (first, mapping) = ("x: string?", "{source: A, destination: A, attributes: {x: 'trim($source.x)'}}")
    let added = first + ", y: string?, z: integer64 = 3"
    let trial = try CustomTrial(
      [
        "entities:\n  A: {attributes: {\(first)}}\n",
        "entities:\n  A: {attributes: {\(added)}}\n  B: {attributes: {t: string?}}\n",
        "entities:\n  A: {attributes: {\(added), w: string?}}\n  B: {attributes: {t: string?}}\n",
        "entities:\n  A: {attributes: {\(first), w: string?}}\n",
      ],
      mappings: ["", "", ""].enumerated().map {
        $0.offset == (isMappedLast ? 2 : 1) ? "entityMappings: {AToA: \(mapping)}" : ""
      })
    func isLost(_ version: String) throws -> Bool {
      try planPath(from: version, models: [trial.model], custom: trial.custom).diagnostics
        .contains { $0.code == .droppedData }
    }
    let (early, late) = (try isLost("V1"), try isLost("V2"))
    #expect(!early && late)
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("A", ["x": .string("a")]), in: folder))
      #expect(!plan.isBlocked && !plan.diagnostics.contains { $0.code == .droppedData })
    }
  }

  @Test func `the plan names what a later step would drop, and the report what it dropped`() throws {
    var trial = try CustomTrial(
      [
        "entities:\n  Note: {attributes: {title: string?, town: string?}}\n",
        "entities:\n  Note: {attributes: {title: string?, town: string?, code: string?}}\n",
        "entities:\n  Note: {attributes: {title: string?, code: string?}}\n",
      ],
      mappings: [
        "entityMappings: {NoteToNote: {source: Note, destination: Note, attributes: {code: $source.title}}}"
      ])
    try withTemporaryFolder { folder in
      let plan = try trial.plan(try trial.store(objects("Note", ["town": .string("x")]), in: folder))
      let found = plan.diagnostics.filter { $0.subject?.property == "town" }
      #expect(found.map(\.severity) == [.warning] && !plan.isBlocked)
    }
    trial.options.acceptedLosses = [.droppedData]
    let losses = try trial.run(objects("Note", ["town": .string("x")])).report.plan.losses
    #expect(losses.map { "\($0.entity).\($0.property ?? "") \($0.count)" } == ["Note.town 1"])
  }

  @Test func `what a step behind a custom one needs is said before it begins`() throws {
    func version(_ more: String, _ rest: String = "") -> String {
      "entities:\n  Photo: {attributes: {name: string?, n: integer32 = 0\(more)}}\n\(rest)"
    }
    let unique = "  Album: {attributes: {title: string?}}\n"
    let trial = try CustomTrial(
      [
        version(""), version(", m: integer32 = 0"),
        version(", m: integer32 = 0", unique).replacing("0}}", with: "0}, uniquenessConstraints: [[name]]}"),
      ],
      mappings: ["entityMappings: {P: {source: Photo, destination: Photo, attributes: {m: $source.n * 2}}}\n"]
    )
    try withTemporaryFolder { folder in
      let store = try trial.store(objects("Photo", ["name": .string("a"), "n": .integer(1)]), in: folder)
      let plan = try trial.plan(store)
      #expect(!plan.isBlocked && plan.roomBound == "about")
      #expect(plan.diagnostics.map { "\($0.code) \($0.severity)" } == ["MC3105 warning"])
      try store.write { try $0.execute(sql: "CREATE TABLE ZALBUM (a)") }
      let errors = try trial.plan(store).diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code.description) == ["MC5107"])
    }
  }
}

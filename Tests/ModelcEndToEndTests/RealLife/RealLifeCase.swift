import Foundation
import GRDB
import TestSupport
import Testing

/// A situation that people ask about in public, played through the built `modelc`: what the plan says first, what is
/// done about it, and what the store holds afterwards.
struct RealLifeCase: Sendable, CustomTestStringConvertible {
  enum Cure: Sendable {
    /// Nothing is needed.
    case none
    /// The mapping that a finding of the plan proposes, taken as it is printed.
    case proposal
    /// A mapping file, without its `from:` and `to:`.
    case mapping(String)
    /// Options of the command.
    case options([String])
  }

  var number: Int
  var title: String
  /// Versions, oldest first; the store is of the first.
  var versions: [String]
  var objects: String
  /// SQL that the store met before.
  var damage = ""
  /// Error codes of the plan as it is.
  var refusals: [String] = []
  var cure = Cure.none
  /// Losses that the plan names with the cure, as `Entity.attribute 3`.
  var losses: [String] = []
  /// What `export --as yaml` shows afterwards.
  var after: String

  var testDescription: String { "\(number): \(title)" }

  /// Plays it, and tells a line of the table.
  func play(in folder: URL) throws {
    try prepare(folder)
    let plan = try Modelc.run("plan", "store.sqlite", "--format", "json", in: folder)
    let record = try plan.decoded(as: PlanRecord.self)
    let errors = record.diagnostics.filter { $0.severity == "error" }.map(\.code)
    #expect(Set(errors) == Set(refusals), "\(plan)")
    #expect((plan.code == 0) == refusals.isEmpty, "\(plan)")
    if !refusals.isEmpty {
      let before = try FolderSnapshot(folder)
      #expect(try Modelc.run("migrate", "store.sqlite", in: folder).code != 0)
      #expect(try FolderSnapshot(folder) == before)
    }
    let options = try applyCure(record, in: folder)
    let cured = try Modelc.run(["plan", "store.sqlite", "--format", "json"] + options, in: folder)
    expectSuccess(cured)
    let found = try cured.decoded(as: PlanRecord.self).losses.map {
      "\($0.entity)\($0.property.map { ".\($0)" } ?? "") \($0.count)"
    }
    #expect(found == losses)
    expectSuccess(try Modelc.run(["migrate", "store.sqlite"] + options, in: folder))
    expectSuccess(try Modelc.run("verify", "store.sqlite", in: folder))
    let export = try Modelc.run("export", "store.sqlite", "--as", "yaml", in: folder)
    #expect(export.stdout.trimmingCharacters(in: .newlines) == after, "\(export)")
    let told = refusals.isEmpty ? "goes through" : refusals.joined(separator: ", ")
    printCase(
      number, title, "plan: \(told); migrate, cure: \(cureName)",
      losses.isEmpty ? "right" : "right; told: \(losses.joined(separator: ", "))")
  }

  private var cureName: String {
    switch cure {
    case .none: "-"
    case .proposal: "proposed mapping"
    case .mapping: "mapping file"
    case .options(let options): options.joined(separator: " ")
    }
  }

  private func prepare(_ folder: URL) throws {
    let models = folder.appending(path: "Models/App")
    try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
    let names = versions.indices.map { "V\($0 + 1)" }
    for (name, text) in zip(names, versions) {
      try Data(text.utf8).write(to: models.appending(path: "\(name).yaml"))
    }
    let list = "current: \(names.last ?? "")\nversions: [\(names.joined(separator: ", "))]\n"
    try Data(list.utf8).write(to: models.appending(path: "versions.yaml"))
    try Data(objects.utf8).write(to: folder.appending(path: "objects.yaml"))
    expectSuccess(
      try Modelc.run("fixture", "V1", "--objects", "objects.yaml", "-o", "store.sqlite", in: folder))
    if damage.isEmpty { return }
    let queue = try DatabaseQueue(path: folder.appending(path: "store.sqlite").path)
    try queue.write { try $0.execute(sql: damage) }
    try queue.close()
  }

  private func applyCure(_ plan: PlanRecord, in folder: URL) throws -> [String] {
    let text: String
    switch cure {
    case .none: return []
    case .options(let options): return options
    case .mapping(let mapping): text = "from: V1\nto: V2\n\(mapping)\n"
    case .proposal: text = try #require(plan.diagnostics.compactMap(\.proposal?.text).last)
    }
    let mappings = folder.appending(path: "Migrations/App")
    try FileManager.default.createDirectory(at: mappings, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: mappings.appending(path: "V1-V2.yaml"))
    return []
  }
}

private struct PlanRecord: Decodable {
  struct Finding: Decodable {
    struct Proposal: Decodable { var text: String }
    var code: String
    var severity: String
    var proposal: Proposal?
  }
  struct Loss: Decodable {
    var entity: String
    var property: String?
    var count: Int
  }
  var diagnostics: [Finding]
  var losses: [Loss]
}

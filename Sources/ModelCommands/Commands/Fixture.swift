import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import ReleaseChecks
import StoreFixtures
import SwiftDataModels

struct Fixture: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a genuine store of a version, for tests.",
    discussion: """
      With --rows, generated objects that cover edge cases: bounds, nil, texts of every script, large values, early dates, \
      relationships of every size; required values, rules, inverses and uniqueness are kept. With --objects, those of \
      a YAML file, as `modelc export --as yaml` writes it: entities, below each its objects by name or primary key \
      (p1), references as Entity/name. With --from, a small part of another store that is complete in \
      itself, with masked values. The same version, content and seed give the same objects.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: .text("How many objects in all.", "n"))
  var rows: Int?

  @Option(help: .text("Another seed gives other objects.", "n"))
  var seed: UInt64 = 0

  @Option(help: .text("A YAML file of objects.", "file"))
  var objects: String?

  @Option(help: .text("The store to take a part of; --rows says how many objects.", "store"))
  var from: String?

  @Option(
    help: .text(
      "What to mask of --from: Entity.attribute, Entity.* or *, separated by commas; 'none' for nothing. All by default.",
      "fields"))
  var mask: String?

  @Option(
    help: .text(
      "The Core Data to imitate: its number, 'newest', or a store that it wrote.", "n|newest|store"))
  var framework: String = "newest"

  @Option(name: [.customShort("o")], help: .text("The new store.", "store"))
  var store: String

  @Argument(help: "The version, as `modelc diff` takes it; with --from it is the store's own.")
  var version: String?

  func validate() throws {
    if let rows, !(0...100_000_000).contains(rows) { throw ValidationError("--rows is 0 to 100,000,000") }
    try refuse(objects != nil && rows != nil, "--objects and --rows exclude each other")
    try refuse(objects != nil && from != nil, "--objects and --from exclude each other")
    try refuse(objects == nil && rows == nil, "say how many objects with --rows, or which with --objects")
    try refuse(from == nil && version == nil, "name the version")
    try refuse(mask != nil && from == nil, "--mask is about the values of --from")
  }

  var refusalHead: JSONValue { ["store": .string(store)] }

  func work() throws {
    let start = ContinuousClock.now
    let imitation = try imitation()
    let (label, version, content) = try content()
    if FileManager.default.fileExists(atPath: store) { throw UsageError(.taken(store)) }
    if let remark = version.unprovenRemark(of: project.models) { output.report([remark]) }
    let report = try makeFixture(at: store, of: version, content, seed: seed, imitating: imitation)
    output.report(report.diagnostics)
    let time = seconds(since: start)
    output.print(Self.result.json(of: (store, label, report, time)), else: text(report, label, time))
  }

  // MARK: content

  private func content() throws -> (label: String, version: ModelVersion, content: FixtureContent) {
    if let from { return try sample(of: from) }
    let named = try project.project.findVersion(version ?? "")
    try named.requireSound()
    // A schema of which a part cannot be read has other hashes.
    let own = named.version.sourceMap == nil ? checkModel(of: named.version, minimum: .error) : []
    try (named.unread + own).ordered.refuse()
    guard let objects else { return (named.label, named.version, .rows(rows ?? 0)) }
    return (named.label, named.version, .objects(try readObjectFile(at: objects, model: named.version.model)))
  }

  private func sample(
    of path: String
  ) throws -> (label: String, version: ModelVersion, content: FixtureContent) {
    let models = (try? project.project.readModels())?.models ?? []
    let wanted = try version.map { try project.project.findVersion($0) }
    return try StoreConnection(path: path).read { db in
      let source = try db.readStoreSource(path: path, among: models + [wanted?.siblings].compactMap(\.self))
      let hashes = source.metadata.versionHashes
      if let wanted, wanted.version.entityVersionHashesByName != hashes {
        throw DiagnosticsError(
          .storeUnrecognised,
          "'\(path)' is \(source.version.name == path ? "not" : "\(source.version.name), not") '\(wanted.label)'",
          help: ["leave the version out, or migrate a copy of the store first"], cocoaCode: 134130)
      }
      let model = source.version.model
      let masked = mask == "none" ? [] : (mask ?? "*").split(separator: ",")
      let fields = try MaskedFields(masked.map { $0.trimmingCharacters(in: .whitespaces) }, model: model)
      let reader = ObjectReader(db, schema: source.schema, model: model) {
        try readExternalData($0, ofStoreAt: path)
      }
      let objects = try StoreFixtures.mask(
        reader.sampleObjects(rows ?? 0, seed: seed), fields, model: model, seed: seed)
      return (wanted?.label ?? source.version.name, source.version, .objects(objects))
    }
  }

  private func imitation() throws -> StoreImitation {
    if framework == "newest" { return StoreImitation() }
    if let number = Int(framework), number > 0 { return StoreImitation(frameworkVersion: number) }
    guard FileManager.default.fileExists(atPath: framework) else {
      throw UsageError(
        .fileUnreadable, "'\(framework)' is neither a number of a Core Data version nor a store",
        help: ["write a number such as 1344, 'newest', or the path of a store to imitate"])
    }
    return try StoreImitation(ofStoreAt: framework)
  }

  // MARK: result

  private func text(_ report: FixtureReport, _ label: String, _ time: Double) -> String {
    let objects = report.objects.filter { $0.count > 0 }
    let table = TextTable(.left, .right, rows: objects.map { [$0.entityName, counted($0.count, "object")] })
    let files = report.externalFiles == 0 ? "" : ", \(counted(report.externalFiles, "file")) of external data"
    let head = "\(store): \(counted(report.count, "object")) of \(label)\(files), in \(time.humanDuration)"
    return ([head] + table.lines(indent: 2)).shownLines
  }

  static let result = JSONObject<(store: String, version: String, report: FixtureReport, seconds: Double)>(
    "fixture", "A store that was made."
  ).adding([
    "store": .store(\.store), "version": .value(\.version), "uuid": .value(\.report.uuid.uuidString),
    "entities": .list({ $0.report.objects.map { ($0.entityName, $0.count) } }, of: .entityCount),
    "externalFiles": .value(\.report.externalFiles, "Large values in files of their own."),
    "seconds": .seconds(\.seconds), "diagnostics": .diagnostics(\.report.diagnostics),
  ])
}

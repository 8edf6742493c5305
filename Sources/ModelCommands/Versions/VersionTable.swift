import ManagedModel
import ModelFormats
import ReleaseChecks

/// The versions of a model as `version list` shows them.
struct VersionTable {
  enum State: String, CaseIterable {
    /// Stores are migrated to it.
    case current
    /// It stands before the current one.
    case earlier
    /// It stands after the current one: no store is migrated to it yet.
    case draft
  }

  struct Row {
    var version: ModelVersion
    var predecessors: [String]
    var state: State
    /// The latest version before it with the same hashes, and what differs nevertheless.
    var twin: HashEqualVersions?
    /// Its line in the release lock.
    var release: ReleaseLock.Entry?
    /// When it came into git.
    var origin: VersionHistory.Origin?
  }

  let model: VersionedModel
  let rows: [Row]

  /// - Parameter releases: what the model's lock lists.
  init(_ model: VersionedModel, releases: [ReleaseLock.Entry] = [], history: VersionHistory? = nil) {
    self.model = model
    let twins = Dictionary(firstOf: model.hashEqualVersions.map { ($0.version.name, $0) })
    rows = model.versions.map { version in
      Row(
        version: version, predecessors: model.predecessors(of: version).map(\.name),
        state: version.name == model.currentVersionName
          ? .current : model.isDraft(version) ? .draft : .earlier,
        twin: twins[version.name], release: releases.first { $0.version == version.name },
        origin: history?.origins[version.name])
    }
  }

  var text: String {
    let hasTags = rows.contains { $0.origin?.tag != nil }
    let cells = rows.map { row in
      var remarks = row.state == .earlier ? [] : [row.state.rawValue]
      if let release = row.release {
        let isSame = release.checksum == row.version.versionChecksum
        remarks.append(
          "released \(release.date)\(release.tag.map { " as \($0)" } ?? "")\(isSame ? "" : ", changed since")"
        )
      }
      if let origin = row.origin, row.release == nil {
        let none = hasTags ? ", in no tag of this branch" : ""
        remarks.append("since \(origin.date)" + (origin.tag.map { ", first in \($0)" } ?? none))
      }
      if let twin = row.twin { remarks.append("same hashes as \(twin.earlier.name)") }
      let hashes = row.version.entityVersionHashesByName
      return [
        row.version.name, row.predecessors.joined(separator: ", "), grouped(hashes.count),
        "\(row.version.versionChecksum.prefix(12))…", remarks.joined(separator: ", "),
      ]
    }
    let table = TextTable(
      .left, .left, .right, .left, header: ["version", "follows", "entities", "checksum", "state"],
      rows: cells)
    let stages = model.stages.isEmpty ? [] : ["  stages"] + model.stages.map { "    " + $0.line.printable }
    return (["\(model.name.printable): \(counted(rows.count, "version"))"] + table.lines(indent: 2) + stages)
      .shownLines
  }

  /// The object of `version list`, with what was found in the model.
  static let result = JSONObject<(table: Self, findings: [Diagnostic])>(
    "versionTable", "The versions of a model."
  ).adding([
    "model": .value(\.table.model.name, "The model's name."),
    "current": .value(\.table.model.currentVersionName, "The current version."),
    "versions": .value(\.table.rows, "In their order."),
    "stages": .value(\.table.model.stages, "Stages that versions.yaml states."),
    "diagnostics": .diagnostics(\.findings),
  ])
}

extension MigrationStage: JSONResult {
  /// `lightweight V1, V2`, `custom V2 → V3, willMigrate FillNames`.
  fileprivate var line: String {
    let text =
      switch self {
      case .lightweight(let names, _): "lightweight \(names.joined(separator: ", "))"
      case .custom(let stage):
        "custom \(stage.currentVersionName) → \(stage.nextVersionName)"
          + [("willMigrate", stage.willMigrateHandler), ("didMigrate", stage.didMigrateHandler)].map {
            key, name in name.map { $0.hasPrefix(key) ? ", \($0)" : ", \(key) \($0)" } ?? ""
          }.joined()
      }
    return text + (label.map { ": \($0)" } ?? "")
  }

  fileprivate var kind: String { if case .lightweight = self { "lightweight" } else { "custom" } }
  fileprivate var custom: CustomMigrationStage? { if case .custom(let stage) = self { stage } else { nil } }

  static let result = JSONObject<Self>("stage", "A stage of the migration.").adding([
    "kind": .value(.words(["lightweight", "custom"], ""), \.kind), "versions": .value(\.versionNames),
    "willMigrate": .optional({ $0.custom.map(\.willMigrateHandler) }, "Of a custom stage."),
    "didMigrate": .optional({ $0.custom.map(\.didMigrateHandler) }, "Of a custom stage."),
    "label": .value(\.label),
  ])
}

extension VersionTable.Row: JSONResult {
  static let result = JSONObject<Self>("listedVersion", "A version of a model.").adding([
    "name": .value(\.version.name), "predecessor": .value(\.predecessors.first, "The first of them."),
    "predecessors": .value(\.predecessors, "The versions before it."),
    "state": .word(\.state, "Its place relative to the current one."),
    "checksum": .value(\.version.versionChecksum, "Core Data's version checksum."),
    "fingerprint": .value(
      \.version.model.fingerprint, "Of all that the version says, also what is in no hash."),
    "entities": .named(\.version.hashesInOrder, "The version hashes by entity."),
    "unverified": .value(
      \.version.unverifiedEntities, "Entities with a hash that no genuine file has proved."),
    "sameHashesAs": .value(\.twin?.earlier.name, "An earlier version that no store can tell apart."),
    "since": .value(\.origin?.date, "When its file came into git, as 2026-01-31."),
    "firstTag": .value(\.origin?.tag, "The oldest tag that has it."),
    "released": .value(\.release?.date, "Since when, as 2026-01-31."), "tag": .value(\.release?.tag),
    "differences": .value({ $0.twin?.changes ?? [] }, "From the version with the same hashes."),
  ])
}

/// The shapes of stores that tags have shipped, and the schemas of the source that no tag has.
struct ShippedSchemaTable: JSONResult {
  let model: VersionedModel
  let shipped: ShippedSchemas

  /// Schemas of today's source with the hashes of no shape.
  private var unshipped: [ModelVersion] {
    model.versions.filter { version in !shipped.shapes.contains { $0.version.makesStores(of: version) } }
  }

  /// The schema of today's source that recognises the stores.
  private func holder(of shape: ShippedSchemas.Shape) -> ModelVersion? {
    model.versions.last { $0.makesStores(of: shape.version) }
  }

  var text: String {
    let table = TextTable(
      .left, .left, .right, .left, .left, header: ["version", "schema", "entities", "checksum", "tags"],
      rows: shipped.shapes.map { shape in
        [
          shape.version.name.printable,
          (holder(of: shape).map(title) ?? (model.stages.isEmpty ? "inferred" : "lost")).printable,
          grouped(shape.version.entityVersionHashesByName.count),
          "\(shape.version.versionChecksum.prefix(12))…",
          shape.tagNames.printable,
        ]
      })
    var lines = [
      "\(model.name.printable): \(counted(shipped.shapes.count, "shape")) in \(counted(shipped.tagCount, "tag"))"
    ]
    if !shipped.shapes.isEmpty { lines += table.lines(indent: 2) }
    if !unshipped.isEmpty {
      lines.append("  in no tag: \(unshipped.map(title).joined(separator: ", ").printable)")
    }
    if shipped.tagsWithoutModel > 0 {
      lines.append("  \(counted(shipped.tagsWithoutModel, "tag")) without the model")
    }
    lines += shipped.unreadable.map { "  \($0.tag) cannot be read: \($0.reason)".printable }
    if shipped.isCut { lines.append("  only the newest \(grouped(ShippedSchemas.tagLimit)) tags were read") }
    return lines.shownLines
  }

  private func title(_ version: ModelVersion) -> String { version.typeName ?? version.name }

  static let result = JSONObject<Self>("shapeTable", "The shapes of stores that tags have shipped.").adding([
    "model": .value(\.model.name, "The model's name."),
    "tags": .value(\.shipped.tagCount, "How many were looked at."),
    "tagsWithoutModel": .value(\.shipped.tagsWithoutModel),
    "shapes": .list(
      { table in table.shipped.shapes.map { ($0, table.holder(of: $0).map(table.title)) } },
      of: shippedShape, "Oldest first."),
    "unshipped": .value({ $0.unshipped.map($0.title) }, "Schemas of today's source that no tag has shipped."),
    "unreadable": .list(\.shipped.unreadable, of: unreadTag("unreadShape")),
    "isCut": .value(\.shipped.isCut, "Whether there are more tags than were looked at."),
  ])

  private static let shippedShape = JSONObject<(shape: ShippedSchemas.Shape, schema: String?)>(
    "shippedShape", "Stores with the same hashes."
  ).adding([
    "version": .value(\.shape.version.name, "As the schema was called when it shipped."),
    "schema": .value(\.schema, "The schema of today's source with these hashes."),
    "checksum": .value(\.shape.version.versionChecksum, "Core Data's version checksum."),
    "tags": .value({ $0.shape.tags.map(\.name) }, "Oldest first."),
  ])

  static func unreadTag(_ name: String) -> JSONObject<(tag: String, reason: String)> {
    JSONObject<(tag: String, reason: String)>(name, "A tag that was skipped.")
      .adding(["tag": .value(\.tag), "reason": .value(\.reason)])
  }
}

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

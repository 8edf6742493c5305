import ManagedModel
import ModelMapping
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
  }

  let model: VersionedModel
  let rows: [Row]

  /// - Parameter releases: what the model's lock lists.
  init(_ model: VersionedModel, releases: [ReleaseLock.Entry] = []) {
    self.model = model
    let twins = Dictionary(firstOf: hashEqualVersions(of: model).map { ($0.version.name, $0) })
    rows = model.versions.map { version in
      Row(
        version: version, predecessors: model.predecessors(of: version).map(\.name),
        state: version.name == model.currentVersionName
          ? .current : model.isDraft(version) ? .draft : .earlier,
        twin: twins[version.name], release: releases.first { $0.version == version.name })
    }
  }

  var text: String {
    var table = TextTable(
      .left, .left, .right, .left, header: ["version", "follows", "entities", "checksum", "state"])
    for row in rows {
      var remarks = row.state == .earlier ? [] : [row.state.rawValue]
      if let release = row.release {
        let isSame = release.checksum == row.version.versionChecksum
        remarks.append(
          "released \(release.date)\(release.tag.map { " as \($0)" } ?? "")\(isSame ? "" : ", changed since")"
        )
      }
      if let twin = row.twin { remarks.append("same hashes as \(twin.earlier.name)") }
      let hashes = row.version.entityVersionHashesByName
      table.append(
        row.version.name, row.predecessors.joined(separator: ", "), grouped(hashes.count),
        "\(row.version.versionChecksum.prefix(12))…", remarks.joined(separator: ", "))
    }
    let stages = model.stages.isEmpty ? [] : ["  stages"] + model.stages.map { "    " + printable($0.line) }
    return (["\(printable(model.name)): \(counted(rows.count, "version"))"] + table.lines(indent: 2) + stages)
      .shownLines
  }

  /// - Parameter findings: of this model.
  func json(_ findings: [Diagnostic]) -> JSONValue {
    [
      "model": .string(model.name), "current": .string(model.currentVersionName),
      "versions": .array(rows.map(\.json)), "stages": .array(model.stages.map(\.json)),
      "diagnostics": .array(findings.map(\.json)),
    ]
  }
}

extension VersionTable.Row {
  fileprivate var json: JSONValue {
    let hashes = version.entityVersionHashesByName.sorted { $0.key.precedesInCodePointOrder($1.key) }
    return [
      "name": .string(version.name), "predecessor": JSONValue(predecessors.first),
      "predecessors": .array(predecessors.map(JSONValue.string)), "state": .string(state.rawValue),
      "checksum": .string(version.versionChecksum), "fingerprint": .string(version.model.fingerprint),
      "entities": .object(hashes.map { .init($0.key, .string($0.value.hexadecimal)) }),
      "unverified": JSONValue(version.unverifiedEntities),
      "sameHashesAs": JSONValue(twin?.earlier.name), "released": JSONValue(release?.date),
      "tag": JSONValue(release?.tag), "differences": .array(twin.map { $0.changes.map(\.json) } ?? []),
    ]
  }
}

extension MigrationStage {
  /// `lightweight V1, V2`, `custom V2 → V3, willMigrate FillNames`.
  fileprivate var line: String {
    let text =
      switch self {
      case .lightweight(let stage): "lightweight \(stage.versionNames.joined(separator: ", "))"
      case .custom(let stage):
        "custom \(stage.currentVersionName) → \(stage.nextVersionName)"
          + [("willMigrate", stage.willMigrateHandler), ("didMigrate", stage.didMigrateHandler)].map {
            key, name in name.map { $0.hasPrefix(key) ? ", \($0)" : ", \(key) \($0)" } ?? ""
          }.joined()
      }
    return text + (label.map { ": \($0)" } ?? "")
  }

  fileprivate var json: JSONValue {
    let label: JSONValue = ["label": JSONValue(label)]
    return switch self {
    case .lightweight(let stage):
      ["kind": "lightweight", "versions": JSONValue(stage.versionNames)] + label
    case .custom(let stage):
      [
        "kind": "custom", "versions": JSONValue(versionNames),
        "willMigrate": JSONValue(stage.willMigrateHandler), "didMigrate": JSONValue(stage.didMigrateHandler),
      ] + label
    }
  }
}

extension VersionTable {
  static let shape = JSONShape.object(
    "versionTable", "The versions of a model.",
    [
      "model": .text("The model's name."), "current": .text("The current version."),
      "versions": .list(of: Row.shape, "In their order."),
      "stages": .list(of: MigrationStage.shape, "Stages that versions.yaml states."),
      "diagnostics": .diagnostics,
    ])
}

extension VersionTable.Row {
  fileprivate static let shape = JSONShape.object(
    "listedVersion", "A version of a model.",
    [
      "name": .text(""), "predecessor": .text("The first of them.").orNull,
      "predecessors": .texts("The versions before it."),
      "state": .words(of: VersionTable.State.self, "Its place relative to the current one."),
      "checksum": .text("Core Data's version checksum."),
      "fingerprint": .text("Of all that the version says, also what is in no hash."),
      "entities": .named(.text("64 hexadecimal digits."), "The version hashes by entity."),
      "unverified": .texts("Entities whose hash no genuine file has proved the rules of."),
      "sameHashesAs": .text("An earlier version that no store can tell apart.").orNull,
      "released": .text("Since when, as 2026-01-31.").orNull, "tag": .text("").orNull,
      "differences": .list(of: ModelChange.shape, "From the version with the same hashes."),
    ])
}

extension MigrationStage {
  fileprivate static let shape = JSONShape.object(
    "stage", "A stage of the migration.",
    [
      "kind": .words(["lightweight", "custom"], ""), "versions": .texts(""),
      "willMigrate": .text("Of a custom stage.").orNull.optional,
      "didMigrate": .text("Of a custom stage.").orNull.optional, "label": .text("").orNull,
    ])
}

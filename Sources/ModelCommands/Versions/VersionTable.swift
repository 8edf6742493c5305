import ManagedModel
import ModelMapping
import ReleaseChecks

/// The versions of a model as `version list` shows them.
struct VersionTable {
  enum State: String {
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
    let twins = Dictionary(
      hashEqualVersions(of: model).map { ($0.version.name, $0) }, uniquingKeysWith: { first, _ in first })
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
    .object([
      .init("model", .string(model.name)), .init("current", .string(model.currentVersionName)),
      .init("versions", .array(rows.map(\.json))), .init("stages", .array(model.stages.map(\.json))),
      .init("diagnostics", .array(findings.map(\.json))),
    ])
  }
}

extension VersionTable.Row {
  fileprivate var json: JSONValue {
    let hashes = version.entityVersionHashesByName.sorted { $0.key.precedesInCodePointOrder($1.key) }
    let unverified = version.recordedHashes == nil ? version.model.unverifiedHashRules : [:]
    return .object([
      .init("name", .string(version.name)), .init("predecessor", JSONValue(predecessors.first)),
      .init("predecessors", .array(predecessors.map(JSONValue.string))),
      .init("state", .string(state.rawValue)), .init("checksum", .string(version.versionChecksum)),
      .init("fingerprint", .string(version.model.fingerprint)),
      .init("entities", .object(hashes.map { .init($0.key, .string($0.value.hexadecimal)) })),
      .init("unverified", JSONValue(unverified.keys.sorted { $0.precedesInCodePointOrder($1) })),
      .init("sameHashesAs", JSONValue(twin?.earlier.name)),
      .init("released", JSONValue(release?.date)), .init("tag", JSONValue(release?.tag)),
      .init("differences", .array(twin.map { $0.changes.map(\.json) } ?? [])),
    ])
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
          + (stage.willMigrateHandler.map { ", willMigrate \($0)" } ?? "")
          + (stage.didMigrateHandler.map { ", didMigrate \($0)" } ?? "")
      }
    return text + (label.map { ": \($0)" } ?? "")
  }

  fileprivate var json: JSONValue {
    var members: [JSONValue.Member]
    switch self {
    case .lightweight(let stage):
      members = [.init("kind", "lightweight"), .init("versions", JSONValue(stage.versionNames))]
    case .custom(let stage):
      members = [
        .init("kind", "custom"), .init("versions", JSONValue(versionNames)),
        .init("willMigrate", JSONValue(stage.willMigrateHandler)),
        .init("didMigrate", JSONValue(stage.didMigrateHandler)),
      ]
    }
    members.append(.init("label", JSONValue(label)))
    return .object(members)
  }
}

import ManagedModel
import PersistentStore
import ReleaseChecks

extension Verification {
  /// Whether SQLite's own check failed, so that nothing else was looked at.
  var isDamaged: Bool {
    findings.contains { [.malformedStore, .foreignWriteAheadLog].contains($0.diagnostic.code) }
  }

  /// The version's name with its model's, or what stands in for it.
  var subjectText: String {
    switch yardstick {
    case .version(let match): "\(match.versionName) of \(match.modelName)"
    case .storeModel: "checked against the model that it contains"
    case nil: isDamaged ? "a damaged store" : "of no known version"
    }
  }

  /// What was checked.
  func text(store: String) -> String {
    var lines = ["\(store.printable): \(subjectText)"]
    if yardstick != nil {
      let schema = [
        counted(extent.tables, "table"), counted(extent.joinTables, "join table"),
        counted(extent.columns, "column"), counted(extent.indexes, "index", plural: "indexes"),
      ]
      let entities = self.entities.count { $0.rows > 0 }
      var rows = [
        ["SQLite", "\(integrityCheck.rawValue) check passed"], ["Schema", schema.joined(separator: ", ")],
        ["Objects", "\(grouped(extent.objects)) of \(counted(entities, "entity", plural: "entities"))"],
        ["References", grouped(extent.references)],
        ["Rules", "\(grouped(extent.rules)), each over every row of its table"],
      ]
      if extent.externalFiles > 0 { rows.append(["Files", counted(extent.externalFiles, "external file")]) }
      lines += TextTable(.left, .left, rows: rows).lines(indent: 2)
    }
    return lines.shownLines
  }

  /// The object of `verify STORE`.
  static let result = JSONObject<
    (store: String, found: Self, seconds: Double, comparison: StoreComparison?)
  >("verification", "A store checked against its model, and for consistency.").adding([
    "store": .store(\.store),
    "versions": .value({ $0.found.recognition.versions.map(\.versionName) }, "The versions that it fits."),
    "recognisedBy": .word(\.found.recognition.recognisedBy, "The evidence that decided."),
    "heldAgainst": .value(
      .words(["version", "modelCache"], "The model that it was checked against.").orNull
    ) { $0.found.yardstick.map { if case .version = $0 { "version" } else { "modelCache" } } },
    "integrityCheck": .word(\.found.integrityCheck, "Which of SQLite's own checks ran."),
    "checked": .value(\.found.extent), "entities": .list(\.found.entities, of: .entityCount),
    "findings": .value(\.found.findings, "What is wrong, with rows."),
    "diagnostics": .diagnostics {
      $0.found.findings.map(\.diagnostic) + ($0.comparison?.diagnostics ?? [])
    },
    "seconds": .seconds(\.seconds), "before": .optional(\.comparison),
  ])
}

extension JSONObject where Value == (name: String, rows: Int) {
  static let entityCount = Self("entityCount", "Objects of an entity.")
    .adding(["name": .value(\.name), "rows": .value(\.rows)])
}

extension Verification.Extent: JSONResult {
  static let result = JSONObject<Self>("extent", "How much was looked at.").adding([
    "tables": .value(\.tables), "joinTables": .value(\.joinTables), "columns": .value(\.columns),
    "indexes": .value(\.indexes), "triggers": .value(\.triggers), "objects": .value(\.objects),
    "references": .value(\.references), "rules": .value(\.rules),
    "externalFiles": .value(\.externalFiles),
  ])
}

extension Verification.Finding: JSONResult {
  static let result = JSONObject<Self>("verificationFinding", "Something that is wrong in a store.").adding([
    "code": .value(\.diagnostic.code), "severity": .value(\.diagnostic.severity),
    "entity": .value(\.diagnostic.subject?.entity), "property": .value(\.diagnostic.subject?.property),
    "count": .value(\.count, "Null if the file or its schema is meant."),
    "primaryKeys": .value(\.primaryKeys, "Of the first rows."), "message": .value(\.diagnostic.message),
  ])
}

extension StoreComparison: JSONResult {
  /// The counts of every entity's objects. Missing and changed objects follow as findings.
  func text(old: String) -> String {
    var lines = ["against \(old.printable): \(from) → \(to)"]
    let rows = entities.filter { $0.before > 0 || $0.after > 0 }.map { entity in
      let name =
        switch (entity.source, entity.destination) {
        case (let source?, let destination?) where source != destination: "\(source) → \(destination)"
        case (let source?, nil): "\(source), gone"
        default: entity.destination ?? ""
        }
      return [
        name, grouped(entity.before), grouped(entity.after), entity.isRekeyed ? "?" : grouped(entity.carried),
        entity.isRekeyed ? "?" : grouped(entity.added.count),
      ]
    }
    let header = ["", "before", "after", "carried over", "new"]
    lines += TextTable(.left, .right, .right, .right, .right, header: header, rows: rows).lines(indent: 2)
    lines.append(
      "\(counted(before, "object")) before, \(grouped(carried)) carried over, "
        + "\(grouped(after)) after")
    let rekeyed = Set(entities.filter(\.isRekeyed).compactMap(\.destination)).sorted()
    if !rekeyed.isEmpty {
      lines.append(
        "not compared, because the mapping or its policy may give other keys: \(rekeyed.joined(separator: ", ").printable)"
      )
    }
    return lines.shownLines
  }

  static let result = JSONObject<Self>(
    "comparison", "A store compared with the one that it was migrated from."
  ).adding([
    "from": .value(\.from, "The old store's version."), "to": .value(\.to, "The new store's version."),
    "sameUUID": .value(\.keepsIdentity), "before": .value(\.before, "Objects."),
    "after": .value(\.after, "Objects."), "carried": .value(\.carried, "Objects."),
    "entities": .value(\.entities),
  ])
}

extension StoreComparison.Entity: JSONResult {
  static let result = JSONObject<Self>("comparedEntity", "What became of an entity's objects.").adding([
    "source": .value(\.source), "destination": .value(\.destination), "before": .value(\.before),
    "after": .value(\.after), "carried": .value(\.carried), "missing": .value(\.missing),
    "added": .value(\.added), "changed": .value(\.changed, "Properties whose values differ."),
    "lost": .value(\.lost, "Properties that no longer have a place."),
    "rekeyed": .value(
      \.isRekeyed, "Whether a mapping gives the objects other keys: they are counted, not compared."),
  ])
}

extension StoreComparison.Property: JSONResult {
  static let result = JSONObject<Self>("comparedProperty", "A property, and objects.")
    .adding(["name": .value(\.name), "objects": .value(\.objects)])
}

extension KeySample: JSONResult {
  static let result = JSONObject<Self>("sample", "How many, and the first of them.")
    .adding(["count": .value(\.count), "primaryKeys": .value(\.keys)])
}

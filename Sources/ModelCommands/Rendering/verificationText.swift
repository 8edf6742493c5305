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

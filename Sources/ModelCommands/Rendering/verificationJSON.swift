import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks

extension Verification {
  /// The object of `verify STORE`.
  static let result = JSONObject<
    (store: String, found: Self, seconds: Double, comparison: StoreComparison?)
  >(
    "verification", "A store checked against its model, and for consistency.",
    [
      "store": .store(\.store),
      "versions": .value(
        { $0.found.recognition.versions.map(\.versionName) }, "The versions that it fits."),
      "recognisedBy": .word(\.found.recognition.recognisedBy, "The evidence that decided."),
      "heldAgainst": .value(
        .words(["version", "modelCache"], "The model that it was checked against.").orNull
      ) { $0.found.yardstick?.word },
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
  static let entityCount = Self(
    "entityCount", "Objects of an entity.", ["name": .value(\.name), "rows": .value(\.rows)])
}

extension Verification.Yardstick {
  fileprivate var word: String {
    switch self {
    case .version: "version"
    case .storeModel: "modelCache"
    }
  }
}

extension Verification.Extent: JSONResult {
  static let result = JSONObject<Self>(
    "extent", "How much was looked at.",
    [
      "tables": .value(\.tables), "joinTables": .value(\.joinTables), "columns": .value(\.columns),
      "indexes": .value(\.indexes), "triggers": .value(\.triggers), "objects": .value(\.objects),
      "references": .value(\.references), "rules": .value(\.rules),
      "externalFiles": .value(\.externalFiles),
    ])
}

extension Verification.Finding: JSONResult {
  static let result = JSONObject<Self>(
    "verificationFinding", "Something that is wrong in a store.",
    [
      "code": .value(\.diagnostic.code), "severity": .value(\.diagnostic.severity),
      "entity": .value(\.diagnostic.subject?.entity), "property": .value(\.diagnostic.subject?.property),
      "count": .value(\.count, "Null if the file or its schema is meant."),
      "primaryKeys": .value(\.primaryKeys, "Of the first rows."), "message": .value(\.diagnostic.message),
    ])
}

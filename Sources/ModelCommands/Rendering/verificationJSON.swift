import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks
import StoreVerification

extension Verification {
  /// The object of `verify STORE`.
  ///
  /// - Parameter further: findings beside those of the verification.
  func json(
    store: String, seconds: Double, further: [Diagnostic] = []
  ) -> JSONValue {
    [
      "store": .string(store), "versions": JSONValue(recognition.versions.map(\.versionName)),
      "recognisedBy": .string(recognition.recognisedBy.rawValue), "heldAgainst": heldAgainst,
      "integrityCheck": .string(integrityCheck.rawValue), "checked": extent.json,
      "entities": .array(
        entities.map { ["name": .string($0.name), "rows": JSONValue($0.rows)] }),
      "findings": .array(findings.map(\.json)),
      "diagnostics": .array((findings.map(\.diagnostic) + further).map(\.json)), "seconds": .number(seconds),
    ]
  }

  private var heldAgainst: JSONValue {
    switch yardstick {
    case .version: "version"
    case .storeModel: "modelCache"
    case nil: nil
    }
  }
}

extension Verification.Extent {
  fileprivate var json: JSONValue {
    [
      "tables": JSONValue(tables), "joinTables": JSONValue(joinTables), "columns": JSONValue(columns),
      "indexes": JSONValue(indexes), "triggers": JSONValue(triggers), "objects": JSONValue(objects),
      "references": JSONValue(references), "rules": JSONValue(rules),
      "externalFiles": JSONValue(externalFiles),
    ]
  }
}

extension Verification.Finding {
  fileprivate var json: JSONValue {
    [
      "code": .string(diagnostic.code.description), "severity": .string(diagnostic.severity.label),
      "entity": JSONValue(diagnostic.subject?.entity), "property": JSONValue(diagnostic.subject?.property),
      "count": JSONValue(count), "primaryKeys": .array(primaryKeys.map { .integer($0) }),
      "message": .string(diagnostic.message),
    ]
  }
}

extension Verification {
  static let shape = JSONShape.object(
    "verification", "A store checked against its model, and for consistency.",
    [
      "store": .storeName, "versions": .texts("The versions that it fits."),
      "recognisedBy": .words(of: Recognition.Basis.self, "The evidence that decided."),
      "heldAgainst": .words(["version", "modelCache"], "The model that it was checked against.").orNull,
      "integrityCheck": .words(of: IntegrityCheck.self, "Which of SQLite's own checks ran."),
      "checked": Extent.shape,
      "entities": .list(
        of: .object("entityCount", "Objects of an entity.", ["name": .text(""), "rows": .integer("")]), ""),
      "findings": .list(of: Finding.shape, "What is wrong, with rows."), "diagnostics": .diagnostics,
      "seconds": .seconds, "before": StoreComparison.shape.optional,
    ])
}

extension Verification.Extent {
  fileprivate static let shape = JSONShape.object(
    "extent", "How much was looked at.",
    [
      "tables": .integer(""), "joinTables": .integer(""), "columns": .integer(""), "indexes": .integer(""),
      "triggers": .integer(""), "objects": .integer(""), "references": .integer(""), "rules": .integer(""),
      "externalFiles": .integer(""),
    ])
}

extension Verification.Finding {
  fileprivate static let shape = JSONShape.object(
    "verificationFinding", "Something that is wrong in a store.",
    [
      "code": Diagnostic.codeShape, "severity": Diagnostic.severityShape, "entity": .text("").orNull,
      "property": .text("").orNull, "count": .integer("Null if the file or its schema is meant.").orNull,
      "primaryKeys": .integers("Of the first rows."), "message": .text(""),
    ])
}

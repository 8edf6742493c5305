import ManagedModel
import PersistentStore
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

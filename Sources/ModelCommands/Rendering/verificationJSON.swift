import ManagedModel
import PersistentStore
import StoreVerification

extension Verification {
  /// The object of `verify STORE`.
  ///
  /// - Parameter further: findings beside those of the verification.
  func jsonMembers(
    store: String, seconds: Double, further: [Diagnostic] = []
  ) -> [JSONValue.Member] {
    [
      .init("store", .string(store)),
      .init("versions", JSONValue(recognition.versions.map(\.versionName))),
      .init("recognisedBy", .string(recognition.recognisedBy.rawValue)),
      .init("heldAgainst", heldAgainst),
      .init("integrityCheck", .string(integrityCheck.rawValue)),
      .init("checked", extent.json),
      .init(
        "entities",
        .array(
          entities.map { .object([.init("name", .string($0.name)), .init("rows", JSONValue($0.rows))]) })),
      .init("findings", .array(findings.map(\.json))),
      .init("diagnostics", .array((findings.map(\.diagnostic) + further).map(\.json))),
      .init("seconds", .number(seconds)),
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
    .object([
      .init("tables", JSONValue(tables)), .init("joinTables", JSONValue(joinTables)),
      .init("columns", JSONValue(columns)), .init("indexes", JSONValue(indexes)),
      .init("triggers", JSONValue(triggers)), .init("objects", JSONValue(objects)),
      .init("references", JSONValue(references)), .init("rules", JSONValue(rules)),
      .init("externalFiles", JSONValue(externalFiles)),
    ])
  }
}

extension Verification.Finding {
  fileprivate var json: JSONValue {
    .object([
      .init("code", .string(diagnostic.code.description)),
      .init("severity", .string(diagnostic.severity.label)),
      .init("entity", JSONValue(diagnostic.subject?.entity)),
      .init("property", JSONValue(diagnostic.subject?.property)),
      .init("count", JSONValue(count)),
      .init("primaryKeys", .array(primaryKeys.map { .integer($0) })),
      .init("message", .string(diagnostic.message)),
    ])
  }
}

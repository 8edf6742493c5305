import ManagedModel
import PersistentStore

extension Survey {
  /// Tables that statements make, or rename, to what something of the app's own is called: SQLite has each name once.
  func takenNames(
    _ statements: [StoreStatement], _ schema: StoreSchema, _ target: ModelVersion?
  ) -> [Diagnostic] {
    let known = Set((schema.tables.map(\.name) + schema.joinTables.map(\.name)).map { $0.uppercased() })
    let own = (physical.tables.map(\.name) + physical.viewNames).filter { !known.contains($0.uppercased()) }
    return statements.compactMap { statement -> Diagnostic? in
      switch statement {
      case .createTable(let name, _), .renameTable(_, let name):
        own.first { $0.caseInsensitivelyEquals(name) }.map {
          .nameTaken($0, by: physical.viewNames.contains($0) ? "view" : "table", target, store)
        }
      default: nil
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func nameTaken(
    _ name: String, by kind: String, _ target: ModelVersion?, _ store: String
  ) -> Self {
    Self(
      .unknownSchemaObjects, .error,
      "'\(store)' has a \(kind) '\(name)' that no model knows, and '\(target?.name ?? "")' needs a table of that name",
      subject: ModelSubject(version: target?.name), notes: ["the store is unchanged"],
      help: ["rename the \(kind), or remove it if the app does not need it, with what made it"])
  }
}

package import ManagedModel
import PersistentStore

extension Diagnostic.Code {
  package static let statementFailed = Self("MC6001")
}

extension Diagnostic {
  fileprivate static func statementFailed(_ statement: StoreStatement, _ error: any Error, store: String)
    -> Self
  {
    let reason = (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
    return Self(
      .statementFailed, .error, "a statement of the migration of '\(store)' failed: \(reason)",
      notes: [
        Note(statement.sql.count > 200 ? statement.sql.prefix(200) + "…" : statement.sql),
        "the store is unchanged",
      ],
      help: reason.firstMatch(of: #/error in (view|trigger) (.+?)( after .+?)?:/#).map {
        let fault = $0.3 == nil ? "is broken: fix or drop it" : "reads what this step takes away: drop it"
        let sql = "DROP \($0.1.uppercased()) \(String($0.2).quotedIdentifier)"
        return ["the app's own \($0.1) '\($0.2)' \(fault) in the store (`\(sql)`), then migrate"]
      } ?? [],
      cocoaCode: 134110)
  }
}

extension StoreStatement {
  /// - Returns: the rows that it changed.
  @discardableResult
  func carryOut(in db: StoreDatabase, store: String) throws -> Int {
    do {
      return try execute(self, in: db)
    } catch  where concernsStatement(error) {
      throw DiagnosticsError(.statementFailed(self, error, store: store))
    }
  }
}

package import ManagedModel
import PersistentStore

extension Diagnostic.Code {
  package static let statementFailed = Self("MC6001")
}

extension StoreStatement {
  /// - Returns: the rows that it changed.
  @discardableResult
  func carryOut(in db: StoreDatabase, store: String) throws -> Int {
    do {
      return try execute(self, in: db)
    } catch  where concernsStatement(error) {
      let reason = (error as? DiagnosticsError)?.diagnostics.first?.message ?? "\(error)"
      let help = reason.firstMatch(of: #/error in (view|trigger) (.+?)( after .+?)?:/#).map {
        let fault = $0.3 == nil ? "is broken: fix or drop it" : "reads what this step takes away: drop it"
        let sql = "DROP \($0.1.uppercased()) \(String($0.2).quotedIdentifier)"
        return ["the app's own \($0.1) '\($0.2)' \(fault) in the store (`\(sql)`), then migrate"]
      }
      throw DiagnosticsError(
        Diagnostic(
          .statementFailed, .error, "a statement of the migration of '\(store)' failed: \(reason)",
          notes: [
            Diagnostic.Note(sql.count > 200 ? sql.prefix(200) + "…" : sql), "the store is unchanged",
          ],
          help: help ?? [], cocoaCode: 134110))
    }
  }
}

import Foundation
import GRDB
import ManagedModel

/// Runs the body and turns what SQLite and the system say about files into diagnostics; errors about statements
/// pass as they are.
package func withStoreDiagnostics<Result>(
  for name: String, _ role: StoreRole = .source, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as DatabaseError {
    if let diagnostic = Diagnostic.storeError(name, role, error) { throw DiagnosticsError(diagnostic) }
    throw error
  } catch let schema as ForgedSchema {
    throw DiagnosticsError(.forgedSchema(name, schema))
  } catch let error as SystemError {
    throw DiagnosticsError(role == .source ? .unreadable(name, error) : .unwritable(name, error))
  }
}

/// Whether an error is one of a statement or its rows; room, time, files and locks are no statement's fault.
package func concernsStatement(_ error: any Error) -> Bool {
  guard let error = error as? DatabaseError else { return true }
  return Diagnostic.storeError("", .destination, error) == nil
}

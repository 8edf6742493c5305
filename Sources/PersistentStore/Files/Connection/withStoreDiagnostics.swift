import Foundation
package import GRDB
package import ManagedModel

/// Runs the body and turns what SQLite and the system say about files into diagnostics; so too what a user's expression
/// cannot take, and statements that are larger than SQLite's limits. Other errors about statements pass as they are.
package func withStoreDiagnostics<Result>(
  for name: String, _ role: StoreRole = .source, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let error as DatabaseError {
    if let diagnostic = Diagnostic.storeError(name, role, error) ?? Diagnostic.statementError(name, error) {
      throw DiagnosticsError(diagnostic)
    }
    throw error
  } catch let schema as ForgedSchema {
    throw DiagnosticsError(
      .malformedStore, "'\(name)' has a schema that neither Core Data nor SQLite wrote",
      notes: [
        Diagnostic.Note("the schema's row '\(schema.name)': \(schema.reason)"),
        "none of it was executed",
      ],
      help: ["find out who made this file, and use a backup of the store instead"], cocoaCode: 134180)
  } catch let error as SystemError {
    throw DiagnosticsError(role == .source ? .unreadable(name, error) : .unwritable(name, error))
  }
}

/// Whether an error is one of a statement or its rows; room, time, files and locks are not statement's fault.
package func concernsStatement(_ error: any Error) -> Bool {
  guard let error = error as? DatabaseError else { return true }
  return Diagnostic.storeError("", .destination, error) == nil
}

extension ResultCode {
  /// Our own kind of `SQLITE_ERROR`: a function of ours refuses a value; the message says why. SQLite counts its kinds of
  /// an error from one and has three of this.
  package static let expressionRefusesValue = ResultCode(rawValue: 1 | 200 << 8)
}

extension Diagnostic.Code {
  package static let expressionRefusesValue = Self("MC6202", exit: .findings)
  package static let statementTooLarge = Self("MC6203", exit: .findings)
}

extension Diagnostic {
  /// What is wrong with an expression that became a statement; nil for what is no user's fault.
  package static func statementError(_ name: String, _ error: DatabaseError) -> Diagnostic? {
    // SQLite's own sum takes no more than 64 bits.
    if error.extendedResultCode == .expressionRefusesValue
      || error.message?.hasPrefix("integer overflow") == true
    {
      return Diagnostic(
        .expressionRefusesValue, .error,
        "an expression cannot be evaluated for an object of '\(name)': \(error.message ?? "")",
        notes: ["nothing was written"],
        help: ["change the expression, or exclude such objects with a condition before it"])
    }
    // What goes beyond what this SQLite takes (sqlite.org/limits.html).
    let limits = ["too many ", "at most ", "Expression tree is too large", "parser stack overflow"]
    guard error.resultCode == .SQLITE_ERROR, let message = error.message,
      limits.contains(where: { message.hasPrefix($0) })
    else { return nil }
    return Diagnostic(
      .statementTooLarge, .error,
      "an expression about '\(name)' is larger than SQLite allows: \(message.lowercased())",
      notes: ["nothing was written"], help: ["split it, or ask for less at once"])
  }
}

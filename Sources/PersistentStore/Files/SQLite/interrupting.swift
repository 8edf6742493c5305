package import GRDB

extension Database {
  /// Runs the body; a statement in it ends with `SQLITE_INTERRUPT` as soon as `shouldStop` says so, which SQLite asks
  /// every few thousand steps of its virtual machine: some ten thousand times a second.
  package func interrupting<Result>(
    when shouldStop: @escaping () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    // A connection has one handler, which its guard has taken.
    if let statementGuard = GuardRegister.shared[unsafe UInt(bitPattern: sqliteConnection)] {
      return try statementGuard.asking(shouldStop, body)
    }
    let statementGuard = StatementGuard(byteCount: nil)
    statementGuard.installHandler(on: self)
    defer { StatementGuard.removeHandler(from: self) }
    return try statementGuard.asking(shouldStop, body)
  }
}

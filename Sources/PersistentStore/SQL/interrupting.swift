import CSQLite
package import GRDB

extension Database {
  /// Runs the body; a statement in it ends with `SQLITE_INTERRUPT` as soon as `shouldStop` says so, which SQLite asks
  /// every few thousand steps of its virtual machine: some ten thousand times a second.
  package func interrupting<Result>(
    when shouldStop: @escaping () -> Bool, _ body: () throws -> Result
  ) throws -> Result {
    let question = Question(shouldStop)
    let connection = unsafe sqliteConnection
    return try withExtendedLifetime(question) {
      unsafe sqlite3_progress_handler(
        connection, 4_000,
        { context in
          guard let context = unsafe context else { return 0 }
          let question = unsafe Unmanaged<Question>.fromOpaque(context).takeUnretainedValue()
          return question.shouldStop() ? 1 : 0
        }, Unmanaged.passUnretained(question).toOpaque())
      defer { unsafe sqlite3_progress_handler(connection, 0, nil, nil) }
      return try body()
    }
  }
}

private final class Question {
  let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}

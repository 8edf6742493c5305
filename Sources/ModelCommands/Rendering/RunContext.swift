import ManagedModel
import ModelMigration

/// What a run of the program knows beside a command's arguments.
struct RunContext: Sendable {
  @TaskLocal static var current = RunContext()

  /// How suggested commands are completed.
  var commands = CommandContext(arguments: [])
  /// The policies, transformers and handlers of stages of the running program.
  var migrations = CustomMigrations()
  /// Set while a command runs that says what it has found.
  var notices: Notices?

  /// Runs the body with another context.
  static func with<Result>(
    _ change: (inout RunContext) -> Void, run body: () throws -> Result
  ) rethrows -> Result {
    var context = current
    change(&context)
    return try $current.withValue(context) { try body() }
  }
}

/// Lines that say which model and mapping models a command has found. Each is printed once.
final class Notices: Sendable {
  private let write: @Sendable (String) -> Void
  private let written = Locked<Set<String>>([])

  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  func print(_ line: String) { if written.withLock({ $0.insert(line).inserted }) { write(line) } }
}

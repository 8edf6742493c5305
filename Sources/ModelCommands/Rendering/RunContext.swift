import ModelMigration

/// What a run of the program knows beside a command's arguments.
struct RunContext: Sendable {
  @TaskLocal static var current = RunContext()

  /// How suggested commands are completed.
  var commands = CommandContext(arguments: [])
  /// The policies, transformers and handlers of stages of the running program.
  var migrations = CustomMigrations()
  /// Takes lines that say which model and mapping models a command has found; set while one runs that prints them.
  var notices: (@Sendable (String) -> Void)?

  /// Runs the body with another context.
  static func with<Result>(
    _ change: (inout RunContext) -> Void, run body: () throws -> Result
  ) rethrows -> Result {
    var context = current
    change(&context)
    return try $current.withValue(context) { try body() }
  }
}

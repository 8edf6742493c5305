import ArgumentParser
import ManagedModel
import ModelMigration

struct Plan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a migration would do to a store, without doing it.",
    discussion: "Exits with 1 where something stands against it. The store is read and left without a trace.")

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: TargetOptions

  @Flag(help: "Print the SQL statements too.")
  var sql = false

  @Argument(help: "The store.")
  var store: String

  func run() throws {
    try output.run(json: [.init("store", .string(store))]) {
      let models = try project.project.readModels().models
      let plan = try planMigration(ofStoreAt: store, models: models, options: target.options)
      if output.writesJSON {
        output.print(.object(plan.jsonMembers))
      } else {
        output.print(planText(plan))
        if sql { output.print("\n" + plan.statements.map { $0 + ";" }.joined(separator: "\n")) }
        output.report(plan.diagnostics, minimum: .warning)
        if !plan.isCurrent, !plan.isBlocked {
          output.say("next: modelc migrate \(shellWord(store))\(target.arguments)")
        }
      }
      if plan.isBlocked { throw ExitCode(exitStatus(for: plan.diagnostics)) }
    }
  }
}

/// Where a migration leads and what it may lose.
struct TargetOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The version to migrate to, instead of the current one.", valueName: "version"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Accept losses of this code (MC3111 dropped data, MC3109 narrowed numbers); repeatable.",
      valueName: "code"))
  var allowLoss: [String] = []

  var options: MigrationOptions { MigrationOptions(targetVersion: to, allowedLosses: Set(allowLoss)) }

  /// As they would be written again.
  var arguments: String {
    (to.map { " --to \(shellWord($0))" } ?? "") + allowLoss.map { " --allow-loss \($0)" }.joined()
  }
}

/// Text as one word of a shell command.
func shellWord(_ text: String) -> String {
  let isPlain =
    !text.isEmpty
    && text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789._-/+:@%".unicodeScalars.contains($0)
    }
  return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}

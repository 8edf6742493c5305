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
      let models = try project.project.readSoundModels()
      let custom = try project.project.customMigrations(for: models)
      let plan = try planMigration(ofStoreAt: store, models: models, options: target.options, custom: custom)
      if output.writesJSON {
        output.print(.object(plan.jsonMembers))
      } else {
        output.print(planText(plan))
        if sql, !plan.statements.isEmpty {
          output.print("\n" + plan.statements.map { $0 + ";" }.joined(separator: "\n"))
        }
        output.report(plan.diagnostics, minimum: .warning)
        target.unusedCodes(in: plan).forEach(output.say)
        if !plan.isCurrent, !plan.isBlocked {
          output.say(
            "next: \(programName) migrate\(project.arguments) \(shellWord(store))\(target.arguments)")
        }
      }
      if plan.isBlocked { throw ExitCode(exitStatus(for: plan.diagnostics)) }
    }
  }
}

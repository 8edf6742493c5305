import ArgumentParser
import ManagedModel
import ModelMigration

struct Recover: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Report what an interrupted migration left behind, and finish it or clean up.",
    discussion: """
      After a crash, a kill or a power cut the store is complete: the old one or the new one. Next to it there may be \
      copies and a backup that are not needed. They are removed, and changes that a dead program left unfinished in the \
      store are rolled back from its journal. A backup is removed only if the store holds the same data; if \
      the store is missing, or is another one, the backup stays, and its name is reported (MC6405). A second run finds \
      nothing. 'migrate' removes such files by itself.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Only report what was left.")
  var dryRun = false

  @Argument(help: "The store, or the file that '-o' was to write.")
  var store: String

  var refusalHead: JSONValue { ["store": .string(store)] }

  func work() throws {
    let report = try recoverStore(at: store, models: project.modelsForStores(), isDryRun: dryRun)
    output.print(report.json, else: report.text)
    output.report(report.diagnostics)
    if report.diagnostics.hasErrors { throw ExitCode(exitStatus(for: report.diagnostics)) }
  }
}

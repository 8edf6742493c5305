import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration

struct Recover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Report what an interrupted migration left behind, and finish it or clean it up.",
    discussion: """
      After a crash, a kill or a power cut the store is the old one or the new one, whole; beside it there may be \
      copies and a backup that nobody needs. They are removed, and changes that a dead program left half done in the \
      store are taken back, as its journal says. A backup is removed only where the store holds what it holds; where \
      the store is gone, or is another one, the backup stays, and its name is said (MC6405). A second run finds \
      nothing. 'migrate' clears such files by itself.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Only say what was left.")
  var dryRun = false

  @Argument(help: "The store, or the file that '-o' was to write.")
  var store: String

  func run() throws {
    try output.run(json: ["store": .string(store)]) {
      let report = try recoverStore(at: store, models: project.modelsForStores(), isDryRun: dryRun)
      output.print(report.json, else: report.text)
      output.report(report.diagnostics)
      let code = exitStatus(for: report.diagnostics)
      if code != 0 { throw ExitCode(code) }
    }
  }
}

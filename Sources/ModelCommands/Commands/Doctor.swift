import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks

struct Doctor: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the machine, the folders and the project when something does not work.",
    discussion: """
      Tests what modelc and SQLite need with small files of its own, in the project's folder (or a store's folder) and in \
      the temporary folder, and removes them. Exits with 1 if a migration would fail.

      --bundle writes the same for a bug report, without private data: no content of files, no names of entities, no \
      places, no names of the user or the machine.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: .text("Write a report for others: Markdown, or JSON into a .json file.", "file"))
  var bundle: String?

  @Flag(help: "With --bundle: also include the names of models, versions and entities.")
  var withNames = false

  @Argument(help: "A store whose folder is checked, or a folder; by default the project's.")
  var place: String?

  func validate() throws { try refuse(withNames && bundle == nil, "--with-names is for --bundle FILE") }

  func work() throws {
    if let bundle { try requirePlace(for: bundle) }
    let folder = try folder()
    let width = terminalWidth(isTerminal: isatty(STDOUT_FILENO) == 1)
    var report = DoctorReport(checks: programChecks())
    report.checks += folderChecks(folder, cache: cacheFolder)
    report.checks += project.project.projectChecks()
    report.checks += surroundingChecks(
      folder, width: width, variables: environmentVariables.map(\.name).filter { $0 != "PATH" })
    let usesColor = output.terminal.color.usesColor(on: STDOUT_FILENO)
    output.print(report.json, else: report.text(width: width ?? 80, usesColor: usesColor))
    if let bundle { try write(report, to: bundle, folder) }
    if report.count(.problem) > 0 { throw ExitCode(1) }
  }

  /// Of the store or the project.
  private func folder() throws -> String {
    let path = place ?? project.folder
    try path.requireFile()
    return path.isExistingFolder ? path : URL(filePath: path).deletingLastPathComponent().path
  }

  private func requirePlace(for bundle: String) throws {
    if FileManager.default.fileExists(atPath: bundle) { throw UsageError(.taken(bundle)) }
    try bundle.requireFolder()
  }

  private func write(_ report: DoctorReport, to bundle: String, _ folder: String) throws {
    let masked = report.masked(DoctorMask(folder: folder), showsNames: withNames)
    let isJSON = URL(filePath: bundle).pathExtension == "json"
    let text = isJSON ? masked.json.prettyPrinted + "\n" : masked.markdown(showsNames: withNames)
    try Data(text.utf8).write(to: URL(filePath: bundle), options: .withoutOverwriting)
    output.say(
      "Wrote \(bundle), \(Int64(text.utf8.count).humanSize). \(bundleContents(showsNames: withNames))")
    output.say("Read it before you send it.")
  }
}

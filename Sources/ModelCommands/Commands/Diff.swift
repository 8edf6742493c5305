import ArgumentParser
import ManagedModel
import ModelMapping

struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs between two versions, and what of it moves version hashes.",
    discussion: """
      A version is one of the project (V3, Trails/V3), of an .xcdatamodeld or a .momd (App.momd#V3; the current one \
      without a name), an .xcdatamodel, a .mom, a .yaml file, or a store, which carries its own model. Models may stand \
      in a git revision: HEAD~1:App.xcdatamodeld. Without a second one, the first is held against the project's \
      current version, a draft as the later of the two.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, mermaid }

  @OptionGroup var project: ProjectOptions

  @Option(help: "How the result is written: text, json, markdown or mermaid.")
  var format: Format = .text

  @Option(help: "Colours: auto, always or never; NO_COLOR is heeded.")
  var color: ColorMode = .auto

  @Flag(help: "Exit with 1 where anything differs.")
  var exitCode = false

  @Argument(help: ArgumentHelp("The earlier version.", valueName: "a"))
  var from: String

  @Argument(help: ArgumentHelp("The later version.", valueName: "b"))
  var to: String?

  /// Both, the earlier one first: a draft is the later one beside the current version.
  private func versions() throws -> (from: NamedVersion, to: NamedVersion) {
    let first = try findVersion(from, of: project.project)
    if let to { return (first, try findVersion(to, of: project.project)) }
    let current = try currentVersion(like: first, of: project.project)
    let isDraft = current.siblings?.isDraft(first.version) == true && first.modelName == current.modelName
    return isDraft ? (current, first) : (first, current)
  }

  func run() throws {
    var output = OutputOptions()
    output.format = format == .json ? .json : .text
    output.color = color
    output.quiet = false
    try output.run {
      let (from, to) = try versions()
      let difference = VersionDifference(from: from, to: to)
      let findings = (from.diagnostics + to.diagnostics).ordered
      output.report(findings)
      switch format {
      case .text: output.print(differenceText(difference))
      case .json: output.print(difference.json(findings))
      case .markdown: output.print(differenceMarkdown(difference))
      case .mermaid: output.print(differenceMermaid(difference, later: to.version.model))
      }
      if exitCode, !difference.isEmpty { throw ExitCode(1) }
    }
  }
}

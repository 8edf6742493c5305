import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks

struct Show: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the entities, properties and rules of a version.",
    discussion: """
      The model is one of the project, an .xcdatamodeld, an .xcdatamodel, a .momd, a .mom, a folder of YAML, SwiftData's \
      source, a store, or one of these in a git revision (HEAD~1:App.xcdatamodeld). Then a version, else the current one; \
      then an entity, which is shown with what it inherits, its hash and its notes. Types are written as in a version file: \
      '?' may be absent, '=' is the default.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: "The model, or a version as `modelc diff` takes it; by default the project's current version.")
  var model: String?

  @Argument(help: .text("A version of the model, an entity, or both.", "name"))
  var names: [String] = []

  func validate() throws { try refuse(names.count > 2, "name at most a version and an entity") }

  func work() throws {
    let shown = try shownVersion()
    output.report(shown.findings)
    let style = Styler(usesColor: output.terminal.color.usesColor(on: STDOUT_FILENO))
    let width = terminalWidth(isTerminal: isatty(STDOUT_FILENO) == 1) ?? 100
    output.print(ShownVersion.result.json(of: shown), else: shown.text(width: width, style: style))
  }

  private func shownVersion() throws -> ShownVersion {
    var names = names
    var found = try model.map { try find($0, &names) } ?? project.project.currentVersion()
    if let name = names.first, let siblings = found.siblings, let version = siblings.version(named: name) {
      names.removeFirst()
      found.label = found.isChosen ? "\(found.label), \(name)" : "\(siblings.name) \(name)"
      found.version = version
      found.isChosen = true
    }
    try found.requireCurrent()
    try refuse(names.count > 1, "'\(names[0])' is not a version of \(found.label)")
    return try ShownVersion(found, entity: names.first)
  }

  /// A model or a version, else an entity of the project's current version.
  private func find(_ argument: String, _ names: inout [String]) throws -> NamedVersion {
    if let found = try project.project.currentVersion(ofModelNamed: argument) { return found }
    do { return try project.project.findVersion(argument) } catch {
      guard names.isEmpty, let current = try? project.project.currentVersion(),
        current.version.model.entities.contains(where: { $0.name == argument })
      else { throw error }
      names = [argument]
      return current
    }
  }
}

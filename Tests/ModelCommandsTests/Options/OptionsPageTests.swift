import Foundation
import ManagedModel
import ModelCommands
import Testing

/// `Options.md` of the documentation says what the commands themselves say. `MODELC_RECORD=1` writes it.
@Suite struct OptionsPage {
  @Test func `the page lists every option of every command`() throws {
    try holdPage("Options", optionsPage(of: HelpAll.reference(of: ModelcCommand.self)))
  }

  @Test func `the summary is what help prints`() throws {
    try holdPage("Summary", HelpAll.page(of: ModelcCommand.self))
  }

  @Test func `the summary lists every page with its title and its first sentence`() throws {
    let summary = try HelpAll.page(of: ModelcCommand.self)
    for catalogue in ["ModelCommands", "ModelMigration"] {
      let path = "Sources/\(catalogue)/\(catalogue).docc"
      let folder = Package.folder.appending(path: path)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".md")
      {
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        guard name != "\(catalogue).md", name != "Summary.md" else { continue }
        let parts = text.components(separatedBy: "\n\n")
        let title = parts[0].dropFirst(2)
        let sentences = parts[1].split(separator: "\n").joined(separator: " ").components(separatedBy: ". ")
        let first = sentences[0] + (sentences.count > 1 ? "." : "")
        #expect(summary.contains("- `\(path)/\(name)`: \(title). \(first)\n"), "\(name)")
      }
    }
  }

  private func holdPage(_ name: String, _ text: String) throws {
    let page = Package.folder.appending(path: "Sources/ModelCommands/ModelCommands.docc/\(name).md")
    if ProcessInfo.processInfo.environment["MODELC_RECORD"] == "1" {
      try Data(text.utf8).write(to: page)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == text, "MODELC_RECORD=1 writes the page")
  }
}

private func optionsPage(of reference: CommandReference) -> String {
  let shared = reference.commonArguments
  let sections = reference.commands.map { command in
    let own = command.arguments.filter { !shared.contains($0) }
    let others = shared.filter {
      command.arguments.contains($0) && !$0.names.contains("--help") && !$0.names.contains("--version")
    }
    return """
      ## \(command.name)

      \(paragraphs([command.summary, command.details]))

      \(table(of: own))
      \(others.isEmpty ? "" : "Also \(others.map { "`\($0.names.last ?? "")`" }.joined(separator: ", ")).\n")
      """
  }
  return """
    # Commands and options

    Every command with its arguments and options. A test writes this page from the commands.

    ## Overview

    \(reference.commands.map { "- `\($0.name)`: \($0.summary.markdownHelp)" }.joined(separator: "\n"))

    \(paragraphs([reference.details]))

    ## Options of most commands

    \(table(of: shared))
    \(sections.joined(separator: "\n"))
    """
}

private func table(of arguments: [CommandReference.Argument]) -> String {
  if arguments.isEmpty { return "" }
  let rows = arguments.map { argument in
    let value = argument.values.map { $0.map { "`\($0)`" }.joined(separator: ", ") } ?? ""
    let absence = argument.defaultValue.map { "`\($0)`" } ?? (argument.isRequired ? "required" : "")
    let synopsis = argument.synopsis.replacing("|", with: "\\|")
    return "| `\(synopsis)` | \(value) | \(absence) | \(argument.help.markdownHelp) |\n"
  }
  return "| argument | values | without it | what it does |\n|---|---|---|---|\n\(rows.joined())"
}

private func paragraphs(_ texts: [String?]) -> String {
  texts.compactMap { $0 }.filter { !$0.isEmpty }.map(\.markdownHelp).joined(separator: "\n\n")
}

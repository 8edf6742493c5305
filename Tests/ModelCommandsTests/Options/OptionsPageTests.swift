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
    let lines = try ["ModelCommands", "ModelMigration"].flatMap { catalogue in
      let path = "Sources/\(catalogue)/\(catalogue).docc"
      let names = try FileManager.default.contentsOfDirectory(
        atPath: Package.folder.appending(path: path).path)
      return try names.filter { $0.hasSuffix(".md") && ![catalogue + ".md", "Summary.md"].contains($0) }.map {
        let file = "\(path)/\($0)"
        let text = try String(contentsOf: Package.folder.appending(path: file), encoding: .utf8)
        let parts = text.components(separatedBy: "\n\n")
        let sentences = parts[1].split(separator: "\n").joined(separator: " ").components(separatedBy: ". ")
        return "\(file)\t\(parts[0].dropFirst(2))\t\(sentences[0])\(sentences.count > 1 ? "." : "")\n"
      }
    }
    try hold("Sources/EmbeddedFiles/Pages.txt", lines.sorted().joined())
  }

  private func holdPage(_ name: String, _ text: String) throws {
    try hold("Sources/ModelCommands/ModelCommands.docc/\(name).md", text)
  }

  private func hold(_ path: String, _ text: String) throws {
    let file = Package.folder.appending(path: path)
    if ProcessInfo.processInfo.environment["MODELC_RECORD"] == "1" { try Data(text.utf8).write(to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "MODELC_RECORD=1 writes the file")
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

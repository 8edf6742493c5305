import ManagedModel

extension CommandReference {
  /// All of modelc on one page, for people and for agents.
  package func markdown(results: [String]) -> String {
    let common = commonArguments
    let sections = [
      head, section("Commands", commands.map { entry($0, common, results) }),
      section("Options of most commands", common.map(line)),
      section("Exit codes", exitCodes.map { "- `\($0.code)`: \($0.meaning)" }),
      section("Files of a project", projectFiles.map { "- `\($0.path)`: \($0.purpose)" }),
      section("Environment", environmentVariables.map { "- `\($0.name)`: \($0.purpose)" }),
      section("Pages", pages.map { "- `\($0.file)`: \($0.title). \($0.summary)" }),
    ]
    return sections.joined(separator: "\n")
  }

  private var head: String {
    """
    # modelc on one page

    \(summary) A test writes this page; `modelc help --all --format markdown` prints it.

    ## Overview

    Models are versioned, and stores carry the hashes of theirs. modelc recognizes a store, plans the path to the current version,
    counts what would be lost, migrates, and checks before a release that no user's store is left behind.

    - A result is on standard output, progress and trouble on standard error. No command asks questions.
    - `--format json` gives the result as JSON; on a refusal it has `diagnostics`, and the exit code says the rest.
      `modelc export --as json-schema --of check` prints the schema of a result: it is strict, and within a major version only
      gains members.
    - What is wrong has a code such as MC3111: `modelc explain MC3111` says what it means and what to do.
    - `migrate` and `repair --apply` change stores, and keep the old one next to it; `plan`, `inspect`, `verify`, `query`, `diff` and
      `check` leave them without a trace. `migrate --dry-run` does all but the swap.
    - `modelc doctor` checks the machine and the project when something does not work.

    """
  }

  private func section(_ title: String, _ lines: [String]) -> String {
    "## \(title)\n\n\(lines.joined(separator: "\n"))\n"
  }

  private func entry(_ command: Command, _ common: [Argument], _ results: [String]) -> String {
    let own = command.arguments.filter { !common.contains($0) }
    let places = own.filter { $0.kind == .positional }
    let usage = [command.name] + places.map { $0.isRequired ? $0.synopsis : "[\($0.synopsis)]" }
    let result = command.result(results).map { " JSON: `--of \($0)`." } ?? ""
    let head = "- `\(usage.joined(separator: " "))`: \(command.summary.markdownHelp)\(result)"
    return ([head] + own.map { "  " + line($0) }).joined(separator: "\n")
  }

  private func line(_ argument: Argument) -> String {
    let values = argument.values.map { " (\($0.joined(separator: ", ")))" } ?? ""
    // Help that lists the words itself need not be told them again.
    let isMentioned = argument.values?.allSatisfy(argument.help.contains) ?? true
    return "- `\(argument.synopsis)`: \(argument.help.markdownHelp)\(isMentioned ? "" : values)"
  }

  /// The object of `help --all`, with the names of results that have a schema.
  static let result = JSONObject<(reference: Self, results: [String])>(
    "reference", "Every command with its arguments, exit codes, files and pages."
  ).adding([
    "program": .value({ _ in "modelc" }, "modelc."),
    "version": .value({ _ in programVersion }, "Its version."),
    "summary": .value(\.reference.summary, "What it is."),
    "commands": .list(
      { all in all.reference.commands.map { ($0, all.results) } }, of: Command.result,
      "Those that do something."),
    "exitCodes": .list({ _ in exitCodes }, of: exitCode),
    "files": .list({ _ in projectFiles }, of: projectFile),
    "environment": .list({ _ in environmentVariables }, of: variable),
    "pages": .list({ _ in pages }, of: page),
  ])

  private static let exitCode = JSONObject<(code: Int, meaning: String)>("exitCode", "How a command may end.")
    .adding(["code": .value(\.code), "meaning": .value(\.meaning)])
  private static let projectFile = JSONObject<(path: String, purpose: String)>(
    "projectFile", "A file of a project."
  ).adding(["path": .value(\.path), "purpose": .value(\.purpose)])
  private static let variable = JSONObject<(name: String, purpose: String)>(
    "variable", "A variable of the environment."
  ).adding(["name": .value(\.name), "purpose": .value(\.purpose)])
  private static let page = JSONObject<(file: String, title: String, summary: String)>(
    "page", "A page of the documentation."
  ).adding(["file": .value(\.file), "title": .value(\.title), "summary": .value(\.summary)])
}

extension CommandReference.Command {
  fileprivate static let result = JSONObject<(command: Self, results: [String])>("command", "A command.")
    .adding([
      "name": .value(\.command.name, "As it is typed: modelc version list."),
      "summary": .value(\.command.summary, "In a sentence."),
      "details": .value(\.command.details, "What more there is to say."),
      "result": .value(
        { $0.command.result($0.results) },
        "The name of its JSON result for `export --as json-schema --of`."),
      "arguments": .value(\.command.arguments, "In the order of its help."),
    ])

  /// The name of its result for `export --as json-schema --of`.
  func result(_ results: [String]) -> String? {
    let name = name.split(separator: " ").dropFirst().joined(separator: "-")
    return results.contains(name) ? name : nil
  }
}

extension CommandReference.Argument: JSONResult {
  static let result = JSONObject<Self>("argument", "An argument or an option of a command.").adding([
    "kind": .word(\.kind), "names": .value(\.names, "As they are typed; none of a positional one."),
    "value": .value(\.value, "What its value is called; null of a flag."),
    "values": .value(\.values, "The words that it may be, where they are fixed."),
    "default": .value(\.defaultValue, "Without it."), "required": .value(\.isRequired),
    "repeatable": .value(\.isRepeatable), "help": .value(\.help, "What it does."),
  ])
}

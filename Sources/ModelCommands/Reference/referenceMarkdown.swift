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
}

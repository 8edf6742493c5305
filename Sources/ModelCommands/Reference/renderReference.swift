import ManagedModel

extension CommandReference {
  /// All of modelc on one page, for people and for agents.
  package func markdown(results: [String]) -> String {
    let common = commonArguments
    let lists: [String: [String]] = [
      "commands": commands.map { entry($0, common, results) }, "options": common.map(line),
      "codes": exitCodes.map { "- `\($0.code)`: \($0.meaning)" },
      "files": projectFiles.map { "- `\($0.path)`: \($0.purpose)" },
      "environment": environmentVariables.map { "- `\($0.name)`: \($0.purpose)" },
      "pages": pages.map { "- `\($0.file)`: \($0.title). \($0.summary)" },
    ]
    var values = lists.mapValues { $0.joined(separator: "\n") }
    values["summary"] = summary
    return "reference.md".filledFile(values)
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

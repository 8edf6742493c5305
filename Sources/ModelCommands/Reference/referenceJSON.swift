extension CommandReference {
  /// The object of `help --all`.
  ///
  /// - Parameter results: the names of results that have a schema.
  package func json(results: [String]) -> JSONValue {
    [
      "program": "modelc", "version": .string(programVersion), "summary": .string(summary),
      "commands": .array(commands.map { $0.json(results) }),
      "exitCodes": .array(
        exitCodes.map { ["code": .integer(Int64($0.code)), "meaning": .string($0.meaning)] }),
      "files": .array(projectFiles.map { ["path": .string($0.path), "purpose": .string($0.purpose)] }),
      "environment": .array(
        environmentVariables.map { ["name": .string($0.name), "purpose": .string($0.purpose)] }),
      "pages": .array(
        pages.map { ["file": .string($0.file), "title": .string($0.title), "summary": .string($0.summary)] }),
    ]
  }
}

extension CommandReference.Command {
  /// The name of its result for `export --as json-schema --of`.
  func result(_ results: [String]) -> String? {
    let name = name.split(separator: " ").dropFirst().joined(separator: "-")
    return results.contains(name) ? name : nil
  }

  fileprivate func json(_ results: [String]) -> JSONValue {
    [
      "name": .string(name), "summary": .string(summary), "details": JSONValue(details),
      "result": JSONValue(result(results)), "arguments": .array(arguments.map(\.json)),
    ]
  }
}

extension CommandReference.Argument {
  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "names": JSONValue(names), "value": JSONValue(value),
      "values": values.map { JSONValue($0) } ?? .null, "default": JSONValue(defaultValue),
      "required": .boolean(isRequired), "repeatable": .boolean(isRepeatable), "help": .string(help),
    ]
  }
}

extension CommandReference {
  static let shape = JSONShape.object(
    "reference", "Every command with its arguments, exit codes, files and pages.",
    [
      "program": .text("modelc."), "version": .text("Its version."), "summary": .text("What it is."),
      "commands": .list(of: Command.shape, "Those that do something."),
      "exitCodes": .list(
        of: .object("exitCode", "How a command may end.", ["code": .integer(""), "meaning": .text("")]), ""),
      "files": .list(
        of: .object("projectFile", "A file of a project.", ["path": .text(""), "purpose": .text("")]), ""),
      "environment": .list(
        of: .object("variable", "A variable of the environment.", ["name": .text(""), "purpose": .text("")]),
        ""),
      "pages": .list(
        of: .object(
          "page", "A page of the documentation.",
          ["file": .text(""), "title": .text(""), "summary": .text("")]), ""),
    ])
}

extension CommandReference.Command {
  fileprivate static let shape = JSONShape.object(
    "command", "A command.",
    [
      "name": .text("As it is typed: modelc version list."), "summary": .text("In a sentence."),
      "details": .text("What more there is to say.").orNull,
      "result": .text("The name of its JSON result for `export --as json-schema --of`.").orNull,
      "arguments": .list(of: CommandReference.Argument.shape, "In the order of its help."),
    ])
}

extension CommandReference.Argument {
  fileprivate static let shape = JSONShape.object(
    "argument", "An argument or an option of a command.",
    [
      "kind": .words(of: Kind.self, ""), "names": .texts("As they are typed; none of a positional one."),
      "value": .text("What its value is called; null of a flag.").orNull,
      "values": .texts("The words that it may be, where they are fixed.").orNull,
      "default": .text("Without it.").orNull, "required": .flag(""), "repeatable": .flag(""),
      "help": .text("What it does."),
    ])
}

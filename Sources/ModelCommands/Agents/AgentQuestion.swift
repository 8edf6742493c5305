import ManagedModel

/// A question that someone who works on a project may have, with the command that answers it without writing anything.
///
/// The skill file lists them, and `modelc mcp` serves each as a tool: one table for both.
struct AgentQuestion {
  /// What a tool takes, and how it stands among the command's arguments.
  struct Parameter {
    enum Kind {
      /// Nothing that a command opens.
      case text
      /// A path, or a name for which a command may take a path. It may not lead out of the project.
      case place
      case places
      /// What the command reads from standard input.
      case input
    }

    let name: String
    let summary: String
    let kind: Kind
    /// Nil for an argument without an option, in the order of the list.
    let option: String?
    let isRequired: Bool

    init(
      _ name: String, _ summary: String, _ kind: Kind = .text, option: String? = nil, isRequired: Bool = false
    ) {
      (self.name, self.summary, self.kind) = (name, summary, kind)
      (self.option, self.isRequired) = (option, isRequired)
    }
  }

  /// Of the tool.
  let name: String
  let question: String
  /// As a person would type it.
  let example: String
  /// Without ``Parameter/models``.
  let own: [Parameter]

  /// False for `explain`, which is about codes.
  var isOfProject: Bool { name != "explain" }
  var parameters: [Parameter] { own + (isOfProject ? [.models] : []) }
  var command: [String] { name == "versions" ? ["version", "list"] : [name] }

  static let all: [AgentQuestion] = [
    AgentQuestion(
      name: "check",
      question:
        "Can this change be released: does every store of every released version still open, and what is lost?",
      example: "modelc check --against origin/main",
      own: [
        Parameter(
          "against",
          "A git revision, a folder of released models, or an .app or .ipa: only what is new since then counts.",
          .place, option: "--against"),
        Parameter("level", "source, store, path or hash; by default store.", option: "--level"),
        Parameter(
          "compatibleWith", "A version whose builds have to open stores of the current one.", .place,
          option: "--compatible-with"),
      ]),
    AgentQuestion(
      name: "plan", question: "What would a migration do to this store: path, steps, losses, obstacles?",
      example: "modelc plan Store.sqlite --to V3",
      own: [
        Parameter("store", "The store's path; without it the plan is from one version to another.", .place),
        Parameter("from", "Without a store: the version to start from.", .place, option: "--from"),
        Parameter("to", "The version to migrate to; by default the current one.", .place, option: "--to"),
      ]),
    AgentQuestion(
      name: "diff",
      question: "What differs between two versions or two stores, and is the change lightweight?",
      example: "modelc diff V2 V3",
      own: [
        Parameter(
          "from", "A version (V2, HEAD~1:App.xcdatamodeld, App.momd#V2) or a store.", .place, isRequired: true
        ),
        Parameter("to", "The same; by default the current version.", .place),
      ]),
    AgentQuestion(
      name: "show", question: "Which entities, properties, rules and indexes does a version have?",
      example: "modelc show V3 Hut",
      own: [Parameter("names", "A version, an entity, or both; by default the current version.", .places)]),
    AgentQuestion(
      name: "versions", question: "Which versions are there, which is current, which are released?",
      example: "modelc version list", own: []),
    AgentQuestion(
      name: "inspect", question: "What is this store, compiled model, app or folder of an app's container?",
      example: "modelc inspect Store.sqlite",
      own: [Parameter("path", "The file or folder.", .place, isRequired: true)]),
    AgentQuestion(
      name: "verify",
      question: "Is this store intact: SQLite's checks, its model's rules, references, counts?",
      example: "modelc verify Store.sqlite", own: [.store]),
    AgentQuestion(
      name: "query", question: "Which objects of a store match a predicate?",
      example: "modelc query Store.sqlite 'Hut WHERE beds > 4 ORDER BY name LIMIT 20'",
      own: [
        .store,
        Parameter(
          "query", "[SELECT value, … FROM] Entity [WHERE predicate] [GROUP BY …] [ORDER BY …] [LIMIT n]",
          isRequired: true),
      ]),
    AgentQuestion(
      name: "triage", question: "What does this log or error of an app say about a store that does not open?",
      example: "modelc triage crash.log",
      own: [Parameter("log", "The text of the log or the error.", .input, isRequired: true)]),
    AgentQuestion(
      name: "explain",
      question: "What does a code (MC3101) or a Core Data error (134110) mean, and what should be done?",
      example: "modelc explain MC3101",
      own: [Parameter("codes", "Codes or numbers.", .places, isRequired: true)]),
  ]

  /// As a tool of the Model Context Protocol.
  var tool: JSONValue {
    [
      "name": .string(name),
      "description": .string(question + " The same as `\(example)`; nothing is written."),
      "inputSchema": [
        "type": "object",
        "properties": .object(parameters.map { JSONValue.Member($0.name, $0.schema) }),
        "required": JSONValue(parameters.filter(\.isRequired).map(\.name)), "additionalProperties": false,
      ],
      "annotations": ["readOnlyHint": true, "openWorldHint": false],
    ]
  }

  /// The command's arguments for what a client has given, and what it reads from standard input.
  ///
  /// - Parameter isInside: whether a path, a `REV:path` or a version's name leads to nothing outside of the project.
  func arguments(
    _ given: [String: JSONValue], isInside: (String) -> Bool
  ) throws(ToolRefusal) -> (arguments: [String], input: String) {
    if let unknown = given.keys.sorted().first(where: { name in !parameters.contains { $0.name == name } }) {
      throw ToolRefusal(
        "'\(name)' takes no '\(unknown)'; it takes \(parameters.map(\.name).joined(separator: ", "))")
    }
    var (options, places, input) = ([String](), [String](), "")
    for parameter in parameters {
      guard let value = given[parameter.name], value != .null else {
        if parameter.isRequired {
          throw ToolRefusal("'\(name)' needs '\(parameter.name)': \(parameter.summary)")
        }
        continue
      }
      let texts = try parameter.texts(value)
      if parameter.kind == .place || parameter.kind == .places,
        let outside = texts.first(where: { !isInside($0) })
      {
        throw ToolRefusal("'\(outside)' is outside the project of this server")
      }
      switch (parameter.kind, parameter.option) {
      case (.input, _): (input, places) = (texts.joined(), ["-"])
      case (_, let option?): options += texts.map { "\(option)=\($0)" }
      case (_, nil): places += texts
      }
    }
    return (command + ["--format=json"] + options + ["--"] + places, input)
  }
}

extension AgentQuestion.Parameter {
  static let store = Self("store", "The store's path.", .place, isRequired: true)
  static let models = Self(
    "models", "Other models than the project's: a folder, a package, a bundle, an app.", .place,
    option: "--models")

  /// Its JSON Schema.
  var schema: JSONValue {
    let text: JSONValue = ["type": "string", "description": .string(summary)]
    return switch kind {
    case .text, .place, .input: text
    case .places: ["type": "array", "items": ["type": "string"], "description": .string(summary)]
    }
  }

  fileprivate func texts(_ value: JSONValue) throws(ToolRefusal) -> [String] {
    var values = [value]
    if kind == .places, case .array(let several) = value { values = several }
    return try values.map { value throws(ToolRefusal) in
      guard case .string(let text) = value, !text.utf8.contains(0) else {
        throw ToolRefusal("'\(name)' is text without zero bytes: \(summary)")
      }
      return text
    }
  }
}

/// Why a tool is not run, for the client.
struct ToolRefusal: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

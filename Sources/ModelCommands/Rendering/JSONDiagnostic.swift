package import ManagedModel

extension Diagnostic {
  /// The object that CI and other tools may rely on: every key is always there, null if it has no value.
  package var json: JSONValue {
    let runnable = runnable
    let head: JSONValue = [
      "code": .string(code.description), "severity": .string(severity.label), "message": .string(message),
    ]
    return head + placeJSON(place) + [
      "version": JSONValue(subject?.version), "entity": JSONValue(subject?.entity),
      "property": JSONValue(subject?.property), "cocoa": JSONValue(cocoaCode),
      "notes": .array(runnable.notes.map(\.json)), "help": JSONValue(runnable.help),
      "fixits": .array(fixIts.map { $0.json(inFile: place?.file) }),
      "proposal": runnable.proposal.map(\.json) ?? .null,
    ]
  }
}

extension Diagnostic.Note {
  fileprivate var json: JSONValue { ["message": .string(message)] + placeJSON(place) }
}

extension Diagnostic.Proposal {
  fileprivate var json: JSONValue {
    ["message": .string(message), "text": .string(text)]
  }
}

extension Diagnostic.FixIt {
  /// - Parameter file: the finding's own; another one is named.
  fileprivate func json(inFile file: String?) -> JSONValue {
    let written = ["message": .string(message)] + placeJSON(range) + ["replacement": .string(replacement)]
    guard case .object(let members) = written else { return written }
    return .object(members.filter { $0.key != "file" || range.file != file })
  }
}

private func placeJSON(_ place: SourceRange?) -> JSONValue {
  [
    "file": JSONValue(place?.file), "line": JSONValue(place?.start.line),
    "column": JSONValue(place?.start.column), "endLine": JSONValue(place?.end.line),
    "endColumn": JSONValue(place?.end.column),
  ]
}

extension Diagnostic {
  static let shape = JSONShape.object(
    "diagnostic", "A finding; `modelc explain CODE` tells about its kind.",
    [
      "code": codeShape, "severity": severityShape, "message": .text("What is wrong, in a sentence."),
    ]
  ).adding(JSONShape.place)
    .adding([
      "version": .text("The version that it is about.").orNull,
      "entity": .text("The entity that it is about.").orNull,
      "property": .text("The property that it is about.").orNull,
      "cocoa": .integer("The code that Core Data itself reports.").orNull,
      "notes": .list(of: Note.shape, "Further facts, some with a place."),
      "help": .texts("What to do; commands are in backticks."),
      "fixits": .list(of: FixIt.shape, "Edits that fix it."),
      "proposal": Proposal.shape.orNull,
    ])

  static let codeShape = JSONShape.text(matching: "^MC[0-9]{4}$", "Stable; never used for anything else.")
  static let severityShape = JSONShape.words(
    Severity.allCases.map(\.label), "An error stops the work; the rest does not.")
}

extension Diagnostic.Note {
  fileprivate static let shape = JSONShape.object("note", "A fact beside a finding.", ["message": .text("")])
    .adding(JSONShape.place)
}

extension Diagnostic.Proposal {
  fileprivate static let shape = JSONShape.object(
    "proposal", "A text that a person may take over.",
    ["message": .text("What it is."), "text": .text("The text itself.")])
}

extension Diagnostic.FixIt {
  fileprivate static let shape = JSONShape.object(
    "fixit", "One edit; its file is the finding's own unless it names another.",
    [
      "message": .text("What it does."), "file": .text("The file, where it is another one.").optional,
      "line": .integer("From 1."), "column": .integer("From 1."), "endLine": .integer("The last line."),
      "endColumn": .integer("The column after the last one."),
      "replacement": .text("The new text."),
    ])
}

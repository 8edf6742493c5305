package import ManagedModel

/// The object that CI and other tools may rely on: every key is always there, null if it has no value.
extension Diagnostic: JSONResult {
  static let result = JSONObject<Self>(
    "diagnostic", "A finding; `modelc explain CODE` explains its code."
  ).adding([
    "code": .value(\.code), "severity": .value(\.severity),
    "message": .value(\.message, "What is wrong, in a sentence."),
  ]).adding(placeMembers, of: \.place).adding([
    "version": .value(\.subject?.version, "The version that it is about."),
    "entity": .value(\.subject?.entity, "The entity that it is about."),
    "property": .value(\.subject?.property, "The property that it is about."),
    "cocoa": .value(\.cocoaCode, "The code that Core Data itself reports."),
    "notes": .value(\.notes, "Further facts, some with a place."),
    "help": .value(\.help, "What to do; commands are in backticks."),
    "fixits": .list(
      { finding in finding.fixIts.map { ($0, finding.place?.file) } }, of: fixIt, "Edits that fix it."),
    "proposal": .value(\.proposal),
  ])

  package var json: JSONValue { Self.result.json(of: runnable) }

  /// An edit, and the file of its finding.
  private static let fixIt = JSONObject<(edit: FixIt, file: String?)>(
    "fixit", "One edit; its file is the finding's own unless it names another."
  ).adding([
    "message": .value(\.edit.message, "What it does."),
    "file": .optional(
      { $0.edit.range.file == $0.file ? nil : $0.edit.range.file }, "The file, where it is another one."),
    "line": .value(\.edit.range.start.line, "From 1."),
    "column": .value(\.edit.range.start.column, "From 1."),
    "endLine": .value(\.edit.range.end.line, "The last line."),
    "endColumn": .value(\.edit.range.end.column, "The column after the last one."),
    "replacement": .value(\.edit.replacement, "The new text."),
  ])
}

private let placeMembers = JSONObject<SourceRange?>("", "").adding([
  "file": .value(\.?.file, "The file, as it was named or found."),
  "line": .value(\.?.start.line, "From 1."),
  "column": .value(\.?.start.column, "From 1, in Unicode scalars."),
  "endLine": .value(\.?.end.line, "The last line."),
  "endColumn": .value(\.?.end.column, "The column after the last one."),
])

extension Diagnostic.Code: JSONWritable {
  static let shape = JSONShape(
    kind: .pattern("^MC[0-9]{4}$"), summary: "Stable; never used for anything else.")
  var json: JSONValue { .string(description) }
}

extension Diagnostic.Severity: JSONWritable {
  static let shape = JSONShape.words(allCases.map(\.label), "An error stops the work; the rest does not.")
  var json: JSONValue { .string(label) }
}

extension Diagnostic.Note: JSONResult {
  static let result = JSONObject<Self>("note", "A detail of a finding.")
    .adding(["message": .value(\.message)]).adding(placeMembers, of: \.place)
}

extension Diagnostic.Proposal: JSONResult {
  static let result = JSONObject<Self>("proposal", "A text that a person may take over.")
    .adding(["message": .value(\.message, "What it is."), "text": .value(\.text, "The text itself.")])
}

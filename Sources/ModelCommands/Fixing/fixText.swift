import ManagedModel

/// The edits that `compile --fix` made and did not make, a line each.
func fixText(_ fixes: [ModelFixes.Fix]) -> String {
  let made = fixes.filter { $0.refusal == nil }
  var lines = made.map { "fixed \($0.line)" }
  lines += fixes.compactMap { fix in fix.refusal.map { "left  \(fix.line) (\($0.inWords))" } }
  if made.isEmpty { lines.append(fixes.isEmpty ? "nothing to fix" : "nothing that is safe to fix") }
  return lines.shownLines
}

extension ModelFixes.Fix {
  fileprivate var line: String {
    "\(printable(place.file)):\(place.start.line):\(place.start.column) \(code): \(printable(message))"
  }

  var json: JSONValue {
    [
      "code": .string(code.description), "file": .string(place.file),
      "line": .integer(Int64(place.start.line)), "column": .integer(Int64(place.start.column)),
      "message": .string(message), "applied": .boolean(refusal == nil),
      "reason": JSONValue(refusal?.rawValue),
    ]
  }
}

extension ModelFixes.Refusal {
  fileprivate var inWords: String {
    switch self {
    case .unsafe: "it may change what the model means; make it yourself where it is right"
    case .worse: "the file would have more errors than before"
    }
  }
}

extension ModelFixes.Fix {
  static let shape = JSONShape.object(
    "fix", "An edit that --fix made or left.",
    [
      "code": Diagnostic.codeShape, "file": .text(""), "line": .integer(""), "column": .integer(""),
      "message": .text("What it does."), "applied": .flag(""),
      "reason": .words(of: ModelFixes.Refusal.self, "Why it was left.").orNull,
    ])
}

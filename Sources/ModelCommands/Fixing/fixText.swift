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
    .object([
      .init("code", .string(code.description)), .init("file", .string(place.file)),
      .init("line", .integer(Int64(place.start.line))), .init("column", .integer(Int64(place.start.column))),
      .init("message", .string(message)), .init("applied", .boolean(refusal == nil)),
      .init("reason", JSONValue(refusal?.rawValue)),
    ])
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

import ManagedModel

extension [ModelFixes.Fix] {
  /// The edits that `compile --fix` made and did not make, a line each.
  func text() -> String {
    let made = filter { $0.refusal == nil }
    var lines = made.map { "fixed \($0.line)" }
    lines += compactMap { fix in fix.refusal.map { "left  \(fix.line) (\($0.inWords))" } }
    if made.isEmpty { lines.append(isEmpty ? "nothing to fix" : "nothing that is safe to fix") }
    return lines.shownLines
  }
}

extension ModelFixes.Fix: JSONResult {
  fileprivate var line: String {
    "\(place.file.printable):\(place.start.line):\(place.start.column) \(code): \(message.printable)"
  }

  static let result = JSONObject<Self>("fix", "An edit that --fix made or left.").adding([
    "code": .value(\.code), "file": .value(\.place.file), "line": .value(\.place.start.line),
    "column": .value(\.place.start.column), "message": .value(\.message, "What it does."),
    "applied": .value { $0.refusal == nil },
    "reason": .value(.words(of: ModelFixes.Refusal.self, "Why it was left.").orNull) {
      $0.refusal?.rawValue
    },
  ])
}

extension ModelFixes.Refusal {
  fileprivate var inWords: String {
    switch self {
    case .unsafe: "it may change what the model means; make it yourself where it is right"
    case .worse: "the file would have more errors than before"
    }
  }
}

import ManagedModel

/// A number and what it counts: `3 versions`.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension Diagnostic {
  /// Message, notes and help in lines, as forms without room for excerpts show them.
  var fullText: String {
    ([message] + notes.map(\.message) + help.map { "help: \($0)" }).joined(separator: "\n")
  }
}

extension Diagnostic.Severity {
  /// What a form calls it.
  func word(_ error: String, _ warning: String, _ information: String) -> String {
    switch self {
    case .error: error
    case .warning: warning
    case .information: information
    }
  }
}

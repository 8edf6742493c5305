import Foundation

/// Whether output carries ANSI colours: the values of `--color`.
package enum ColorMode: String, Hashable, Sendable, CaseIterable {
  /// Only on a terminal that shows colours, and not where `NO_COLOR` is set (no-color.org).
  case auto
  case always, never

  package func usesColor(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }

  /// For what is written to a descriptor of this process; nil for a file.
  func usesColor(on descriptor: Int32?) -> Bool {
    let isTerminal = descriptor.map { isatty($0) == 1 } ?? false
    return usesColor(isTerminal: isTerminal, environment: ProcessInfo.processInfo.environment)
  }
}

/// Adds ANSI codes to text, or leaves it as it is.
struct Styler {
  var usesColor: Bool

  /// Raw values are the parameters of "select graphic rendition".
  enum Style: String, CaseIterable {
    case error = "1;31"
    case warning = "1;33"
    case info = "1;36"
    case bold = "1"
    case faint = "2"
  }

  /// All that it adds.
  static let codes = ["\u{1B}[0m"] + Style.allCases.map { "\u{1B}[\($0.rawValue)m" }

  func callAsFunction(_ text: String, _ style: Style) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

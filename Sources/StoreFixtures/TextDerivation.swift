import Foundation
import ManagedModel

/// A derived attribute that a row's own text decides: `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)`,
/// or the name alone. Counts and values of other rows are computed by the store.
struct TextDerivation {
  let attributeName: String
  private let function: String

  init?(_ expression: String) {
    if let match = expression.wholeMatch(of: #/\s*(canonical|uppercase|lowercase):\(\s*(\w+)\s*\)\s*/#) {
      function = String(match.1)
      attributeName = String(match.2)
    } else if let match = expression.wholeMatch(of: #/\s*(\w+)\s*/#) {
      function = ""
      attributeName = String(match.1)
    } else {
      return nil
    }
  }

  func value(of value: AttributeValue?) -> AttributeValue? {
    guard case .string(let text)? = value else { return value }
    switch function {
    case "uppercase": return .string(text.uppercased())
    case "lowercase": return .string(text.lowercased())
    case "canonical":
      return .string(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
    default: return value
    }
  }
}

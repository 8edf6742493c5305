import Foundation
import ManagedModel

/// The default that Apple's tools make of a text that is not a value of its type; nil if they make none.
///
/// A number is read from the beginning of the text as far as it goes; without digits it is 0, as caches of genuine stores
/// have 0 for `NO`. A Boolean is true if the text begins with `Y`, `T` or a digit other than 0.
func takenDefault(_ text: String, _ type: AttributeType) -> String? {
  let trimmed = text.trimmingCharacters(in: .whitespaces)
  switch type {
  case _ where type.isInteger:
    let number = trimmed.prefix(while: { "+-0123456789".contains($0) })
    return [String(number), "0"].first { AttributeValue(parsing: $0, as: type) != nil }
  case .double, .float:
    return (0...min(trimmed.count, longestNumber)).reversed().lazy.map { String(trimmed.prefix($0)) }
      .first { AttributeValue(parsing: $0, as: type) != nil } ?? "0"
  case .boolean:
    let first = trimmed.drop { "+-0".contains($0) }.first
    return first.map { "YyTt123456789".contains($0) } == true ? "true" : "false"
  default: return nil
  }
}

/// The most characters of a text that are read.
private let longestNumber = 64

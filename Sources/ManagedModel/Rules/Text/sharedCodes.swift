/// Codes that readers of every form raise, and the rules of a model.
extension Diagnostic.Code {
  package static let wrongKind = Self("MC0004", accepted: .init("bounds that are not values", "ignored"))
  package static let badDefault = Self(
    "MC1203",
    accepted: .init(
      "defaults that are not values of their type",
      "a number is read from the start of the text, or is 0; other types get no default"))
}

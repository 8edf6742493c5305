import Foundation

extension ModelIndex {
  /// A default is a value of its type (MC1203) that its own rules admit (MC1204).
  func checkDefaultValue(_ checked: CheckedAttribute) -> [Diagnostic] {
    let attribute = checked.attribute
    guard case .text(let text)? = attribute.defaultValue else { return [] }
    if AttributeValue(parsing: text, as: attribute.type) == nil { return [.badDefault(text, checked)] }
    guard let rule = attribute.brokenRule(by: text) else { return [] }
    return [Diagnostic](
      .defaultBreaksRule, .error,
      "default '\(text.abridged)' of \(checked.quotedName) breaks its own rule \(rule)",
      subject: checked.subject.part("default"),
      notes: ["every new object would fail validation until the value is set"],
      help: ["change the default or the rule"])
  }
}

extension AttributeDescription {
  /// The rule of its own that a value breaks, such as a default, as its key and text.
  func brokenRule(by text: String) -> String? {
    let rules = validation
    guard !rules.isEmpty else { return nil }
    if type == .string {
      let length = text.utf16.count
      if let least = rules.minimumLength, length < least { return "minLength: \(least)" }
      if let most = rules.maximumLength, length > most { return "maxLength: \(most)" }
      // As `SELF MATCHES`: the whole text. An expression that does not compile is reported elsewhere.
      if let pattern = rules.regularExpression, (try? PatternCache().matches(text, pattern)) == false {
        return "matching: \(pattern.abridged)"
      }
    } else if type.hasBounds, let value = Bound(text, type) {
      if let least = rules.minimum, let bound = Bound(least, type), value < bound { return "min: \(least)" }
      if let most = rules.maximum, let bound = Bound(most, type), bound < value { return "max: \(most)" }
    }
    return nil
  }
}

extension Diagnostic.Code {
  package static let defaultBreaksRule = Self(
    "MC1204",
    accepted: .init("defaults that break their own rule", "the rule is checked when an object is saved"))
}

extension Diagnostic {
  fileprivate static func badDefault(_ text: String, _ checked: CheckedAttribute) -> Self {
    let (type, subject) = (checked.attribute.type, checked.subject.part("default"))
    guard let values = type.traits.valuesInWords else {
      return Self(
        .badDefault, .error, "\(checked.quotedName) has a default, which type \(type.name) cannot have",
        subject: subject, help: ["remove the default"]
      ).fixed(by: .removing("default", of: checked.subject, isSafe: true))
    }
    let finding = Self(
      .badDefault, .error, "default '\(text.abridged)' of \(checked.quotedName) is not \(values)",
      subject: subject)
    if ["~", "null", "nil"].contains(text.lowercased()) {
      return finding.with { $0.help = ["an attribute without a default has no key 'default'"] }
        .fixed(by: .removing("default", of: checked.subject, isSafe: true))
    }
    return type == .boolean ? finding.suggesting(nearestTo: text, among: ["true", "false"]) : finding
  }
}

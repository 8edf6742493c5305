import Foundation

extension ModelIndex {
  /// Rules fit the type (MC1207), bounds are values (MC0004), no minimum is above its maximum (MC1205), and regular
  /// expressions compile (MC1206).
  func checkValidation(_ checked: CheckedAttribute) -> [Diagnostic] {
    let (type, rules) = (checked.attribute.type, checked.attribute.validation)
    guard !rules.isEmpty, type != .undefined else { return [] }
    var findings = misplacedRules(checked)
    for (key, text) in [("min", rules.minimum), ("max", rules.maximum)] {
      if let text, type.hasBounds, Bound(text, type) == nil { findings.append(.badBound(text, key, checked)) }
    }
    if type.hasBounds, let low = rules.minimum.flatMap({ Bound($0, type) }),
      let high = rules.maximum.flatMap({ Bound($0, type) }), high < low
    {
      findings.append(.crossedBounds("min", rules.minimum ?? "", "max", rules.maximum ?? "", checked))
    }
    if let low = rules.minimumLength, let high = rules.maximumLength, low > high {
      findings.append(.crossedBounds("minLength", "\(low)", "maxLength", "\(high)", checked))
    }
    for (key, length) in [("minLength", rules.minimumLength), ("maxLength", rules.maximumLength)] {
      if let length, length < 0 { findings.append(.badBound("\(length)", key, checked)) }
    }
    if type == .string, let pattern = rules.regularExpression, !PatternCache.isPattern(pattern) {
      findings.append(
        .badRegularExpression, .error,
        "the regular expression of \(checked.quotedName) does not compile: \(pattern.abridged)",
        subject: checked.subject.part("matching"))
    }
    return findings
  }

  /// The predicates of further validation rules parse (MC0101–MC0104).
  func checkValidationPredicates(_ checked: CheckedAttribute) -> [Diagnostic] {
    checked.attribute.validation.predicates.enumerated().flatMap { number, rule in
      let subject = checked.subject.part("rules").element(number).part("predicate")
      return isAskedFor(subject) ? [] : syntaxFindings(ofPredicate: rule.predicate, subject)
    }
  }

  /// Whether a required key is absent in YAML, whose reader has said so.
  func isAskedFor(_ subject: ModelSubject) -> Bool {
    sourceMap.map { $0.file.hasSuffix(".yaml") && $0[subject] == nil } == true
  }

  /// Why a text is not a predicate.
  func syntaxFindings(ofPredicate text: String, _ subject: ModelSubject) -> [Diagnostic] {
    findings(inTextOf: subject, at: sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
      _ = try parsePredicate(text.trimmedText, at: place)
      return []
    }
  }
}

private func misplacedRules(_ checked: CheckedAttribute) -> [Diagnostic] {
  let (type, rules) = (checked.attribute.type, checked.attribute.validation)
  var findings: [Diagnostic] = []
  func refuse(_ key: String, unless isAllowed: Bool, given: Bool) {
    if given, !isAllowed { findings.append(.misplacedRule(key, checked)) }
  }
  refuse("min", unless: type.hasBounds, given: rules.minimum != nil)
  refuse("max", unless: type.hasBounds, given: rules.maximum != nil)
  refuse("minLength", unless: type == .string, given: rules.minimumLength != nil)
  refuse("maxLength", unless: type == .string, given: rules.maximumLength != nil)
  refuse("matching", unless: type == .string, given: rules.regularExpression != nil)
  return findings
}

/// A least or greatest value. It may lie outside the type's range, where it bounds nothing.
enum Bound: Comparable {
  case decimal(Decimal)
  /// A date, or a number beyond what a decimal holds.
  case double(Double)

  init?(_ text: String, _ type: AttributeType) {
    if type == .date {
      guard case .date(let seconds)? = AttributeValue(parsing: text, as: .date) else { return nil }
      self = .double(seconds)
    } else if case .decimal(let value)? = AttributeValue(parsing: text, as: .decimal), value.isFinite {
      self = .decimal(value)
    } else if case .double(let value)? = AttributeValue(parsing: text, as: .double) {
      self = .double(value)
    } else {
      return nil
    }
  }

  private var double: Double {
    switch self {
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    case .double(let value): value
    }
  }

  static func < (left: Bound, right: Bound) -> Bool {
    if case (.decimal(let l), .decimal(let r)) = (left, right) { l < r } else { left.double < right.double }
  }
}

extension AttributeType {
  /// Whether values have an order that `min` and `max` can bound.
  package var hasBounds: Bool { isNumeric || self == .date }
}

extension Diagnostic.Code {
  package static let crossedBounds = Self(
    "MC1205", accepted: .init("minimums above maximums", "no new value is valid; stored values stay"))
  package static let badRegularExpression = Self(
    "MC1206", accepted: .init("patterns that do not compile", "no new value is valid; stored values stay"))
  package static let misplacedRule = Self(
    "MC1207", accepted: .init("rules that the attribute type does not support", "ignored"))
}

extension Diagnostic {
  fileprivate static func badBound(_ text: String, _ key: String, _ checked: CheckedAttribute) -> Diagnostic {
    let type = key.hasSuffix("Length") ? "length" : checked.attribute.type.name
    return Diagnostic(
      .wrongKind, .error,
      "'\(key)' of \(checked.quotedName) is '\(text.abridged)', which is not a valid \(type)",
      subject: checked.subject.part(key))
  }

  fileprivate static func crossedBounds(
    _ low: String, _ lowText: String, _ high: String, _ highText: String, _ checked: CheckedAttribute
  ) -> Diagnostic {
    Diagnostic(
      .crossedBounds, .error,
      "\(checked.quotedName) allows no value: \(low) \(lowText.abridged) is above \(high) \(highText.abridged)",
      subject: checked.subject.part(low), help: ["swap the two"]
    ).fixed(
      by: ModelEdit(
        "swap the two", at: checked.subject.part(low), .swap(with: checked.subject.part(high)), isSafe: true))
  }

  fileprivate static func misplacedRule(_ key: String, _ checked: CheckedAttribute) -> Diagnostic {
    let isString = checked.attribute.type == .string
    let lengthKey = key == "min" ? "minLength" : "maxLength"
    let mend =
      isString
      ? ModelEdit("write '\(lengthKey)'", at: checked.subject.part(key), .rename(to: lengthKey))
      : .removing(key, of: checked.subject, isSafe: true)
    return Diagnostic(
      .misplacedRule, .error,
      "'\(key)' of \(checked.quotedName) is not a rule for type \(checked.attribute.type.name)",
      subject: checked.subject.part(key),
      help: isString ? ["for the length of a text: minLength, maxLength"] : ["remove '\(key)'"]
    ).fixed(by: mend)
  }
}

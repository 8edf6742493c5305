import Foundation
package import ManagedModel

/// The validation rules of one attribute, ready to judge many values.
package struct ValidationRules: Sendable {
  package let attribute: AttributeDescription
  private let minimum: AttributeValue?
  private let maximum: AttributeValue?
  private let pattern: String?
  private let patterns = PatternCache()
  private let predicates: [(text: String, predicate: ManagedModel.Predicate)]
  /// Rules of the API's own kind that are not comparison of the value with constants: nobody judges them here.
  package private(set) var unjudged: [String] = []

  package init(_ attribute: AttributeDescription) {
    self.attribute = attribute
    let rules = attribute.validation
    (minimum, maximum) = rules.bounds(of: attribute.type)
    pattern = rules.regularExpression.flatMap { PatternCache.isPattern($0) ? $0 : nil }
    var judged: [(text: String, predicate: ManagedModel.Predicate)] = []
    for rule in rules.predicates {
      if let predicate = try? parsePredicate(rule.predicate), predicate.isAboutValueAlone {
        judged.append((rule.predicate, predicate))
      } else {
        unjudged.append(rule.predicate)
      }
    }
    predicates = judged
  }

  /// Whether nothing but bounds and lengths is demanded, which a value can be made for directly.
  package var isSimple: Bool { pattern == nil && predicates.isEmpty }

  /// The expression of a predicate `SELF MATCHES "…"`, where a rule is one.
  package var matchedPattern: String? {
    for (_, predicate) in predicates {
      guard case .comparison(let comparison) = predicate, comparison.operator == .matches,
        case .constant(.string(let pattern)) = comparison.right
      else { continue }
      return pattern
    }
    return nil
  }

  /// Values that predicates name, and their neighbours: where a rule is an enumeration or a bound, some of them
  /// satisfy it.
  package var namedValues: [AttributeValue] {
    let texts = predicates.flatMap(\.predicate.comparisons).flatMap { constants(in: $0.right) }
    return texts.flatMap { text -> [AttributeValue] in
      guard attribute.type.isNumeric, let number = Decimal(string: text) else {
        return [AttributeValue(parsing: text, as: attribute.type)].compactMap(\.self)
      }
      return [number - 1, number, number + 1].compactMap {
        AttributeValue(parsing: "\($0)", as: attribute.type)
      }
    }
  }

  /// The text with the parts that predicates want in it: `SELF BEGINSWITH "a"`, `SELF CONTAINS "b"`.
  package func completed(_ text: String) -> String {
    var text = text
    for (operation, part) in demandedParts {
      switch operation {
      case .beginsWith: if !text.hasPrefix(part) { text = part + text }
      case .endsWith: if !text.hasSuffix(part) { text += part }
      default: if text.firstRange(of: part) == nil { text = part + " " + text }
      }
    }
    return text
  }

  /// What of a text predicates want to stay as it is.
  package var fixedParts: [String] { demandedParts.map(\.part).filter { !$0.isEmpty } }

  private var demandedParts: [(operation: ComparisonPredicate.Operator, part: String)] {
    predicates.flatMap { demandedComparisons(in: $0.predicate) }.compactMap { comparison in
      guard [.beginsWith, .endsWith, .contains].contains(comparison.operator),
        comparison.left == .evaluatedObject, case .constant(.string(let part)) = comparison.right
      else { return nil }
      return (comparison.operator, part)
    }
  }

  /// The first rule that the value breaks, as its key and text in the model language; nil if it breaks none.
  package func brokenRule(by value: AttributeValue) -> String? {
    let rules = attribute.validation
    guard !rules.isEmpty else { return nil }
    if case .string(let text) = value {
      let length = text.utf16.count
      if let least = rules.minimumLength, length < least { return "minLength: \(least)" }
      if let most = rules.maximumLength, length > most { return "maxLength: \(most)" }
      if let pattern, (try? patterns.matches(text, pattern)) != true {
        return "matching: \(pattern.abridged)"
      }
    }
    let held = value.held(by: attribute.type)
    if let minimum, held.precedes(minimum) == true { return "min: \(rules.minimum ?? "")" }
    if let maximum, maximum.precedes(held) == true { return "max: \(rules.maximum ?? "")" }
    // What cannot be asked of the value is no rule for it.
    guard let value = value.asConstant else { return nil }
    return predicates.first {
      (try? evaluate($0.predicate, on: value, in: EvaluationContext(now: 0))) == false
    }.map { $0.text.abridged }
  }
}

extension ManagedModel.Predicate {
  /// Whether it compares nothing but `SELF` or its length with constants, in any combination.
  fileprivate var isAboutValueAlone: Bool {
    switch self {
    case .constant: true
    case .not(let inner): inner.isAboutValueAlone
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isAboutValueAlone)
    case .comparison(let comparison):
      comparison.modifier == .direct && comparison.options.isEmpty && comparison.left.isValueOrLength
        && comparison.right.isConstant
        && ![.like, .utiConformsTo, .utiEquals].contains(comparison.operator)
    }
  }
}

extension ManagedModel.Expression {
  fileprivate var isValueOrLength: Bool {
    [.evaluatedObject, .keyPath("length"), .keyPath(["length"], of: .evaluatedObject)].contains(self)
  }

  fileprivate var isConstant: Bool {
    switch self {
    case .constant: true
    case .aggregate(let elements): elements.allSatisfy(\.isConstant)
    case .negation(let inner): inner.isConstant
    default: false
    }
  }
}

/// The comparisons that a predicate demands all together.
private func demandedComparisons(in predicate: ManagedModel.Predicate) -> [ComparisonPredicate] {
  switch predicate {
  case .comparison(let comparison): [comparison]
  case .and(let parts): parts.flatMap(demandedComparisons)
  default: []
  }
}

/// The texts of all constants in it.
private func constants(in expression: ManagedModel.Expression) -> [String] {
  switch expression {
  case .constant(.integer(let number)): ["\(number)"]
  case .constant(.decimal(let text)): [text.description]
  case .constant(.string(let text)): [text]
  case .constant(.boolean(let flag)): [flag ? "true" : "false"]
  case .negation(let inner): constants(in: inner).map { "-" + $0 }
  case .aggregate(let elements): elements.flatMap(constants)
  default: []
  }
}

extension AttributeValue {
  /// As the constants are that it can be compared with: a date is a number of seconds, a UUID the text that spells it.
  fileprivate var asConstant: ExpressionValue? {
    switch self {
    case .integer(let number): .integer(number)
    case .decimal(let number): .decimal(number)
    // Of doubles, some are beyond every decimal.
    case .double(let number), .date(let number):
      number.isFinite ? number.shortestDecimal.map(ExpressionValue.decimal) ?? .double(number) : nil
    case .boolean(let flag): .boolean(flag)
    case .binary: nil
    default: .string(text)
    }
  }

  /// Whether one value comes before another of its kind; nil if they have no order.
  package func precedes(_ other: AttributeValue) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.string(let left), .string(let right)): left.precedesInCodePointOrder(right)
    default: nil
    }
  }
}

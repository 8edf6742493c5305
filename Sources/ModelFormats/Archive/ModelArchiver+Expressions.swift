import Foundation
import ManagedModel

/// The codes that stand for warnings in compiled models (`NSValidation…Error`).
enum ValidationWarning: Int64 {
  case numberTooLarge = 1610
  case numberTooSmall = 1620
  case dateTooLate = 1630
  case dateTooSoon = 1640
  case stringTooLong = 1660
  case stringTooShort = 1670
  case stringPatternMatching = 1680
}

/// The operators of validation predicates (`NSPredicateOperatorType`).
enum ArchivedOperator: Int64 {
  case lessThanOrEqualTo = 1
  case greaterThanOrEqualTo = 3
  case matches = 6
}

extension ModelArchiver {
  /// The predicates that Core Data's compiler makes of an attribute's rules, with their warnings.
  mutating func archivedValidations(of attribute: AttributeDescription) -> [PropertyListValue.Entry] {
    let rules = attribute.validation
    let isDate = attribute.type == .date
    var predicates: [PropertyListValue] = []
    var warnings: [PropertyListValue] = []
    func bound(_ text: String?) -> AttributeValue? {
      text.flatMap { AttributeValue(parsing: $0, as: attribute.type) }.flatMap { $0.isOrdered ? $0 : nil }
    }
    if let minimum = bound(rules.minimum) {
      predicates.append(comparison(boundSubject(isDate), .greaterThanOrEqualTo, boundObject(minimum)))
      warnings.append(warning(isDate ? .dateTooSoon : .numberTooSmall))
    }
    if let maximum = bound(rules.maximum) {
      predicates.append(comparison(boundSubject(isDate), .lessThanOrEqualTo, boundObject(maximum)))
      warnings.append(warning(isDate ? .dateTooLate : .numberTooLarge))
    }
    if let minimum = rules.minimumLength {
      let length = builder.scalar(.integer(Int64(minimum)))
      predicates.append(comparison(keyPath("length"), .greaterThanOrEqualTo, length))
      warnings.append(warning(.stringTooShort))
    }
    if let maximum = rules.maximumLength {
      let length = builder.scalar(.integer(Int64(maximum)))
      predicates.append(comparison(keyPath("length"), .lessThanOrEqualTo, length))
      warnings.append(warning(.stringTooLong))
    }
    if let pattern = rules.regularExpression {
      predicates.append(comparison(selfExpression(), .matches, builder.string(pattern)))
      warnings.append(warning(.stringPatternMatching))
    }
    guard !predicates.isEmpty else { return [] }
    return [
      .init("NSValidationPredicates", builder.collection(.array, predicates)),
      .init("NSValidationWarnings", builder.collection(.array, warnings)),
    ]
  }

  private mutating func warning(_ warning: ValidationWarning) -> PropertyListValue {
    builder.scalar(.integer(warning.rawValue))
  }

  private mutating func boundSubject(_ isDate: Bool) -> PropertyListValue {
    isDate ? keyPath("timeIntervalSinceReferenceDate") : selfExpression()
  }

  private mutating func boundObject(_ value: AttributeValue) -> PropertyListValue {
    if case .date(let seconds) = value { return builder.scalar(.real(seconds)) }
    return archived(value)
  }

  private mutating func comparison(
    _ left: PropertyListValue, _ comparison: ArchivedOperator, _ constant: PropertyListValue
  ) -> PropertyListValue {
    let type = PropertyListValue.integer(comparison.rawValue)
    let archivedOperator: PropertyListValue
    if comparison == .matches {
      archivedOperator = builder.object(
        .matchingOperator,
        [.init("NSModifier", .integer(0)), .init("NSFlags", .integer(0)), .init("NSOperatorType", type)])
    } else {
      archivedOperator = builder.object(
        .comparisonOperator,
        [
          .init("NSModifier", .integer(0)), .init("NSVariant", type), .init("NSOptions", .integer(0)),
          .init("NSOperatorType", type),
        ])
    }
    let right = builder.object(
      .constantExpression, [.init("NSConstantValue", constant), .init("NSExpressionType", .integer(0))])
    return builder.object(
      .comparisonPredicate,
      [
        .init("NSRightExpression", right), .init("NSLeftExpression", left),
        .init("NSPredicateOperator", archivedOperator),
      ])
  }

  private mutating func selfExpression() -> PropertyListValue {
    builder.object(.selfExpression, [.init("NSExpressionType", .integer(1))])
  }

  private mutating func keyPath(_ path: String) -> PropertyListValue {
    let specifier = builder.object(
      .keyPathSpecifier, [.init("NSExpressionType", .integer(10)), .init("NSKeyPath", builder.string(path))])
    let selector = path.contains(".") ? "valueForKeyPath:" : "valueForKey:"
    return builder.object(
      .keyPathExpression,
      [
        .init("NSOperand", selfExpression()), .init("NSSelectorName", builder.string(selector)),
        .init("NSExpressionType", .integer(3)),
        .init("NSArguments", builder.collection(.mutableArray, [specifier])),
      ])
  }
}

/// Derivations.
extension ModelArchiver {
  mutating func derivationFields(of attribute: AttributeDescription) -> [PropertyListValue.Entry] {
    guard let text = attribute.derivationExpression else { return [] }
    let derivation = Derivation(text)
    var fields: [PropertyListValue.Entry] = [
      .init("NSDerivationExpression", derivation.map { archived($0) } ?? KeyedArchiveBuilder.null)
    ]
    if derivation?.text(isToMany: { _ in false }) != text {
      fields.append(.init(ModelcKey.derivation, builder.string(text)))
    }
    return fields
  }

  private mutating func archived(_ derivation: Derivation) -> PropertyListValue {
    switch derivation {
    case .keyPath(let path): return keyPath(path)
    case .function(let selector, let path):
      let receiver = builder.object(
        .constantExpression,
        [
          .init("NSExpressionType", .integer(0)),
          .init("NSConstantValueClassName", builder.string("_NSPredicateUtilities")),
        ])
      let arguments = path.map { [keyPath($0)] } ?? []
      return builder.object(
        .functionExpression,
        [
          .init("NSOperand", receiver), .init("NSSelectorName", builder.string(selector)),
          .init("NSExpressionType", .integer(4)), .init("NSArguments", builder.collection(.array, arguments)),
        ])
    }
  }
}

/// A derivation in one of the forms that a store can compute.
enum Derivation: Hashable {
  case keyPath(String)
  /// `canonical:(name)`, `now()`, and the collection operators: `pages.@count` is the function `count:` of `pages`.
  case function(selector: String, path: String?)

  private static let collectionOperators = ["count", "sum", "min", "max", "avg"]

  /// Nil where the text has another form.
  init?(_ text: String) {
    let text = text.filter { !$0.isWhitespace }
    if let match = text.wholeMatch(of: #/(\w+:?)\(([\w.]*)\)/#) {
      let selector = String(match.1)
      guard selector.hasSuffix(":") != match.2.isEmpty else { return nil }
      self = .function(selector: selector, path: match.2.isEmpty ? nil : String(match.2))
      return
    }
    guard text.wholeMatch(of: #/@?\w+(\.@?\w+)*/#) != nil else { return nil }
    let keys = text.split(separator: ".")
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else {
      self = .keyPath(text)
      return
    }
    let name = String(keys[place].dropFirst())
    let path = keys[..<place] + keys[(place + 1)...]
    guard place > 0, Self.collectionOperators.contains(name), !path.contains(where: { $0.hasPrefix("@") })
    else { return nil }
    self = .function(selector: name + ":", path: path.joined(separator: "."))
  }

  /// The text that Xcode shows.
  ///
  /// - Parameter isToMany: whether a key path from the entity ends in a to-many; the operator stands after the
  ///   first that does, or after the first key.
  func text(isToMany: ([String]) -> Bool) -> String {
    switch self {
    case .keyPath(let path): return path
    case .function(let selector, nil): return "\(selector)()"
    case .function(let selector, let path?):
      let name = String(selector.dropLast())
      guard Self.collectionOperators.contains(name) else { return "\(selector)(\(path))" }
      let keys = path.split(separator: ".").map(String.init)
      let count = (1...max(keys.count, 1)).first { isToMany(Array(keys.prefix($0))) } ?? 1
      return (keys.prefix(count) + ["@" + name] + keys.dropFirst(count)).joined(separator: ".")
    }
  }
}

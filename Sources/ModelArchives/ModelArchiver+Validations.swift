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

extension ModelArchiver {
  /// The predicates that Core Data's compiler makes of an attribute's rules, and those that are predicates in the
  /// model already, each with its warning.
  mutating func archivedValidations(of attribute: AttributeDescription) -> [PropertyListValue.Entry] {
    guard !attribute.validation.isEmpty else { return [] }
    var predicates: [PropertyListValue] = []
    var warnings: [PropertyListValue] = []
    var spellings: [PropertyListValue] = []
    for limit in limits(of: attribute) {
      guard let value = limit.value else { continue }
      // Dates are compared by their seconds.
      let constant: PropertyListValue =
        if case .date(let seconds) = value { builder.scalar(.real(seconds)) } else { archived(value) }
      predicates.append(
        builder.comparison(
          builder.archived(limit.subject), builder.constantExpression(constant),
          as: ComparisonPredicate(.evaluatedObject, limit.sign, .evaluatedObject)))
      warnings.append(builder.scalar(.integer(limit.warning.rawValue)))
    }
    for rule in attribute.validation.predicates {
      let predicate = archivedPredicate(rule.predicate)
      // A text that is not a predicate asks for nothing; its text is kept below.
      predicates.append(predicate.value ?? builder.archived(Predicate.constant(true)))
      // Warnings of Core Data's own are numbers; those of the rules above would be taken for them.
      let code = Int64(rule.warning).flatMap {
        "\($0)" == rule.warning && ValidationWarning(rawValue: $0) == nil ? $0 : nil
      }
      warnings.append(code.map { builder.scalar(.integer($0)) } ?? builder.string(rule.warning))
      spellings.append(builder.string(predicate.spelling))
    }
    guard !predicates.isEmpty else { return [] }
    var fields: [PropertyListValue.Entry] = [
      .init("NSValidationPredicates", builder.collection("NSMutableArray", predicates)),
      .init("NSValidationWarnings", builder.collection("NSMutableArray", warnings)),
    ]
    if spellings.contains(where: { $0 != KeyedArchiveBuilder.null }) {
      fields.append(.init(ModelcKey.validationSpellings, builder.collection("NSArray", spellings)))
    }
    return fields
  }

  private typealias Limit = (
    warning: ValidationWarning, subject: Expression, sign: ComparisonPredicate.Operator,
    value: AttributeValue?
  )

  /// What the rules ask for that Core Data's compiler makes predicates of.
  private func limits(of attribute: AttributeDescription) -> [Limit] {
    let (rules, isDate) = (attribute.validation, attribute.type == .date)
    let subject: Expression = isDate ? .keyPath("timeIntervalSinceReferenceDate") : .evaluatedObject
    func bound(_ text: String?) -> AttributeValue? {
      text.flatMap { AttributeValue(parsing: $0, as: attribute.type) }.flatMap { $0.isOrdered ? $0 : nil }
    }
    func length(_ count: Int?) -> AttributeValue? { count.map { .integer(Int64($0)) } }
    return [
      (isDate ? .dateTooSoon : .numberTooSmall, subject, .greaterThanOrEqualTo, bound(rules.minimum)),
      (isDate ? .dateTooLate : .numberTooLarge, subject, .lessThanOrEqualTo, bound(rules.maximum)),
      (.stringTooShort, .keyPath("length"), .greaterThanOrEqualTo, length(rules.minimumLength)),
      (.stringTooLong, .keyPath("length"), .lessThanOrEqualTo, length(rules.maximumLength)),
      (.stringPatternMatching, .evaluatedObject, .matches, rules.regularExpression.map { .string($0) }),
    ]
  }
}

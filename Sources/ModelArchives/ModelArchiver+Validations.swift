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
    var list = ValidationList()
    addBounds(of: attribute, to: &list)
    let rules = attribute.validation
    if let minimum = rules.minimumLength {
      add(.stringTooShort, .keyPath("length"), .greaterThanOrEqualTo, .integer(Int64(minimum)), to: &list)
    }
    if let maximum = rules.maximumLength {
      add(.stringTooLong, .keyPath("length"), .lessThanOrEqualTo, .integer(Int64(maximum)), to: &list)
    }
    if let pattern = rules.regularExpression {
      add(.stringPatternMatching, .evaluatedObject, .matches, .string(pattern), to: &list)
    }
    var spellings: [PropertyListValue] = []
    for rule in rules.predicates {
      let predicate = archivedPredicate(rule.predicate)
      // A text that is not a predicate asks for nothing; its text is kept below.
      list.predicates.append(predicate.value ?? builder.archived(Predicate.constant(true)))
      // Warnings of Core Data's own are numbers; those of the rules above would be taken for them.
      let code = Int64(rule.warning).flatMap {
        "\($0)" == rule.warning && ValidationWarning(rawValue: $0) == nil ? $0 : nil
      }
      list.warnings.append(code.map { builder.scalar(.integer($0)) } ?? builder.string(rule.warning))
      spellings.append(builder.string(predicate.spelling))
    }
    guard !list.predicates.isEmpty else { return [] }
    var fields: [PropertyListValue.Entry] = [
      .init("NSValidationPredicates", builder.collection(.mutableArray, list.predicates)),
      .init("NSValidationWarnings", builder.collection(.mutableArray, list.warnings)),
    ]
    if spellings.contains(where: { $0 != KeyedArchiveBuilder.null }) {
      fields.append(.init(ModelcKey.validationSpellings, builder.collection(.array, spellings)))
    }
    return fields
  }

  private struct ValidationList {
    var predicates: [PropertyListValue] = []
    var warnings: [PropertyListValue] = []
  }

  private mutating func addBounds(of attribute: AttributeDescription, to list: inout ValidationList) {
    let isDate = attribute.type == .date
    let subject: Expression = isDate ? .keyPath("timeIntervalSinceReferenceDate") : .evaluatedObject
    if let minimum = bound(attribute.validation.minimum, attribute.type) {
      add(isDate ? .dateTooSoon : .numberTooSmall, subject, .greaterThanOrEqualTo, minimum, to: &list)
    }
    if let maximum = bound(attribute.validation.maximum, attribute.type) {
      add(isDate ? .dateTooLate : .numberTooLarge, subject, .lessThanOrEqualTo, maximum, to: &list)
    }
  }

  private func bound(_ text: String?, _ type: AttributeType) -> AttributeValue? {
    text.flatMap { AttributeValue(parsing: $0, as: type) }.flatMap { $0.isOrdered ? $0 : nil }
  }

  private mutating func add(
    _ warning: ValidationWarning, _ subject: Expression, _ comparison: ComparisonPredicate.Operator,
    _ value: AttributeValue, to list: inout ValidationList
  ) {
    // Dates are compared by their seconds.
    let constant: PropertyListValue =
      if case .date(let seconds) = value { builder.scalar(.real(seconds)) } else { archived(value) }
    list.predicates.append(
      builder.comparison(
        builder.archived(subject), builder.constantExpression(constant),
        as: ComparisonPredicate(.evaluatedObject, comparison, .evaluatedObject)))
    list.warnings.append(builder.scalar(.integer(warning.rawValue)))
  }
}

import Foundation
import ManagedModel

extension ModelUnarchiver {
  /// A value of the attribute's type as text, any other object as an archive of its own.
  func defaultValue(of object: ArchivedObject, type: AttributeType) throws(ArchiveFlaw) -> DefaultValue? {
    let value = object["NSDefaultValue"]
    if case .null = value { return nil }
    if case .data(let data) = value, !budget.spend(data.count) {
      throw ArchiveFlaw("its default values expand without limit")
    }
    if let text = text(value, as: type) { return .text(text) }
    var builder = KeyedArchiveBuilder()
    guard let node = object.fields["NSDefaultValue"], case .reference(let reference) = archive.list[node],
      case .reference(let root) = builder.embed(reference, of: archive, budget: budget)
    else { return nil }
    return .archived(builder.data(root: root))
  }

  /// The rules that Core Data's compiler makes predicates of; other predicates stay predicates.
  func validation(of object: ArchivedObject, type: AttributeType) throws(ArchiveFlaw) -> AttributeValidation {
    var rules = AttributeValidation()
    var spellings = object.elements(ModelcKey.validationSpellings).makeIterator()
    let warnings = object.elements("NSValidationWarnings")
    for (place, value) in object.elements("NSValidationPredicates").enumerated() {
      guard let predicate = value.object else { continue }
      let warning = warnings.indices.contains(place) ? warnings[place] : .null
      if let code = warning.integer.flatMap(ValidationWarning.init),
        try read(predicate, warning: code, type: type, into: &rules)
      {
        continue
      }
      var text = spellings.next()?.string
      if text == nil { text = try ExpressionUnarchiver(budget).predicate(predicate).predicateFormat }
      rules.predicates.append(
        ValidationPredicate(
          predicate: text ?? "", warning: warning.string ?? warning.integer.map { "\($0)" } ?? ""))
    }
    return rules
  }

  /// - Returns: false if the predicate is not the one that belongs to the code, or a second one for it.
  private func read(
    _ predicate: ArchivedObject, warning: ValidationWarning, type attributeType: AttributeType,
    into rules: inout AttributeValidation
  ) throws(ArchiveFlaw) -> Bool {
    guard predicate.className == "NSComparisonPredicate",
      let type = predicate.object("NSPredicateOperator")?.integer("NSOperatorType"),
      let right = predicate.object("NSRightExpression"), right.className == "NSConstantValueExpression"
    else { return false }
    let kind = ComparisonPredicate.Operator.allCases.first { $0.archivedType == type }
    let subject = try ExpressionUnarchiver(budget).expression(predicate["NSLeftExpression"])
    let constant = right["NSConstantValue"]
    let length = constant.integer.flatMap { Int(exactly: $0) }
    let (secondsOfDate, lengthOfText) = (
      Expression.keyPath("timeIntervalSinceReferenceDate"), Expression.keyPath("length")
    )
    func take<Value>(_ value: Value?, as rule: WritableKeyPath<AttributeValidation, Value?>) -> Bool {
      guard let value, rules[keyPath: rule] == nil else { return false }
      rules[keyPath: rule] = value
      return true
    }
    switch (warning, kind, subject) {
    case (.numberTooSmall, .greaterThanOrEqualTo?, .evaluatedObject):
      return take(text(constant, as: attributeType), as: \.minimum)
    case (.numberTooLarge, .lessThanOrEqualTo?, .evaluatedObject):
      return take(text(constant, as: attributeType), as: \.maximum)
    case (.dateTooSoon, .greaterThanOrEqualTo?, secondsOfDate):
      return take(dateText(constant), as: \.minimum)
    case (.dateTooLate, .lessThanOrEqualTo?, secondsOfDate):
      return take(dateText(constant), as: \.maximum)
    case (.stringTooShort, .greaterThanOrEqualTo?, lengthOfText): return take(length, as: \.minimumLength)
    case (.stringTooLong, .lessThanOrEqualTo?, lengthOfText): return take(length, as: \.maximumLength)
    case (.stringPatternMatching, .matches?, .evaluatedObject):
      return take(constant.string, as: \.regularExpression)
    default: return false
    }
  }

  private func dateText(_ constant: ArchivedValue) -> String? {
    switch constant {
    case .real(let seconds), .date(let seconds): AttributeValue.date(seconds).text
    case .integer(let seconds): AttributeValue.date(Double(seconds)).text
    default: nil
    }
  }
}

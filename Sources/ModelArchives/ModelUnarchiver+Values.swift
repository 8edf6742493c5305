import Foundation
import ManagedModel

extension ModelUnarchiver {
  /// A value of the attribute's type as text, any other object as an archive of its own.
  func defaultValue(
    of object: ArchivedObject, type: AttributeType
  ) throws(ArchiveFlaw) -> DefaultValue? {
    let value = object["NSDefaultValue"]
    if case .null = value { return nil }
    if case .data(let data) = value, !budget.spend(data.count) {
      throw ArchiveFlaw("its default values expand without limit")
    }
    if let text = text(value, as: type) { return .text(text) }
    guard let node = object.fields["NSDefaultValue"], case .reference(let reference) = archive.list[node]
    else {
      return nil
    }
    var builder = KeyedArchiveBuilder()
    guard case .reference(let root) = builder.embed(reference, of: archive, budget: budget) else {
      return nil
    }
    return .archived(builder.data(root: root))
  }

  /// The rules that Core Data's compiler makes predicates of; other predicates stay predicates.
  func validation(
    of object: ArchivedObject, type: AttributeType
  ) throws(ArchiveFlaw) -> AttributeValidation {
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
    switch (warning, kind, subject) {
    case (.numberTooSmall, .greaterThanOrEqualTo?, .evaluatedObject) where rules.minimum == nil:
      rules.minimum = text(constant, as: attributeType)
      return rules.minimum != nil
    case (.numberTooLarge, .lessThanOrEqualTo?, .evaluatedObject) where rules.maximum == nil:
      rules.maximum = text(constant, as: attributeType)
      return rules.maximum != nil
    case (.dateTooSoon, .greaterThanOrEqualTo?, secondsOfDate) where rules.minimum == nil:
      rules.minimum = dateText(constant)
      return rules.minimum != nil
    case (.dateTooLate, .lessThanOrEqualTo?, secondsOfDate) where rules.maximum == nil:
      rules.maximum = dateText(constant)
      return rules.maximum != nil
    case (.stringTooShort, .greaterThanOrEqualTo?, lengthOfText) where rules.minimumLength == nil:
      rules.minimumLength = length
      return length != nil
    case (.stringTooLong, .lessThanOrEqualTo?, lengthOfText) where rules.maximumLength == nil:
      rules.maximumLength = length
      return length != nil
    case (.stringPatternMatching, .matches?, .evaluatedObject) where rules.regularExpression == nil:
      rules.regularExpression = constant.string
      return rules.regularExpression != nil
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

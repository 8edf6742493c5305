import Foundation
package import GRDB
package import ManagedModel

extension CheckedColumn {
  /// Checks of an attribute's validation rules: bounds, lengths, patterns, predicates.
  func ruleChecks(in store: VerifiedStore, db: Database) -> [RowCheck] {
    boundChecks + textChecks(db)
      + attribute.validation.predicates.compactMap { rule in
        // SQL cannot check every predicate; `uncheckedRules` reports the others.
        condition(of: rule, in: store).map {
          check(
            "\(value) IS NOT NULL AND NOT (\($0))", rule: String(rule.predicate.prefix(80)), .ruleBroken,
            "against the rule '\(rule.predicate)'", 1550)
        }
      }
  }

  /// Least and greatest numbers and dates.
  private var boundChecks: [RowCheck] {
    guard attribute.type.isNumeric || attribute.type == .date else { return [] }
    let (isDate, rules) = (attribute.type == .date, attribute.validation)
    // Values of another type are found as such.
    let isNumber = "\(value) < ''"
    var checks: [RowCheck] = []
    if let text = rules.minimum, let least = bound(text, min) {
      checks.append(
        check(
          "\(isNumber) AND \(value) < \(least)", rule: "min: \(text)",
          isDate ? .dateTooSoon : .numberTooSmall,
          isDate ? "earlier than the model allows" : "less than the model allows", isDate ? 1640 : 1620))
    }
    if let text = rules.maximum, let greatest = bound(text, max) {
      checks.append(
        check(
          "\(isNumber) AND \(value) > \(greatest)", rule: "max: \(text)",
          isDate ? .dateTooLate : .numberTooLarge,
          isDate ? "later than the model allows" : "greater than the model allows", isDate ? 1630 : 1610))
    }
    return checks
  }

  /// A bound as SQL has it in the place of a stored value; nil if it is not a value of the type.
  ///
  /// - Parameter wider: the wider of two bounds. Of a float Core Data may hold 0.1 against the bound 0.1 of a model as a
  ///   float or as a double, and stores hold both: only what is beyond either of them is wrong.
  private func bound(_ text: String, _ wider: (Double, Double) -> Double) -> String? {
    let type = attribute.type
    if type.isInteger, let integer = Int64(text) { return StoredCell.integer(integer).sql }
    switch AttributeValue(parsing: text, as: type == .date ? .date : .double) {
    case .date(let seconds)?: return StoredCell.real(seconds).sql
    case .double(let number)?:
      return StoredCell.real(type == .float ? wider(number, Double(Float(number))) : number).sql
    default: return nil
    }
  }

  /// Lengths and patterns of texts.
  private func textChecks(_ db: Database) -> [RowCheck] {
    let (reference, rules) = (reference, attribute.validation)
    guard attribute.type == .string else { return [] }
    let isText = "typeof(\(value)) = 'text'"
    let length = "modelc_utf16_length(CAST(\(value) AS BLOB))"
    var checks: [RowCheck] = []
    if rules.minimumLength != nil || rules.maximumLength != nil { db.registerTextLength() }
    if let least = rules.minimumLength, least > 0 {
      checks.append(
        check(
          "\(isText) AND \(length) < \(least)", rule: "minLength: \(least)", .textTooShort,
          "shorter than the model allows", 1670))
    }
    if let most = rules.maximumLength, most >= 0 {
      checks.append(
        check(
          "\(isText) AND \(length) > \(most)", rule: "maxLength: \(most)", .textTooLong,
          "longer than the model allows", 1660))
    }
    if let pattern = rules.regularExpression, let registered = RegisteredPattern(pattern, db) {
      checks.append(
        check(
          "\(isText) AND NOT \(registered.function)(\(value))", rule: "matching: \(pattern.prefix(80))"
        ) { .patternMissed(reference, pattern, isSlow: registered.isSlow, $0) })
    }
    return checks
  }

  fileprivate func condition(of rule: ValidationPredicate, in store: VerifiedStore) -> String? {
    compileValidation(
      rule.predicate, value: SQLValue(sql: value, type: attribute.type), ofEntity: reference.entity,
      schema: store.schema, hierarchy: store.hierarchy)
  }

  private func check(
    _ condition: String, rule: String, _ code: Diagnostic.Code, _ how: String, _ cocoaCode: Int
  ) -> RowCheck {
    let reference = reference
    return check(condition, rule: rule) {
      .values(
        code, of: reference, $0, "is \(how)", help: [Diagnostic.valuesMending], cocoaCode: cocoaCode)
    }
  }
}

/// A rule of an attribute, and which rows break it.
package struct BrokenRule {
  /// The code with which a store is said to break it.
  package var code: Diagnostic.Code
  /// As the model's file says it.
  package var rule: String
  package var cocoaCode: Int?
  package var condition: SQLCondition
}

extension StoredLeaf {
  /// The rules of an attribute for a value that is not a column yet: what a migration makes of one.
  ///
  /// - Parameters:
  ///   - value: SQL over the rows that are there.
  ///   - past: the attribute that the value comes from, and its value. Who breaks the old rule of a kind already is no matter
  ///     of the new one.
  package func brokenRules(
    _ reference: PropertyReference, value: String, past: (leaf: StoredLeaf, value: String)?,
    in store: VerifiedStore, db: Database
  ) -> [BrokenRule] {
    let old = past.map {
      CheckedColumn(reference: reference, leaf: $0.leaf, value: $0.value).ruleChecks(in: store, db: db)
    }
    return CheckedColumn(reference: reference, leaf: self, value: value).ruleChecks(in: store, db: db)
      .compactMap { check in
        let finding = check.diagnostic(1)
        let code = finding.code
        let former = old?.first {
          $0.diagnostic(1).code == code && (code != .ruleBroken || $0.rule == check.rule)
        }
        if former?.condition == check.condition { return nil }
        let isNew = former.map { "(\(check.condition)) AND (\($0.condition)) IS NOT TRUE" }
        return BrokenRule(
          code: code, rule: check.rule, cocoaCode: finding.cocoaCode,
          condition: .satisfies(isNew ?? check.condition))
      }
  }
}

extension VerifiedStore {
  /// Rules that only the app's own code can check. That nothing is found about them means nothing.
  var uncheckedRules: [Verification.Finding] {
    leaves.sorted { ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property) }.flatMap {
      reference, leaf in
      let column = CheckedColumn(reference: reference, leaf: leaf, value: "t.x")
      return leaf.attribute.validation.predicates.filter { column.condition(of: $0, in: self) == nil }.map {
        Verification.Finding(
          Diagnostic(
            .ruleBroken, .information,
            "the rule '\($0.predicate)' of '\(reference.path)' cannot be expressed in SQL and was not checked "
              + "against the store", subject: ModelSubject(reference),
            help: ["let the app validate these objects"]))
      }
    }
  }
}

extension Diagnostic.Code {
  package static let ruleBroken = Self("MC6117")
  package static let numberTooLarge = Self("MC6107")
  package static let numberTooSmall = Self("MC6108")
  package static let dateTooLate = Self("MC6109")
  package static let dateTooSoon = Self("MC6110")
  package static let textTooLong = Self("MC6112")
  package static let textTooShort = Self("MC6113")
  package static let patternMissed = Self("MC6114")
}

extension Diagnostic {
  /// - Parameter isSlow: whether the pattern was given up for some of the values.
  fileprivate static func patternMissed(
    _ property: PropertyReference, _ pattern: String, isSlow: Bool, _ count: Int
  ) -> Self {
    values(
      .patternMissed, of: property, count,
      "is not in the form that the model's pattern requires"
        + (isSlow ? ", or too long to match in a reasonable number of steps" : ""),
      notes: ["the pattern is '\(pattern.prefix(80))'"]
        + (isSlow ? ["matching was stopped: each character of a text multiplies the steps"] : []),
      help: (isSlow ? ["write the pattern without repetitions within repetitions, such as '(a+)+'"] : [])
        + [valuesMending], cocoaCode: 1680)
  }
}

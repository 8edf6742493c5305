import ManagedModel

/// Predicates as `NSPredicate`'s classes archive them.
///
/// Genuine archives show comparisons by `<=`, `>=`, `==`, `MATCHES`, `IN` and `CONTAINS`, and compounds. Where none
/// shows an operator's class or keys, they follow the pattern of those and the names of the public API, and a comment
/// says that they are our choice.
extension KeyedArchiveBuilder {
  mutating func archived(_ predicate: Predicate) -> PropertyListValue {
    switch predicate {
    // Our choice: no genuine archive at hand holds one.
    case .constant(let value): return object(value ? "NSTruePredicate" : "NSFalsePredicate", [])
    case .comparison(let comparison):
      if let kept = kept(comparison) { return kept }
      // `NONE` has no modifier of its own: it is the negation of `ANY`.
      guard comparison.modifier == .none else { return archived(comparison) }
      var any = comparison
      any.modifier = .any
      return compound(.not, [archived(any)])
    case .not(let operand): return compound(.not, [archived(operand)])
    case .and(let operands): return compound(.and, archived(operands))
    case .or(let operands): return compound(.or, archived(operands))
    }
  }

  private mutating func archived(_ operands: [Predicate]) -> [PropertyListValue] {
    operands.map { archived($0) }
  }

  private mutating func compound(
    _ type: ArchivedCompound, _ operands: [PropertyListValue]
  ) -> PropertyListValue {
    object(
      "NSCompoundPredicate",
      [
        .init("NSCompoundPredicateType", .integer(type.rawValue)),
        .init("NSSubpredicates", collection("NSArray", operands)),
      ])
  }

  private mutating func archived(_ comparison: ComparisonPredicate) -> PropertyListValue {
    let right = archived(comparison.right)
    return self.comparison(archived(comparison.left), right, as: comparison)
  }

  /// A comparison of archived expressions.
  ///
  /// - Parameter comparison: says how they compare; its own sides do not count.
  mutating func comparison(
    _ left: PropertyListValue, _ right: PropertyListValue, as comparison: ComparisonPredicate
  ) -> PropertyListValue {
    let archivedOperator = archivedOperator(of: comparison)
    let reference = reserve()
    begin()
    put(.rightExpression, right)
    put(.leftExpression, left)
    put(.predicateOperator, archivedOperator)
    end(reference, as: "NSComparisonPredicate")
    return .reference(reference)
  }

  private mutating func archivedOperator(of comparison: ComparisonPredicate) -> PropertyListValue {
    let type = comparison.operator.archivedType
    let options = PropertyListValue.integer(Int64(comparison.options.rawValue))
    let common: [PropertyListValue.Entry] = [
      .init("NSModifier", .integer(comparison.modifier.archivedNumber)),
      .init("NSOperatorType", .integer(type)),
    ]
    switch comparison.operator {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      return object(
        "NSComparisonPredicateOperator",
        common + [.init("NSVariant", .integer(type)), .init("NSOptions", options)])
    case .equalTo, .notEqualTo:
      let isNegated = comparison.operator == .notEqualTo
      return object(
        "NSEqualityPredicateOperator",
        common + [.init("NSNegate", .boolean(isNegated)), .init("NSOptions", options)])
    case .in, .contains: return object("NSInPredicateOperator", common + [.init("NSFlags", options)])
    case .matches: return object("NSMatchingPredicateOperator", common + [.init("NSFlags", options)])
    // Our choices from here on.
    case .like: return object("NSLikePredicateOperator", common + [.init("NSFlags", options)])
    case .beginsWith, .endsWith:
      let position: Int64 = comparison.operator == .beginsWith ? 0 : 1
      return object(
        "NSSubstringPredicateOperator",
        common + [.init("NSFlags", options), .init("NSPosition", .integer(position))])
    case .between: return object("NSBetweenPredicateOperator", common + [.init("NSFlags", options)])
    case .utiConformsTo, .utiEquals:
      let selector = string(comparison.operator.rawValue + ":")
      return object(
        "NSCustomPredicateOperator", common + [.init("NSFlags", options), .init("NSSelectorName", selector)])
    }
  }

  /// A predicate of a class that no text can say, as it came in.
  private mutating func kept(_ comparison: ComparisonPredicate) -> PropertyListValue? {
    guard comparison == ComparisonPredicate(comparison.left, .equalTo, .constant(.boolean(true))),
      let archive = KeptObject(comparison.left)?.archive,
      archive.root?.className.hasSuffix("Predicate") == true
    else { return nil }
    return embed(archive.rootReference, of: archive, budget: WorkBudget(.max))
  }
}

/// Raw values of `NSCompoundPredicate.LogicalType`.
enum ArchivedCompound: Int64 { case not, and, or }

extension ComparisonPredicate.Operator {
  /// Raw values of `NSComparisonPredicate.Operator`; 11 is its custom selector.
  var archivedType: Int64 {
    switch self {
    case .lessThan: 0
    case .lessThanOrEqualTo: 1
    case .greaterThan: 2
    case .greaterThanOrEqualTo: 3
    case .equalTo: 4
    case .notEqualTo: 5
    case .matches: 6
    case .like: 7
    case .beginsWith: 8
    case .endsWith: 9
    case .in: 10
    case .utiConformsTo, .utiEquals: 11
    case .contains: 99
    case .between: 100
    }
  }
}

extension ComparisonPredicate.Modifier {
  /// Raw values of `NSComparisonPredicate.Modifier`; there is none for `NONE`.
  var archivedNumber: Int64 {
    switch self {
    case .direct: 0
    case .all: 1
    case .any, .none: 2
    }
  }
}

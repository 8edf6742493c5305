/// A condition over an object, as `NSPredicate` and its compound and comparison kinds hold it.
///
/// A plain value: equal where the structure is equal. ``parsePredicate(_:at:)`` reads the text of one,
/// ``predicateFormat`` prints it.
package indirect enum Predicate: Hashable, Sendable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(ComparisonPredicate)
  case not(Predicate)
  /// Two or more; none at all is true, as for `NSCompoundPredicate`.
  case and([Predicate])
  /// Two or more; none at all is false, as for `NSCompoundPredicate`.
  case or([Predicate])
}

/// Two expressions and how they compare, as `NSComparisonPredicate` holds them.
///
/// A bare key that stands for a condition (`hidden`) is the comparison `hidden == TRUE`.
package struct ComparisonPredicate: Hashable, Sendable {
  package var left: Expression
  package var `operator`: Operator
  package var right: Expression
  package var modifier: Modifier
  package var options: Options

  package init(
    _ left: Expression, _ operator: Operator, _ right: Expression, modifier: Modifier = .direct,
    options: Options = []
  ) {
    self.left = left
    self.operator = `operator`
    self.right = right
    self.modifier = modifier
    self.options = options
  }

  /// How the two sides compare. Raw values are the canonical spellings.
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case lessThan = "<"
    case lessThanOrEqualTo = "<="
    case greaterThan = ">"
    case greaterThanOrEqualTo = ">="
    case equalTo = "=="
    case notEqualTo = "!="
    /// The whole string against an ICU regular expression.
    case matches = "MATCHES"
    /// `?` stands for one character, `*` for any number.
    case like = "LIKE"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    /// The left side is an element of the right.
    case `in` = "IN"
    /// The right side is an element, or a part, of the left.
    case contains = "CONTAINS"
    /// Both bounds are included.
    case between = "BETWEEN"
    case utiConformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
  }

  /// Which elements of a to-many left side must satisfy the comparison.
  package enum Modifier: String, Hashable, Sendable, CaseIterable {
    /// The left side is one value.
    case direct = ""
    /// At least one; `SOME` is the same.
    case any = "ANY"
    /// All elements; true for none.
    case all = "ALL"
    /// No element; true for none.
    case none = "NONE"
  }

  /// How strings compare; none means character by character.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    /// Byte by byte: the strings are known to be normalized, so that an index can serve.
    package static let normalized = Options(rawValue: 4)
    /// In the order of the user's locale.
    package static let localeSensitive = Options(rawValue: 8)

    /// Each option with the letter that stands for it in brackets, in canonical order.
    static let letters: [(letter: Unicode.Scalar, option: Options)] = [
      ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]
  }
}

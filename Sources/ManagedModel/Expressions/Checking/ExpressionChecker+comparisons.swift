import Foundation

extension ExpressionChecker {
  mutating func check(_ predicate: Predicate, _ scope: Scope) {
    for (comparison, isNegated) in predicate.signedComparisons() { check(comparison, isNegated, scope) }
  }

  private mutating func check(_ comparison: ComparisonPredicate, _ isNegated: Bool, _ scope: Scope) {
    var left = type(of: comparison.left, scope)
    let right = type(of: comparison.right, scope)
    if comparison.modifier != .direct {
      left = left.element
    } else if mode == .store || mapping != nil {
      checkToMany(comparison, left, right)
    }
    checkTypes(comparison, left, right)
    if comparison.operator == .matches, case .constant(.string(let pattern)) = comparison.right,
      !PatternCache.isPattern(pattern)
    {
      found.append(
        .noPattern, .error, "the right side of 'MATCHES' is not a regular expression",
        notes: [
          .init("in '\(comparison.predicateFormat)'"), "Core Data raises an exception when it evaluates it",
        ], help: ["close its brackets, and write '\\\\(' for a literal parenthesis"])
    }
    if mode == .store {
      checkNil(comparison, isNegated, scope)
      for side in [comparison.left, comparison.right] { checkExternalStorage(side, comparison, scope) }
    }
  }

  /// One value must stand on each side, unless the operator asks for many.
  private mutating func checkToMany(
    _ comparison: ComparisonPredicate, _ left: ExpressionType, _ right: ExpressionType
  ) {
    // What is no key path is a list itself.
    if left.isCollection, comparison.operator != .contains, case .keyPath = comparison.left {
      found.append(.bareToMany(comparison.left, comparison))
    }
    if right.isCollection, comparison.operator != .in, comparison.operator != .between,
      case .keyPath = comparison.right
    {
      found.append(.bareToMany(comparison.right, comparison))
    }
  }

  private mutating func checkTypes(
    _ comparison: ComparisonPredicate, _ left: ExpressionType, _ right: ExpressionType
  ) {
    var isComparable: Bool
    switch comparison.operator {
    case .matches, .like, .beginsWith, .endsWith, .utiConformsTo, .utiEquals:
      isComparable = left.element.isComparable(with: .string) && right.isComparable(with: .string)
    case .contains where left.isCollection: isComparable = left.element.isComparable(with: right.element)
    case .contains: isComparable = left.isComparable(with: .string) && right.isComparable(with: .string)
    case .in, .between:
      isComparable = left.element.isComparable(with: right.element) && (right.isCollection || !right.isScalar)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      isComparable = left.element.isComparable(with: right.element) && left.isOrdered && right.isOrdered
    case .equalTo, .notEqualTo: isComparable = left.element.isComparable(with: right.element)
    }
    // Keys of objects of two tables may be equal by chance.
    if case .object(let one) = left.element, case .object(let other) = right.element,
      hierarchy.rootName(of: one) != hierarchy.rootName(of: other)
    {
      isComparable = false
    }
    if isComparable { return }
    found.append(
      .comparedTypes, .error,
      "'\(comparison.operator.rawValue)' cannot compare \(left.label) with \(right.label)",
      notes: [.init("in '\(comparison.predicateFormat)'")],
      help: left.element == .date && (right == .number || right == .string)
        ? [
          "a date is written 'CAST(seconds, \"NSDate\")', in seconds since 2001-01-01 00:00 UTC; a query also "
            + "takes 'CAST(\"2024-05-01T12:00:00Z\", \"NSDate\")'"
        ] : [])
  }

  /// In SQL a comparison with NULL is neither true nor false, so `!=`, and `NOT` of others, drop the rows without a value.
  private mutating func checkNil(_ comparison: ComparisonPredicate, _ isNegated: Bool, _ scope: Scope) {
    guard isNegated != (comparison.operator == .notEqualTo), comparison.modifier == .direct,
      comparison.left != .constant(.null), comparison.right != .constant(.null)
    else { return }
    for side in [comparison.left, comparison.right] {
      guard case .keyPath(let keys, let base) = side, !scope.keysComparedWithNil.contains(side),
        let owner = entityName(of: base, scope), let optional = optionalProperty(along: keys, of: owner)
      else { continue }
      let text = comparison.predicateFormat
      let (wider, narrower) = ("(\(text) OR \(side) == nil)", "\(text) AND \(side) != nil")
      found.append(
        .dropsMissingValues, .warning,
        "'\(text)'\(isNegated ? " under NOT" : "") also drops rows where '\(side)' is nil",
        notes: [.init("'\(optional)' is optional")],
        help: [
          "to keep those rows: '\(isNegated ? "(\(narrower))" : wider)'",
          "to drop them on purpose: '\(isNegated ? wider : narrower)'",
        ])
    }
  }

  /// The entity of the object that a key path begins at, where it is known.
  private func entityName(of base: Expression?, _ scope: Scope) -> String? {
    switch base {
    case nil, .evaluatedObject: return scope.entityName
    case .variable(let name):
      if case .object(let entity)? = scope.variables[name] { return entity }
      return nil
    default: return nil
    }
  }

  /// The first property on the path that may have no value; nil if absent.
  private func optionalProperty(along keys: [String], of entityName: String) -> String? {
    var owner = entityName
    for key in keys {
      if let attribute = hierarchy.attribute(named: key, of: owner) {
        return attribute.isOptional ? "\(owner).\(key)" : nil
      }
      guard let relationship = hierarchy.relationship(named: key, of: owner), !relationship.isToMany else {
        return nil
      }
      if relationship.isOptional { return "\(owner).\(key)" }
      owner = relationship.destinationEntityName
    }
    return nil
  }

  /// A value beside the store's file cannot be searched; whether there is one can.
  private mutating func checkExternalStorage(
    _ side: Expression, _ comparison: ComparisonPredicate, _ scope: Scope
  ) {
    guard comparison.left != .constant(.null), comparison.right != .constant(.null),
      case .keyPath(var keys, let base) = side, let name = keys.popLast(),
      var owner = entityName(of: base, scope)
    else { return }
    for key in keys {
      guard let relationship = hierarchy.relationship(named: key, of: owner) else { return }
      owner = relationship.destinationEntityName
    }
    if hierarchy.attribute(named: name, of: owner)?.allowsExternalBinaryDataStorage == true {
      found.append(
        .searchesExternalStorage, .error,
        "'\(owner).\(name)' may be stored outside the store's file, where predicates cannot see it",
        help: ["compare it with nil only, or search by another attribute"])
    }
  }
}

extension ExpressionType {
  /// Whether it is surely one value that holds no others.
  fileprivate var isScalar: Bool {
    switch self {
    // `'a' IN name` asks for a part of a string.
    case .unknown, .null, .collection, .string: false
    default: true
    }
  }

  fileprivate var isOrdered: Bool {
    switch element {
    case .object, .destinationObject, .composite: false
    default: true
    }
  }
}

extension Diagnostic.Code {
  package static let bareToManyKey = Self(
    "MC1602", accepted: .init("fetch requests that sort or filter by a to-many key path", "kept as they are"))
  package static let dropsMissingValues = Self("MC1604")
  package static let noPattern = Self(
    "MC1113", accepted: .init("fetch requests with patterns that do not compile", "fetches with them fail"))
  package static let searchesExternalStorage = Self(
    "MC1606", accepted: .init("fetch requests that search external data", "kept as they are"))
}

extension Diagnostic {
  fileprivate static func bareToMany(_ path: Expression, _ comparison: ComparisonPredicate) -> Self {
    var help = ["ask for any of them: 'ANY \(comparison.predicateFormat)'"]
    if comparison.right == .constant(.null) {
      let sign = comparison.operator == .equalTo ? "==" : ">"
      help = ["ask how many there are: '\(path).@count \(sign) 0'"]
    } else if path == comparison.right {
      help = ["swap the two sides and use ANY, or use IN"]
    }
    return Self(
      .bareToManyKey, .error, "'\(path)' is a to-many key path where one value is expected", help: help)
  }
}

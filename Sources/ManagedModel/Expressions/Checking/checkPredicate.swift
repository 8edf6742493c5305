/// How a predicate or expression is carried out.
package enum EvaluationMode: Hashable, Sendable {
  /// By SQL over the store: fetch requests, templates, fetched properties, source filters, partial indexes.
  case store
  /// Object by object, by key-value coding: mappings' value expressions, validation.
  case memory
}

/// Checks a predicate against the entity whose objects it is for.
///
/// - Parameters:
///   - variables: the entity of each variable that stands for an object, such as `source`.
///   - place: where the predicate stands; every finding is given there.
/// - Returns: MC1601 (unknown key path), MC1602 (a to-many key where one value must stand), MC1603 (a property
///   that has no column), MC1604 (`!=` drops rows without a value), MC1605 (types that do not compare), MC1606
///   (a value that may lie outside the store). In memory only MC1601 and MC1605 apply.
package func checkPredicate(
  _ predicate: Predicate, forEntity entityName: String, in hierarchy: EntityHierarchy,
  mode: EvaluationMode = .store, variables: [String: String] = [:], subject: ModelSubject? = nil,
  at place: SourceRange? = nil
) -> [Diagnostic] {
  var checker = ExpressionChecker(hierarchy: hierarchy, mode: mode)
  var scope = ExpressionChecker.Scope(
    entityName: entityName, variables: variables.mapValues { .object(entityName: $0) })
  if checker.requireEntity(entityName) {
    // Where `key == nil` or `key != nil` stands anywhere in it, the author has thought of nil.
    scope.keysComparedWithNil = Set(
      predicate.comparisons.compactMap {
        $0.right == .constant(.null) ? $0.left : $0.left == .constant(.null) ? $0.right : nil
      })
    checker.check(predicate, scope)
  }
  return checker.findings(subject, place)
}

/// Finds the type of an expression's value, and what is wrong in it; see
/// ``checkPredicate(_:forEntity:in:mode:variables:subject:at:)``.
package func checkExpression(
  _ expression: Expression, forEntity entityName: String, in hierarchy: EntityHierarchy,
  mode: EvaluationMode = .memory, variables: [String: String] = [:], subject: ModelSubject? = nil,
  at place: SourceRange? = nil
) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
  var checker = ExpressionChecker(hierarchy: hierarchy, mode: mode)
  guard checker.requireEntity(entityName) else { return (.unknown, checker.findings(subject, place)) }
  let scope = ExpressionChecker.Scope(
    entityName: entityName, variables: variables.mapValues { .object(entityName: $0) })
  let type = checker.type(of: expression, scope)
  return (type, checker.findings(subject, place))
}

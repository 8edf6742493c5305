import ManagedModel

extension ExpressionUnarchiver {
  /// Nil if the class, or what it holds, has no text.
  func readPredicate(_ object: ArchivedObject) throws(ArchiveFlaw) -> Predicate? {
    switch object.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate": return try compound(object)
    case "NSComparisonPredicate":
      let comparison = try comparison(object)
      return comparison.map { .comparison($0) }
    default: return nil
    }
  }

  private func compound(_ object: ArchivedObject) throws(ArchiveFlaw) -> Predicate? {
    var parts: [Predicate] = []
    for element in object.elements("NSSubpredicates") {
      guard let part = element.object else { return nil }
      parts.append(try predicate(part))
    }
    switch ArchivedCompound(rawValue: object.integer("NSCompoundPredicateType") ?? -1) {
    case .not?: return parts.count == 1 ? .not(parts[0]) : nil
    case .and?: return .and(parts)
    case .or?: return .or(parts)
    case nil: return nil
    }
  }

  private func comparison(_ object: ArchivedObject) throws(ArchiveFlaw) -> ComparisonPredicate? {
    guard let archived = object.object("NSPredicateOperator"), let type = comparisonOperator(archived),
      let modifier = modifier(archived)
    else { return nil }
    let bits = archived.integer("NSFlags") ?? archived.integer("NSOptions") ?? 0
    guard (0...15).contains(bits) else { return nil }
    return ComparisonPredicate(
      try expression(object["NSLeftExpression"]), type, try expression(object["NSRightExpression"]),
      modifier: modifier, options: ComparisonPredicate.Options(rawValue: Int(bits)))
  }

  private func comparisonOperator(_ object: ArchivedObject) -> ComparisonPredicate.Operator? {
    let type = object.integer("NSOperatorType") ?? -1
    let candidates = ComparisonPredicate.Operator.allCases.filter { $0.archivedType == type }
    // Equality says by a flag of its own which way it goes.
    if candidates == [.equalTo], object.flag("NSNegate") { return .notEqualTo }
    if candidates.count == 1 { return candidates[0] }
    return candidates.first { $0.rawValue + ":" == object.string("NSSelectorName") }
  }

  private func modifier(_ object: ArchivedObject) -> ComparisonPredicate.Modifier? {
    switch object.integer("NSModifier") ?? 0 {
    case 0: .direct
    case 1: .all
    case 2: .any
    default: nil
    }
  }
}

extension ModelIndex {
  /// The condition of a partial index parses and makes sense, and depends on nothing but the row itself (MC1504);
  /// so do indexed expressions.
  func checkPartialIndexes(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for fetchIndex in entity.fetchIndexes {
      let subject = ModelSubject(entity: entity.name, key: "fetchIndexes").part(fetchIndex.name)
      if let text = fetchIndex.partialIndexPredicate {
        findings += check(condition: text, fetchIndex.name, of: entity.name, subject.part("where"), self)
      }
      for (position, element) in fetchIndex.elements.enumerated() where element.isExpression {
        let part = subject.element(position).part("expression")
        findings += check(expression: element.property, fetchIndex.name, of: entity.name, part, self)
      }
    }
    return findings
  }
}

private func check(
  condition text: String, _ name: String, of entity: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  findings(inTextOf: subject, at: index.sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
    let predicate = try parsePredicate(text.trimmedText, at: place)
    let findings = checkPredicate(
      predicate, forEntity: entity, in: index.hierarchy, subject: subject, at: place)
    let reason = RowDependence(index.hierarchy, entity).reason(predicate)
    return findings + (reason.map { [.notOfTheRow(name, of: entity, $0, subject, place)] } ?? [])
  }
}

private func check(
  expression text: String, _ name: String, of entity: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  findings(inTextOf: subject, at: index.sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
    let expression = try parseExpression(text.trimmedText, at: place)
    let (_, findings) = checkExpression(
      expression, forEntity: entity, in: index.hierarchy, mode: .store, subject: subject, at: place)
    let reason = RowDependence(index.hierarchy, entity).reason(expression)
    return findings + (reason.map { [.notOfTheRow(name, of: entity, $0, subject, place)] } ?? [])
  }
}

/// Finds in an expression what an index cannot hold: what other rows, the caller or the time decide.
private struct RowDependence {
  private let hierarchy: EntityHierarchy
  private let entity: String

  init(_ hierarchy: EntityHierarchy, _ entity: String) {
    self.hierarchy = hierarchy
    self.entity = entity
  }

  /// The first reason; nil if absent.
  func reason(_ predicate: Predicate) -> String? {
    switch predicate {
    case .constant: return nil
    case .not(let operand): return reason(operand)
    case .and(let operands), .or(let operands): return operands.lazy.compactMap(reason).first
    case .comparison(let comparison): return reason(comparison.left) ?? reason(comparison.right)
    }
  }

  func reason(_ expression: Expression) -> String? {
    switch expression {
    case .constant, .evaluatedObject, .anyKey: return nil
    case .variable(let name): return "'$\(name)' is the caller's"
    case .keyPath(let keys, nil): return reason(keys)
    case .keyPath(_, let base?): return reason(base)
    case .function(let call):
      if call.receiver != nil { return "no store knows the method '\(call.selector)'" }
      if PredefinedFunction.named(call.selector)?.isDeterministic == false {
        return "'\(call.selector)' has another value each time"
      }
      return call.arguments.lazy.compactMap(reason).first
    case .subquery, .fetch: return "it asks for other rows"
    case .arithmetic(_, let left, let right), .set(_, let left, let right):
      return reason(left) ?? reason(right)
    case .negation(let operand), .assignment(_, let operand), .cast(let operand, _): return reason(operand)
    case .index(let base, _): return reason(base)
    case .conditional(let condition, let value, let otherwise):
      return reason(condition) ?? reason(value) ?? reason(otherwise)
    case .aggregate(let elements): return elements.lazy.compactMap(reason).first
    }
  }

  private func reason(_ keys: [String]) -> String? {
    guard keys.count > 1, let first = keys.first,
      hierarchy.relationship(named: first, of: entity) != nil
    else { return nil }
    return "'\(keys.joined(separator: "."))' is in other rows"
  }
}

extension Diagnostic.Code {
  package static let indexOfOtherRows = Self(
    "MC1504", accepted: .init("indexes that depend on other rows", "kept as they are"))
}

extension Diagnostic {
  fileprivate static func notOfTheRow(
    _ index: String, of entity: String, _ reason: String, _ subject: ModelSubject, _ place: SourceRange?
  ) -> Diagnostic {
    Diagnostic(
      .indexOfOtherRows, .error, "index '\(index)' of '\(entity)' depends on more than its row: \(reason)",
      subject: subject, place: place,
      notes: ["SQLite refuses to create such an index, and with it the store"],
      help: ["compare the entity's own attributes with constants"])
  }
}

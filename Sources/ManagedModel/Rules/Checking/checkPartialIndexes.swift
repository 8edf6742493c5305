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
    let dependence = RowDependence(hierarchy: index.hierarchy, entity: entity)
    let reason = predicate.sides.lazy.compactMap(dependence.reason).first
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
    let reason = RowDependence(hierarchy: index.hierarchy, entity: entity).reason(expression)
    return findings + (reason.map { [.notOfTheRow(name, of: entity, $0, subject, place)] } ?? [])
  }
}

/// Finds in an expression what an index cannot hold: what other rows, the caller or the time decide.
private struct RowDependence {
  let hierarchy: EntityHierarchy
  let entity: String

  /// The first reason; nil if absent.
  func reason(_ expression: Expression) -> String? {
    switch expression {
    case .variable(let name): return "'$\(name)' is a variable of the caller"
    case .keyPath(let keys, nil):
      let isElsewhere = keys.count > 1 && hierarchy.relationship(named: keys[0], of: entity) != nil
      return isElsewhere ? "'\(keys.joined(separator: "."))' is in other rows" : nil
    case .function(let call) where call.receiver != nil:
      return "no store knows the method '\(call.selector)'"
    case .function(let call) where PredefinedFunction.named(call.selector)?.isDeterministic == false:
      return "'\(call.selector)' gives a different value each time"
    case .subquery, .fetch: return "it reads other rows"
    case .index(let base, _): return reason(base)
    default: return expression.parts.lazy.compactMap(reason).first
    }
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

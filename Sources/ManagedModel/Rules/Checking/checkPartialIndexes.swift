extension ModelIndex {
  /// The condition of a partial index parses and makes sense, and depends on nothing but the row itself (MC1504);
  /// so do indexed expressions.
  func checkPartialIndexes(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for fetchIndex in entity.fetchIndexes {
      let subject = ModelSubject(entity: entity.name, key: "fetchIndexes").part(fetchIndex.name)
      if let text = fetchIndex.partialIndexPredicate {
        let part = subject.part("where")
        findings += checkRow(fetchIndex.name, entity.name, part) { place throws(DiagnosticsError) in
          let predicate = try parsePredicate(text.trimmedText, at: place)
          let findings = checkPredicate(
            predicate, forEntity: entity.name, in: hierarchy, subject: part, at: place)
          return (predicate.sides, findings)
        }
      }
      for (position, element) in fetchIndex.elements.enumerated() where element.isExpression {
        let part = subject.element(position).part("expression")
        findings += checkRow(fetchIndex.name, entity.name, part) { place throws(DiagnosticsError) in
          let expression = try parseExpression(element.property.trimmedText, at: place)
          let (_, findings) = checkExpression(
            expression, forEntity: entity.name, in: hierarchy, mode: .store, subject: part, at: place)
          return ([expression], findings)
        }
      }
    }
    return findings
  }

  private func checkRow(
    _ name: String, _ entity: String, _ subject: ModelSubject,
    _ read: (SourceRange?) throws(DiagnosticsError) -> ([Expression], [Diagnostic])
  ) -> [Diagnostic] {
    findings(inTextOf: subject, at: sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
      let (expressions, findings) = try read(place)
      let reason = expressions.lazy.compactMap { otherThanRow(in: $0, of: entity) }.first
      guard let reason else { return findings }
      return findings + [
        Diagnostic(
          .indexOfOtherRows, .error, "index '\(name)' of '\(entity)' depends on more than its row: \(reason)",
          subject: subject, place: place,
          notes: ["SQLite refuses to create such an index, so no store can be created"],
          help: ["compare the entity's own attributes with constants"])
      ]
    }
  }

  /// The first thing in an expression that an index cannot hold: what other rows, the caller or the time decide.
  private func otherThanRow(in expression: Expression, of entity: String) -> String? {
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
    case .index(let base, _): return otherThanRow(in: base, of: entity)
    default: return expression.parts.lazy.compactMap { otherThanRow(in: $0, of: entity) }.first
    }
  }
}

extension Diagnostic.Code {
  package static let indexOfOtherRows = Self(
    "MC1504", accepted: .init("indexes that depend on other rows", "kept as they are"))
}

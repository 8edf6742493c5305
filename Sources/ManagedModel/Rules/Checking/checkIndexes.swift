extension ModelIndex {
  /// Indexes name stored properties (MC1501), or the object's `entity`; R-trees numbers (MC1502); no two have one name
  /// (MC1112).
  ///
  /// An index on a to-many has no column to stand on; genuine models contain some, so it is a warning.
  func checkIndexes(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var names: Set<String> = []
    for fetchIndex in entity.fetchIndexes where !findings.isFull {
      if !names.insert(fetchIndex.name).inserted {
        findings.append(
          .duplicateIndex, .error, "'\(entity.name)' has two indexes named '\(fetchIndex.name.abridged)'",
          subject: ModelSubject(entity: entity.name, key: "fetchIndexes").part(fetchIndex.name),
          notes: ["SQLite allows one index per name"], help: ["rename one of the two"])
        continue
      }
      let subject = ModelSubject(entity: entity.name, key: "fetchIndexes").part(fetchIndex.name)
      if fetchIndex.elements.isEmpty {
        findings.append(
          .indexElement, .error, "index '\(fetchIndex.name)' of '\(entity.name)' has no elements",
          subject: subject)
      }
      for (position, element) in fetchIndex.elements.enumerated() where !element.isExpression {
        let part = subject.element(position)
        findings += check(element.property, of: entity, "index '\(fetchIndex.name)'", part, self)
        guard element.collation == .rtree else { continue }
        let what: String? =
          switch property(named: element.property, of: entity.name) {
          case .attribute(let attribute)? where !attribute.type.hasBounds:
            "'\(attribute.name)', which is \(attribute.type.name)"
          case .relationship(let relationship)?: "the relationship '\(relationship.name)'"
          default: nil
          }
        if let what {
          findings.append(
            .rtreeType, .error, "index '\(fetchIndex.name)' of '\(entity.name)' is an R-tree over \(what)",
            subject: part,
            edits: [ModelEdit("write 'binary'", at: part.part("kind"), .replace(with: .word("binary")))],
            help: ["an R-tree holds numbers; use kind: binary"])
        }
      }
    }
    for (number, names) in entity.compoundIndexes.enumerated() where !findings.isFull {
      let subject = ModelSubject(entity: entity.name, key: "compoundIndexes").element(number)
      for (position, name) in names.enumerated() {
        findings += check(name, of: entity, "a compound index", subject.element(position), self)
      }
    }
    return findings
  }

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
      return findings
        + [Diagnostic](
          .indexOfOtherRows, .error, "index '\(name)' of '\(entity)' depends on more than its row: \(reason)",
          subject: subject, place: place,
          notes: ["SQLite refuses to create such an index, so no store can be created"],
          help: ["compare the entity's own attributes with constants"])
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

private func check(
  _ name: String, of entity: EntityDescription, _ what: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  let path = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  func finding(_ severity: Diagnostic.Severity, _ problem: String, isUnknown: Bool = false) -> [Diagnostic] {
    let names = isUnknown ? index.allPropertyNames(of: entity.name) : []
    return [
      Diagnostic(
        .indexElement, severity, "\(what) of '\(entity.name)' names '\(name.abridged)', which \(problem)",
        subject: subject
      ).suggestingWord(nearestTo: name, among: names, at: subject)
    ]
  }
  switch index.property(named: path.first ?? name, of: entity.name) {
  case nil where name == FetchIndexElement.entityKey: return []
  case nil: return finding(.error, "does not exist", isUnknown: true)
  case .fetchedProperty: return finding(.error, "is a fetched property")
  case .relationship(let relationship):
    if path.count > 1 { return finding(.error, "does not exist") }
    if relationship.isTransient { return finding(.error, "is transient") }
    return relationship.isToMany ? finding(.warning, "is a to-many and has no column") : []
  case .attribute(let attribute):
    if attribute.isTransient { return finding(.error, "is transient") }
    guard path.count > 1, let element = path.last else { return [] }
    return index.hasElement(element, in: attribute) ? [] : finding(.error, "does not exist")
  }
}

extension Diagnostic.Code {
  package static let indexElement = Self(
    "MC1501", accepted: .init("indexes on properties that do not exist", "ignored"))
  package static let duplicateIndex = Self(
    "MC1112",
    accepted: .init("indexes of one entity with equal names", "a store has only the first"))
  package static let rtreeType = Self(
    "MC1502", accepted: .init("R-tree indexes on attributes that are not numbers", "kept as they are"))
  package static let indexOfOtherRows = Self(
    "MC1504", accepted: .init("indexes that depend on other rows", "kept as they are"))
}

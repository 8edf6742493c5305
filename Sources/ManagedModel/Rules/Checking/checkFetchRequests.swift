extension ModelIndex {
  /// Fetch requests and fetched properties ask for entities that exist (MC1601), by predicates and sort keys that
  /// parse (MC0101–MC0104) and that a store can carry out (MC1601–MC1606).
  func checkFetchRequests() -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for request in model.fetchRequestTemplates where !findings.isFull {
      let subject = ModelSubject(key: "fetchRequests").part(request.name)
      findings += check(request, "fetch request '\(request.name)'", subject, [:], self)
    }
    let entities = model.entities
    for place in entities.indices where !entities[place].fetchedProperties.isEmpty {
      let entity = entities[place]
      for property in entity.fetchedProperties where !findings.isFull {
        let subject = ModelSubject(entity: entity.name, property: property.name)
        // Core Data binds the object whose property is asked for.
        let variables = ["FETCH_SOURCE": entity.name]
        findings += check(
          property.fetchRequest, "'\(entity.name).\(property.name)'", subject, variables, self)
      }
    }
    return findings
  }
}

private func check(
  _ request: FetchRequestDescription, _ name: String, _ subject: ModelSubject, _ variables: [String: String],
  _ index: ModelIndex
) -> [Diagnostic] {
  guard index.hasEntity(named: request.entityName) else {
    // Its keys can mean nothing then, but its text can still be wrong.
    let unknown = Diagnostic(
      .unknownKeyPath, .error, "\(name) asks for '\(request.entityName.abridged)', which does not exist",
      subject: subject.part("entity")
    ).suggesting(nearestTo: request.entityName, among: index.entityNames)
    let predicate = subject.part("predicate")
    return (request.entityName.isEmpty && index.isAskedFor(subject.part("entity")) ? [] : [unknown])
      + (request.predicate.map { index.syntaxFindings(ofPredicate: $0, predicate) } ?? [])
  }
  var findings: [Diagnostic] = []
  if let text = request.predicate {
    findings += check(predicate: text, of: request.entityName, subject.part("predicate"), variables, index)
  }
  for (position, sort) in request.sortDescriptors.enumerated() {
    findings += check(
      sortKey: sort.keyPath, name, of: request.entityName, subject.part("sort").element(position), index)
  }
  return findings
}

private func check(
  predicate text: String, of entity: String, _ subject: ModelSubject, _ variables: [String: String],
  _ index: ModelIndex
) -> [Diagnostic] {
  findings(inTextOf: subject, at: index.sourceMap?.textRange(of: subject)) { place throws(DiagnosticsError) in
    let predicate = try parsePredicate(text.trimmedText, at: place)
    let findings = checkPredicate(
      predicate, forEntity: entity, in: index.hierarchy, variables: variables, subject: subject, at: place)
    guard predicate.asksOneOfMany else { return findings }
    return findings.map {
      $0.code == .bareToManyKey
        ? $0.fixed(by: ModelEdit("ask for any", at: subject, .prefix("ANY "))) : $0
    }
  }
}

private func check(
  sortKey text: String, _ name: String, of entity: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  // Only some sort keys are written as they are; `NAME desc` is not.
  findings(inTextOf: subject, at: index.sourceMap?[subject]) { place throws(DiagnosticsError) in
    let key = try parseExpression(
      text, at: place.map { SourceRange(file: $0.file, start: $0.start, end: $0.start) })
    let (type, findings) = checkExpression(
      key, forEntity: entity, in: index.hierarchy, mode: .store, subject: subject, at: place)
    if case .collection = type {
      return findings
        + [Diagnostic](
          .bareToManyKey, .error, "\(name) sorts by '\(text.abridged)', which is a to-many key path",
          subject: subject, help: ["sort by an attribute, or by one along to-one relationships"])
    }
    guard case .keyPath(let keys, nil) = key, keys.count == 1,
      index.hierarchy.attribute(named: keys[0], of: entity)?.allowsExternalBinaryDataStorage == true
    else { return findings }
    return findings
      + [Diagnostic](
        .searchesExternalStorage, .error,
        "\(name) sorts by '\(text.abridged)', which may be stored outside the store's file", subject: subject,
        help: ["sort by another attribute"])
  }
}

extension Predicate {
  /// Whether it is one comparison whose left side, a key path, may need `ANY` before it.
  fileprivate var asksOneOfMany: Bool {
    guard case .comparison(let comparison) = self, comparison.modifier == .direct,
      case .keyPath(_, nil) = comparison.left, comparison.right != .constant(.null)
    else { return false }
    if case .keyPath = comparison.right { return false }
    return true
  }
}

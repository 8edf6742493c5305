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
        findings.append(.duplicateIndex(fetchIndex.name, of: entity.name))
        continue
      }
      let subject = ModelSubject(entity: entity.name, key: "fetchIndexes").part(fetchIndex.name)
      if fetchIndex.elements.isEmpty {
        findings.append(.emptyIndex(fetchIndex.name, of: entity.name, subject))
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
        if let what { findings.append(.rtreeType(what, in: fetchIndex.name, of: entity.name, part)) }
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
}

private func check(
  _ name: String, of entity: EntityDescription, _ what: String, _ subject: ModelSubject, _ index: ModelIndex
) -> [Diagnostic] {
  let path = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  func finding(_ severity: Diagnostic.Severity, _ problem: String, isUnknown: Bool = false) -> [Diagnostic] {
    let names = isUnknown ? index.propertyNames(of: entity.name) : []
    return [.indexElement(name, what, of: entity.name, severity, problem, subject, among: names)]
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
}

extension Diagnostic {
  fileprivate static func emptyIndex(
    _ name: String, of entity: String, _ subject: ModelSubject
  ) -> Diagnostic {
    Diagnostic(.indexElement, .error, "index '\(name)' of '\(entity)' has no elements", subject: subject)
  }

  fileprivate static func duplicateIndex(_ name: String, of entity: String) -> Diagnostic {
    Diagnostic(
      .duplicateIndex, .error, "'\(entity)' has two indexes named '\(name.abridged)'",
      subject: ModelSubject(entity: entity, key: "fetchIndexes").part(name),
      notes: ["SQLite allows one index per name"], help: ["rename one of the two"])
  }

  fileprivate static func indexElement(
    _ name: String, _ what: String, of entity: String, _ severity: Severity, _ problem: String,
    _ subject: ModelSubject, among names: [String]
  ) -> Diagnostic {
    Diagnostic(
      .indexElement, severity, "\(what) of '\(entity)' names '\(name.abridged)', which \(problem)",
      subject: subject
    ).suggestingWord(nearestTo: name, among: names, at: subject)
  }

  fileprivate static func rtreeType(
    _ what: String, in index: String, of entity: String, _ subject: ModelSubject
  ) -> Diagnostic {
    Diagnostic(
      .rtreeType, .error,
      "index '\(index)' of '\(entity)' has an R-tree over \(what)",
      subject: subject, help: ["an R-tree holds numbers; use kind: binary"]
    ).fixed(by: ModelEdit("write 'binary'", at: subject.part("kind"), .replace(with: .word("binary"))))
  }
}

extension RelationshipDescription {
  /// Why a relationship's references cannot be carried over, judged by the two models alone.
  ///
  /// - Parameters:
  ///   - entity: the destination's entity that declares the relationship.
  ///   - pairs: destination entity → source entity.
  func checkChange(
    to new: RelationshipDescription, entity: String, pairs: [String: String], source: EntityHierarchy,
    destination: EntityHierarchy, version: String
  ) -> [Diagnostic] {
    let subject = ModelSubject(version: version, entity: entity, property: new.name)
    var found: [Diagnostic] = []
    if isToMany, !new.isToMany {
      found.append(
        .toManyBecomesToOne, .error,
        "'\(entity).\(new.name)' changes from to-many to to-one: nothing says which of several objects is kept",
        subject: subject,
        notes: ["in the older version '\(name)' may lead to several '\(destinationEntityName)'"],
        help: ["map the relationship yourself, or add a to-one with another name"],
        cocoaCode: 134190)
    } else if source.isShared(self), !destination.isShared(new), new.isToMany {
      let reason = new.inverseName.map { "its inverse '\($0)' is to-one" } ?? "it no longer has an inverse"
      found.append(
        .toManyBecomesToOne, .error,
        "'\(entity).\(new.name)' can no longer share its objects: several owners may refer to one object",
        subject: subject,
        notes: [
          "in the older version an object of '\(new.destinationEntityName)' may belong to several '\(entity)'",
          "from now on it belongs to one, because \(reason)",
        ],
        help: ["keep the inverse to-many, or map the relationship yourself"], cocoaCode: 134190)
    }
    if destination.inverse(of: new) == new, source.inverse(of: self) != self,
      new.destinationEntityName == entity || destination.isKind(entity, of: new.destinationEntityName)
    {
      found.append(
        .relationshipBecomesOwnInverse, .error,
        "'\(entity).\(new.name)' becomes its own inverse: its references point one way, but must then point both ways",
        subject: subject,
        notes: ["in the older version an object could point to another one that did not point back"],
        help: ["add a relationship with another name, or map the relationship yourself"],
        cocoaCode: 134190)
    }
    if pairs[new.destinationEntityName] != destinationEntityName {
      found.append(.destinationChanged(self, new, entity: entity, subject: subject, isCarried: true))
    }
    return found
  }

  /// Whether references stay right: the new destination's rows lie in the table that they point into.
  func sharesTable(
    _ new: RelationshipDescription, _ pairs: [String: String], source: EntityHierarchy,
    destination: EntityHierarchy
  ) -> Bool {
    let newRoot = destination.rootName(of: new.destinationEntityName)
    let oldRoot = source.rootName(of: destinationEntityName)
    return destination.descendantNames(includingSelf: newRoot).contains {
      pairs[$0].map { source.rootName(of: $0) == oldRoot } ?? false
    }
  }
}

extension EntityHierarchy {
  /// Whether several objects can refer to the same object: the to-many's inverse is to-many too. Otherwise the object's
  /// own row holds its only owner.
  fileprivate func isShared(_ relationship: RelationshipDescription) -> Bool {
    relationship.isToMany && storedInverse(of: relationship)?.isToMany == true
  }
}

extension Diagnostic.Code {
  package static let relationshipDestinationChanged = Self("MC3106")
  package static let toManyBecomesToOne = Self("MC3108")
  package static let relationshipBecomesOwnInverse = Self("MC3116")
}

extension Diagnostic {
  static func destinationChanged(
    _ old: RelationshipDescription, _ new: RelationshipDescription, entity: String, subject: ModelSubject,
    isCarried: Bool
  ) -> Self {
    Self(
      .relationshipDestinationChanged, .warning,
      "'\(entity).\(new.name)' pointed to '\(old.destinationEntityName)' and now points to '\(new.destinationEntityName)'",
      subject: subject,
      notes: [
        isCarried
          ? "both entities share a table, so references to objects of the new destination are kept"
          : "they are in different tables, so references are dropped: the plan for a store counts them"
      ],
      help: isCarried ? [] : ["map the relationship yourself if the references still mean something"])
  }
}

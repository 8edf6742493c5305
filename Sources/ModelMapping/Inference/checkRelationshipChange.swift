public import ManagedModel

/// What stands against carrying a relationship's references over, judged by the two models alone.
func checkRelationshipChange(
  from old: RelationshipDescription, to new: RelationshipDescription, entity: String, pairs: [String: String],
  source: EntityHierarchy, destination: EntityHierarchy, version: String
) -> [Diagnostic] {
  let subject = ModelSubject(version: version, entity: entity, property: new.name)
  var found: [Diagnostic] = []
  if old.isToMany, !new.isToMany {
    found.append(.toManyBecomesToOne(old, new, entity: entity, subject: subject))
  }
  if pairs[new.destinationEntityName] != old.destinationEntityName {
    // References stay right while the new destination's rows lie in the table that they point into.
    let newRoot = destination.rootName(of: new.destinationEntityName)
    let oldRoot = source.rootName(of: old.destinationEntityName)
    let shareTable = destination.descendantNames(includingSelf: newRoot).contains {
      pairs[$0].map { source.rootName(of: $0) == oldRoot } ?? false
    }
    found.append(.destinationChanged(old, new, entity: entity, subject: subject, isCarried: shareTable))
  }
  return found
}

extension Diagnostic.Code {
  public static let relationshipDestinationChanged = Self("MC3106")
  public static let toManyBecomesToOne = Self("MC3108")
}

extension Diagnostic {
  fileprivate static func toManyBecomesToOne(
    _ old: RelationshipDescription, _ new: RelationshipDescription, entity: String, subject: ModelSubject
  ) -> Self {
    Self(
      .toManyBecomesToOne, .error,
      "'\(entity).\(new.name)' changes from to-many to to-one: which of several objects stays is not told",
      subject: subject,
      notes: ["in the older version '\(old.name)' may lead to any number of '\(old.destinationEntityName)'"],
      help: ["map the relationship yourself, or add a to-one of another name beside it"], cocoaCode: 134190)
  }

  fileprivate static func destinationChanged(
    _ old: RelationshipDescription, _ new: RelationshipDescription, entity: String, subject: ModelSubject,
    isCarried: Bool
  ) -> Self {
    Self(
      .relationshipDestinationChanged, isCarried ? .warning : .error,
      "'\(entity).\(new.name)' led to '\(old.destinationEntityName)' and now leads to '\(new.destinationEntityName)'",
      subject: subject,
      notes: [
        isCarried
          ? "both lie in one table, so references are kept where they point at an object of the new destination"
          : "the two lie in different tables, so no reference could be kept"
      ],
      help: isCarried ? [] : ["map the relationship yourself"], cocoaCode: isCarried ? nil : 134190)
  }
}

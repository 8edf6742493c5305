extension [EntityMapping] {
  /// Surprising results of inference: orders that are invented, references that move to another table, one default for
  /// values that must differ.
  func checkMappedChanges(from source: EntityHierarchy, to destination: EntityHierarchy, version: String)
    -> [Diagnostic]
  {
    var found: [Diagnostic] = []
    var reported: Set<PropertyReference> = []
    for mapping in self {
      guard let name = mapping.destinationEntityName, let sourceName = mapping.sourceEntityName else {
        continue
      }
      found += mapping.constantConstraints(in: destination).map { constraint in
        let names = constraint.map { "'\($0)'" }.joined(separator: ", ")
        return Diagnostic(
          .oneDefaultForAll, .warning,
          "'\(name)' is unique by \(names), but every existing object would get the same default",
          subject: ModelSubject(version: version, entity: name, property: constraint.first, key: "default"),
          notes: ["a store with two such objects cannot be migrated"],
          help: ["map the value: 'uuid()' gives each object its own, or use an expression over '$source'"])
      }
      for property in mapping.relationshipMappings where property.hasSource {
        guard let new = destination.relationship(named: property.name, of: name),
          let reference = destination.reference(to: property.name, seenFrom: name),
          reported.insert(reference).inserted
        else { continue }
        let subject = ModelSubject(version: version, entity: reference.entity, property: new.name)
        if new.isOrdered, !property.keepsOrder {
          found.append(
            .orderInvented, .information,
            "'\(subject.entity ?? "").\(new.name)' becomes ordered: its objects are ordered by primary key",
            subject: subject, notes: ["the older version has no order to keep"],
            help: ["for another order, map the relationship with a policy"])
        }
        guard let old = property.value.sourceName.flatMap({ source.relationship(named: $0, of: sourceName) })
        else { continue }
        let (before, after) = (StorageForm(old, in: source), StorageForm(new, in: destination))
        let inverse = destination.inverse(of: new)
        let isReportedAlready =
          inverse.map {
            reported.contains(PropertyReference(entity: new.destinationEntityName, property: $0.name))
          }
          ?? false
        if before != after, !old.isToMany || new.isToMany, !isReportedAlready || inverse == new {
          found.append(
            .storageFormMoves, .information,
            "the references of '\(subject.entity ?? "").\(new.name)' move from \(before.words) to \(after.words)",
            subject: subject, notes: ["no reference is lost; all are rewritten"])
        }
      }
    }
    return found
  }
}

/// Where a store keeps the references of a relationship.
private enum StorageForm: Equatable {
  /// In a column of the object's own row.
  case ownRow
  /// In a column of the row that it leads to.
  case otherRow
  case joinTable

  init(_ relationship: RelationshipDescription, in hierarchy: EntityHierarchy) {
    let inverse = hierarchy.storedInverse(of: relationship)
    self = !relationship.isToMany ? .ownRow : inverse?.isToMany == true ? .joinTable : .otherRow
  }

  var words: String {
    switch self {
    case .ownRow: "a column of its own table"
    case .otherRow: "a column of its destination's table"
    case .joinTable: "a join table"
    }
  }
}

extension Diagnostic.Code {
  package static let oneDefaultForAll = Self("MC3104", level: .store)
  package static let orderInvented = Self("MC3112")
  package static let storageFormMoves = Self("MC3113")
}

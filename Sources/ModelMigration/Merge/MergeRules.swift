import Foundation
import ManagedModel

/// How the objects of one store are told from those of another that it is merged into.
package struct MergeRules: Hashable, Sendable {
  /// What becomes of an object that both stores have.
  package enum Existing: String, CaseIterable, Sendable {
    /// It stays as it is.
    case keep
    /// Its values and references that are nil are taken from the other store.
    case fill
    /// All its values and references are the other store's.
    case replace
  }

  /// The attributes and to-one relationships that two objects of an entity share if they are the same, by entity;
  /// sub-entities take part.
  package var match: [String: [String]]
  package var existing: [String: Existing]
  package var existingElsewhere: Existing

  package init(
    match: [String: [String]] = [:], existing: [String: Existing] = [:], existingElsewhere: Existing = .keep
  ) {
    (self.match, self.existing, self.existingElsewhere) = (match, existing, existingElsewhere)
  }

  /// What an entity's objects are matched by: what was asked for, or its first uniqueness constraint; empty where all
  /// values count.
  func keys(of entity: String, in hierarchy: EntityHierarchy) -> [String] {
    let lineage = hierarchy.lineage(of: entity).reversed()
    return lineage.lazy.compactMap { match[$0.name] }.first
      ?? lineage.lazy.compactMap(\.uniquenessConstraints.first).first ?? []
  }

  func existing(_ entity: String, in hierarchy: EntityHierarchy) -> Existing {
    hierarchy.lineage(of: entity).reversed().lazy.compactMap { existing[$0.name] }.first ?? existingElsewhere
  }

  /// Throws MC0009 for entities and properties that the version does not have.
  func check(against version: ModelVersion) throws {
    let hierarchy = EntityHierarchy(version.model)
    let findings = (Array(match.keys) + existing.keys).sorted().compactMap { name -> Diagnostic? in
      guard hierarchy.entity(named: name) != nil else {
        return .unknownToMerge(
          "entity '\(name)'", version, nearestTo: name, among: version.model.entities.map(\.name))
      }
      let names =
        hierarchy.attributes(of: name).filter { !$0.isTransient }.map(\.name)
        + hierarchy.relationships(of: name).filter { !$0.isTransient && !$0.isToMany }.map(\.name)
      let unknown = (match[name] ?? []).first { key in
        !names.contains(key) && (hierarchy.attribute(named: key, of: name)?.isTransient ?? true)
      }
      return unknown.map {
        .unknownToMerge(
          "attribute or to-one relationship '\(name).\($0)'", version, nearestTo: $0, among: names)
      }
    }
    try findings.refuse()
  }
}

package struct MergeReport: Sendable {
  package struct EntityCount: Hashable, Sendable {
    package var entity: String
    package var added = 0
    /// Objects that both stores had.
    package var matched = 0
    /// Those of them that got values or references.
    package var changed = 0
  }

  /// The migration of the merged store to the version of the other one.
  package var plan: MigrationPlan
  package var store: String
  package var destination: String
  package var entities: [EntityCount] = []
  /// References of added objects to objects that the merged store did not have itself.
  package var danglingReferences = 0
  /// Links of many-to-many relationships that were added.
  package var links = 0
  package var diagnostics: [Diagnostic] = []
  package var backup: String?
  package var isDryRun = false
  package var seconds = 0.0

  /// Tells one merge from others, wherever the stores lie.
  var seed: String { [store, destination].map { ($0 as NSString).lastPathComponent }.joined(separator: "/") }

  package var added: Int { entities.reduce(0) { $0 + $1.added } }
  package var changed: Int { entities.reduce(0) { $0 + $1.changed } }
  /// Whether the other store is not what it was, or would not be.
  package var hasChanges: Bool { added + changed + links > 0 }
}

extension Diagnostic {
  fileprivate static func unknownToMerge(
    _ what: String, _ version: ModelVersion, nearestTo name: String, among names: [String]
  ) -> Self {
    Self(
      .fileUnreadable, .error, "'\(version.name)' has no \(what)",
      notes: [Note("it has \(names.listed)"), "nothing was written"], help: .didYouMean(name, among: names))
  }
}

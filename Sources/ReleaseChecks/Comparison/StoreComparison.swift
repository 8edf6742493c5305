package import ManagedModel
import ModelMigration
package import PersistentStore

/// The comparison of a migrated store with the old one, object by object.
///
/// Objects are the same where the root entity's table and the primary key are, as object URIs need it.
package struct StoreComparison: Sendable {
  /// What became of the objects of one entity.
  package struct Entity: Hashable, Sendable {
    /// Nil if the entity is new.
    package var source: String?
    /// Nil if the entity is gone.
    package var destination: String?
    /// Objects of this very entity.
    package var before = 0
    package var after = 0
    /// Whether the mapping model gives the objects keys of their own: they are counted, and not compared.
    package var isRekeyed = false
    /// Whether a filter of the mapping model may leave objects out.
    package var isFiltered = false
    /// How many of those that are missing went with what they referred to, as the mapping model says.
    package var cascaded = 0
    package var carried = 0
    /// Objects of before that are not there any more.
    package var missing = KeySample()
    /// Objects that were not there before.
    package var added = KeySample()
    /// Properties that both have, with the objects whose values differ, in the destination's names.
    package var changed: [Property] = []
    /// The same of numbers that did not fit a narrower type, and are what the mapping makes of them.
    package var narrowed: [Property] = []
    /// Properties of the source that the destination has no place for, with the objects that had a value.
    package var lost: [Property] = []
  }

  package struct Property: Hashable, Sendable {
    package var name: String
    package var objects: KeySample
  }

  package var from: String
  package var to: String
  package var keepsIdentity: Bool
  package var entities: [Entity]

  package var before: Int { sources.reduce(0) { $0 + $1.before } }
  /// Objects that several mappings make count once.
  package var after: Int {
    Dictionary(grouping: entities) { $0.destination }.values.reduce(0) { $0 + ($1.map(\.after).max() ?? 0) }
  }
  package var carried: Int { sources.reduce(0) { $0 + $1.carried } }

  /// Objects that several mappings take count once.
  private var sources: [(before: Int, carried: Int)] {
    Dictionary(grouping: entities) { $0.source }.values.map { entities in
      let before = entities.map(\.before).max() ?? 0
      return (before, min(before, entities.reduce(0) { $0 + $1.carried }))
    }
  }

  /// What is missing or changed is an error; what has no place in the version is a loss, named.
  package var diagnostics: [Diagnostic] {
    var found: [Diagnostic] = []
    if !keepsIdentity {
      found.append(
        .valuesChanged, .error, "the store's UUID has changed",
        notes: ["the URIs of its objects no longer point to them"],
        help: ["compare it with the store that it was made from"])
    }
    for entity in entities {
      let name = entity.destination ?? entity.source ?? ""
      if entity.destination == nil {
        if entity.before > 0 { found.append(.lost(name, nil, entity.before, to)) }
        continue
      }
      let count = entity.missing.count - entity.cascaded
      if count > 0, !entity.isFiltered {
        found.append(.missing(name, count, entity.missing, added: entity.added.count))
      }
      found += entity.changed.map { .changed(name, $0, .valuesChanged, .error, "changed") }
      found += entity.narrowed.map {
        .changed(
          name, $0, .numericNarrowing, .information, "did not fit the new type, and is the nearest number")
      }
      found += entity.lost.map { .lost(entity.source ?? name, $0.name, $0.objects.count, to) }
    }
    return found
  }
}

extension Diagnostic.Code { package static let valuesChanged = Self("MC6304") }

extension Diagnostic {
  fileprivate static func missing(_ entity: String, _ count: Int, _ sample: KeySample, added: Int) -> Self {
    Self(
      .rowCountsDiffer, .error,
      "\(counted(count, "object")) of '\(entity)' from before \(count == 1 ? "is" : "are") missing",
      subject: ModelSubject(entity: entity),
      notes: [.examples(sample.keys, count: sample.count)]
        + (added > 0 ? [Note("\(added) have new keys: a mapping may assign them")] : []),
      help: ["the old store still has them"])
  }

  fileprivate static func changed(
    _ entity: String, _ property: StoreComparison.Property, _ code: Code, _ severity: Severity, _ how: String
  ) -> Self {
    let count = property.objects.count
    return Self(
      code, severity, "'\(property.name)' of \(counted(count, "object")) of '\(entity)' \(how)",
      subject: ModelSubject(entity: entity, property: property.name),
      notes: [.examples(property.objects.keys, count: count)],
      help: ["the old store still has the old values"])
  }

  /// - Parameter property: nil if the entity has no place.
  fileprivate static func lost(_ entity: String, _ property: String?, _ count: Int, _ to: String) -> Self {
    let place = property.map { "place for '\(entity).\($0)'" } ?? "entity '\(entity)'"
    let what = property == nil ? "object" : "value"
    return Self(
      .droppedData, .information,
      "'\(to)' has no \(place): \(count) \(what)\(count == 1 ? " is" : "s are") lost",
      subject: ModelSubject(entity: entity, property: property), help: ["the old store still has them"])
  }
}

package import ManagedModel
package import PersistentStore

/// Compares the objects of two stores by what they hold.
///
/// An object is found in the other store by the attributes that the caller names. Else by its primary key where the
/// stores have one UUID: Core Data gives no key twice, and a migration keeps them. Else by the attributes of a uniqueness
/// constraint, by an attribute such as `id`, or by all its attributes. References are equal where they lead to the same object.
/// It reads each store twice and remembers 40 bytes of every object.
///
/// - Parameters:
///   - chosen: the attributes that identify objects of an entity and its sub-entities, by its name.
///   - limit: how many differing objects of each entity are given; all are counted.
///   - namesObjectsByValues: whether references are called by the values that identify their objects, else by primary key.
/// - Throws: ``DiagnosticsError``: MC5102 where one is of no known version, MC7032 where `chosen` names what is not there.
package func diffStores(
  before: StoreDatabase, at oldPath: String, after: StoreDatabase, at newPath: String,
  among models: [VersionedModel], identifiedBy chosen: [String: [String]] = [:],
  matching: StoreDifference.Matching = .automatic, limit: Int = .max, namesObjectsByValues: Bool = true
) throws -> StoreDifference {
  let old = try DifferenceSide(before, path: oldPath, end: .before, among: models)
  let new = try DifferenceSide(after, path: newPath, end: .after, among: models)
  let byKey = matching == .primaryKeys || (matching == .automatic && old.uuid == new.uuid)
  let entities = old.version.comparedEntities(to: new.version, identifiedBy: chosen, byKey: byKey)
  try requireKnown(chosen, in: entities, of: [old.version, new.version].map { EntityHierarchy($0.model) })
  var identities: [String: StoreDifference.Identity] = [:]
  for entity in entities { identities[entity.name] = try identify(entity, old, new) }
  for entity in entities {
    try old.digest(entity)
    try new.digest(entity)
  }
  let writer = DifferenceWriter(
    old: old, new: new, entities: entities, identities: identities, namesObjectsByValues: namesObjectsByValues
  )
  return StoreDifference(
    before: old.version, after: new.version,
    entities: try entities.map { try writer.difference(of: $0, limit: limit) },
    unreadableCount: old.unreadableCount + new.unreadableCount)
}

/// The first of what can identify an entity's objects that does. What the caller chose and a constraint count in any
/// case, even where objects have no values for them.
private func identify(
  _ entity: ComparedEntity, _ old: DifferenceSide, _ new: DifferenceSide
) throws -> StoreDifference.Identity {
  for identity in entity.candidates {
    let isSound = try old.identify(entity, by: identity)
    if try new.identify(entity, by: identity), isSound { return identity }
    switch identity {
    case .primaryKey, .chosen, .constraint: return identity
    case .identifier, .content: continue
    }
  }
  return .content
}

private func requireKnown(
  _ chosen: [String: [String]], in entities: [ComparedEntity], of hierarchies: [EntityHierarchy]
) throws {
  for (name, attributes) in chosen.sorted(by: { $0.key < $1.key }) {
    let kinds = hierarchies.flatMap { $0.descendantNames(includingSelf: name) }
    guard let entity = entities.first(where: { [$0.after, $0.before].contains { kinds.contains($0 ?? "") } })
    else {
      throw DiagnosticsError(.noIdentity("no entity '\(name.visible)'", among: entities.map(\.name), name))
    }
    let known = entity.attributes.map(\.after)
    for attribute in attributes where !known.contains(attribute) {
      throw DiagnosticsError(
        .noIdentity("'\(name)' has no attribute '\(attribute.visible)' in both", among: known, attribute))
    }
  }
}

extension Diagnostic.Code {
  /// Objects are to be matched by what the stores do not have.
  package static let noIdentity = Self("MC7032", exit: .usage)
}

extension Diagnostic {
  fileprivate static func noIdentity(_ what: String, among known: [String], _ wanted: String) -> Self {
    Self(
      .noIdentity, .error, "objects cannot be matched this way: \(what)",
      help: .didYouMean(
        wanted, among: known, else: ["there are: \(known.prefix(20).joined(separator: ", "))"]))
  }
}

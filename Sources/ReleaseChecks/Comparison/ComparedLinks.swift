import ManagedModel
import ModelMigration
import PersistentStore

/// The keys of a relationship's members, read in step with its owners.
final class Members {
  private let rows: RowReader
  private var next: Int64?
  private var isStarted = false

  init(rows: RowReader) { self.rows = rows }

  /// - Parameter owner: greater than the one before.
  func keys(of owner: Int64) throws -> [Int64?] {
    var keys: [Int64?] = []
    if !isStarted { next = try rows.nextKey() }
    isStarted = true
    while let key = next, key <= owner {
      if key == owner { keys.append(rows.integer(1)) }
      next = try rows.nextKey()
    }
    return keys
  }
}

/// A relationship to many that both sides have, where the columns of its members do not tell all of it: links of join
/// tables, and places.
struct ComparedLinks {
  let old: Members
  let new: Members
  /// Whether the members' own columns say whose they are; then their order alone is compared.
  let isInMembers: Bool
  /// The owners whose members differ.
  var changed: StoreComparison.Property

  mutating func compare(of owner: Int64) throws {
    var (before, after) = (try old.keys(of: owner), try new.keys(of: owner))
    if isInMembers, before != after {
      let both = Set(before).intersection(after)
      before.removeAll { !both.contains($0) }
      after.removeAll { !both.contains($0) }
    }
    if before != after { changed.objects.add(owner) }
  }
}

extension ComparedPath {
  func links(
    _ mapping: EntityMapping, _ source: BoundSide, _ destination: BoundSide
  ) throws -> [ComparedLinks] {
    guard let from = mapping.sourceEntityName, let to = mapping.destinationEntityName else { return [] }
    return try mapping.relationshipMappings.compactMap { property in
      guard let name = property.value.sourceName,
        let past = source.hierarchy.reference(to: name, seenFrom: from),
        let reference = destination.hierarchy.reference(to: property.name, seenFrom: to),
        let former = source.hierarchy.relationship(past),
        let relationship = destination.hierarchy.relationship(reference), relationship.isToMany,
        keepsKeys(of: relationship, in: destination.hierarchy),
        let old = source.schema.links(of: past, in: source.hierarchy),
        let new = destination.schema.links(of: reference, in: destination.hierarchy)
      else { return nil }
      let isOrdered = property.keepsOrder && old.to.order != nil && new.to.order != nil
      // What members say themselves is compared with them, and a link is compared from one of its ends.
      if !isOrdered,
        new.isJoin ? destination.schema.joinTable(of: reference)?.source != reference : !old.isJoin
      {
        return nil
      }
      guard
        let before = try source.members(
          of: old, from: from, to: former.destinationEntityName, inOrder: isOrdered),
        let after = try destination.members(
          of: new, from: to, to: relationship.destinationEntityName, inOrder: isOrdered)
      else { return nil }
      return ComparedLinks(
        old: before, new: after, isInMembers: !old.isJoin && !new.isJoin,
        changed: StoreComparison.Property(name: property.name, objects: .init()))
    }
  }
}

extension BoundSide {
  /// The members of a relationship, by the keys of this very entity's objects; references that lead nowhere left out.
  func members(of links: Links, from entity: String, to destination: String, inOrder: Bool) throws -> Members?
  {
    guard let owners = schema.table(ofEntity: entity)?.name.quotedIdentifier,
      let number = schema.entity(named: entity)?.number,
      let table = schema.table(ofEntity: destination)?.name.quotedIdentifier
    else { return nil }
    let (owner, member) = (links.from.column.quotedIdentifier, links.to.column.quotedIdentifier)
    let kinds = hierarchy.descendantNames(includingSelf: destination)
      .compactMap { schema.entity(named: $0).map { "\($0.number)" } }.joined(separator: ", ")
    let order = inOrder ? links.to.order.map { $0.quotedIdentifier + ", " } ?? "" : ""
    return Members(
      rows: try RowReader(
        db,
        sql: "SELECT \(owner), \(member) FROM \(links.table.quotedIdentifier) WHERE \(owner) IN"
          + " (SELECT Z_PK FROM \(owners) WHERE Z_ENT = ?) AND \(member) IN"
          + " (SELECT Z_PK FROM \(table) WHERE Z_ENT IN (\(kinds))) ORDER BY \(owner), \(order)\(member)",
        Int64(number)))
  }
}

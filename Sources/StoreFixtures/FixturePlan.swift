import ManagedModel
import PersistentStore

/// All that a fixture of a model consists of, before a row is written: how many objects of which entity, and which
/// refers to which.
///
/// Objects are numbered through, entity by entity in numbering order.
struct FixturePlan {
  let shape: FixtureShape
  let seed: UInt64
  let uniqueness: UniquenessPlan
  /// By place of the entity.
  let counts: [Int]
  /// The number of the first object of each entity, and of the one after the last.
  let starts: [Int]
  /// By the column that holds them.
  private(set) var references: [ColumnRole: DrawnReferences] = [:]
  private(set) var joins: [(link: JoinLink, rows: [DrawnJoinRow])] = []

  init(_ model: ManagedObjectModel, rows: Int, seed: UInt64) {
    var shape = FixtureShape(model)
    var uniqueness = UniquenessPlan(shape)
    shape.bindInjective(uniqueness.injectiveToOnes)
    let counts = shape.distribute(rows, limits: uniqueness.limits)
    uniqueness.distribute(counts)
    (self.shape, self.seed, self.uniqueness, self.counts) = (shape, seed, uniqueness, counts)
    starts = counts.reduce(into: [0]) { starts, count in starts.append((starts.last ?? 0) + count) }
    drawLinks()
  }

  /// The numbers of all objects of a stretch of entities.
  func objects(of kinds: Range<Int>) -> Range<Int> { starts[kinds.lowerBound]..<starts[kinds.upperBound] }

  private mutating func drawLinks() {
    for link in shape.references {
      let name = link.holder.property.map { "\($0.entity).\($0.property)" } ?? ""
      let random = SeededRandom(mixed(seed, stableHash(name)))
      let drawn = link.drawReferences(objects(of: link.sources), objects(of: link.destinations), random)
      references[link.holder] = drawn
      if let order = link.order { references[order] = drawn }
      if let mirror = link.mirror, !link.isOwnInverse { references[mirror] = mirrored(drawn, mirror) }
    }
    for link in shape.joins {
      let (sources, destinations) = (objects(of: link.sources), objects(of: link.destinations))
      let random = SeededRandom(mixed(seed, stableHash("\(link.source.entity).\(link.source.property)")))
      joins.append(
        (link, link.drawJoinRows(sources: sources.count, destinations: destinations.count, random)))
    }
  }

  /// The column at the other end of a one-to-one. It covers all objects that have it, which may be more than those
  /// that the first end leads to.
  private func mirrored(_ drawn: DrawnReferences, _ mirror: ColumnRole) -> DrawnReferences {
    let holders = objects(of: shape.kinds(of: mirror.property?.entity ?? ""))
    var back = DrawnReferences(
      firstSource: holders.lowerBound, firstDestination: drawn.firstSource,
      destinations: Array(repeating: -1, count: holders.count))
    for (source, place) in drawn.destinations.enumerated() where place >= 0 {
      back.destinations[drawn.firstDestination + Int(place) - holders.lowerBound] = Int32(source)
    }
    return back
  }
}

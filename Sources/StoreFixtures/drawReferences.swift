import PersistentStore

/// Which destination each source refers to: the column of one relationship, drawn as a whole.
///
/// Four bytes per object; nothing of it depends on the order in which rows are written.
struct DrawnReferences {
  /// The number of the first source.
  var firstSource: Int
  /// The number of the first destination.
  var firstDestination: Int
  /// By source, the destination's place among all destinations; -1 for none.
  var destinations: [Int32]
  /// By source, its place in an ordered to-many; empty if there is no order.
  var positions: [Int32] = []

  /// The number of the object that the source refers to.
  func destination(of object: Int) -> Int? { value(of: object, destinations).map { firstDestination + $0 } }

  func position(of object: Int) -> Int? { value(of: object, positions) }

  private func value(of object: Int, _ values: [Int32]) -> Int? {
    let index = object - firstSource
    return values.indices.contains(index) && values[index] >= 0 ? Int(values[index]) : nil
  }
}

extension ReferenceLink {
  /// Where sources and destinations are the same objects, as in parent and children, no object becomes its own
  /// ancestor, and one branch is deep.
  ///
  /// - Parameters:
  ///   - sources: the numbers of the objects that refer.
  ///   - destinations: the numbers of the objects that they refer to.
  func drawReferences(
    _ sources: Range<Int>, _ destinations: Range<Int>, _ random: SeededRandom
  ) -> DrawnReferences {
    var drawn = DrawnReferences(
      firstSource: sources.lowerBound, firstDestination: destinations.lowerBound,
      destinations: Array(repeating: -1, count: sources.count))
    if sources.isEmpty || destinations.isEmpty { return drawn }
    var draw = ReferenceDraw(
      link: self, sources: sources.count, destinations: destinations.count, random: random,
      result: drawn.destinations)
    if isOwnInverse {
      draw.drawPairs()
    } else if isInjective || owners.most == 1 {
      draw.drawOneToOne()
    } else if self.sources == self.destinations, !isOneToOne, owners.least == 0 {
      draw.drawTree()
    } else {
      draw.drawMembers()
    }
    drawn.destinations = draw.result
    if order != nil { drawn.positions = positions(draw.result, destinations.count) }
    return drawn
  }
}

private struct ReferenceDraw {
  let link: ReferenceLink
  let sources: Int
  let destinations: Int
  var random: SeededRandom
  var result: [Int32]

  /// Partners of one another: neighbours; an odd one out has none, or itself where it must have one.
  mutating func drawPairs() {
    for place in stride(from: 0, to: sources - 1, by: 2) where link.isRequired || !random.chance(25) {
      (result[place], result[place + 1]) = (Int32(place + 1), Int32(place))
    }
    if link.isRequired, !sources.isMultiple(of: 2) { result[sources - 1] = Int32(sources - 1) }
  }

  mutating func drawOneToOne() {
    let stride = Stride(over: max(sources, destinations), &random)
    for source in 0..<sources {
      let destination = stride[source]
      guard destination < destinations else { continue }
      // One that the other end demands stays.
      if !link.isRequired, !link.owners.isDemanded, random.chance(20) { continue }
      result[source] = Int32(destination)
    }
  }

  /// The first quarter is a chain; all others hang somewhere above, many of them at one object.
  mutating func drawTree() {
    var room = Room(destinations, most: link.owners.most)
    let chain = min(max(sources / 4, 3), 1000, sources)
    for source in 0..<sources {
      if source == 0 {
        // The root of all refers to nothing, or to itself where it must refer to something.
        if link.isRequired, room.take(0) { result[0] = 0 }
      } else if source < chain {
        if room.take(source - 1) { result[source] = Int32(source - 1) }
      } else if link.isRequired || !random.chance(10) {
        let wanted = random.chance(10) ? chain / 2 : random.number(below: source)
        result[source] = Int32(room.takeNear(wanted, below: source) ?? -1)
      }
    }
  }

  /// Some owners have no members, one has very many; minimum and maximum are kept.
  mutating func drawMembers() {
    let owners = link.owners
    // A minimum of an optional to-many binds only those that have any.
    let served = owners.least > 0 ? min(destinations, sources / owners.least) : destinations
    guard served > 0 else { return }
    let stride = Stride(over: served, &random)
    var room = Room(served, most: owners.most)
    let given = owners.least > 0 ? served * owners.least : 0
    for source in 0..<min(given, sources) where room.take(stride[source % served]) {
      result[source] = Int32(stride[source % served])
    }
    let (large, most) = (stride[served / 2], min(max(sources / 10, 3), 5000))
    var members = 0
    for source in min(given, sources)..<sources {
      if !link.isRequired, random.chance(15) { continue }
      var wanted = random.number(below: served)
      if members < most, random.chance(25) {
        wanted = large
        members += 1
      } else if owners.least == 0, served > 3, wanted % 5 == 4 {
        // Every fifth owner stays without members, as far as others have room.
        wanted -= 1 + random.number(below: 4)
      }
      result[source] = Int32(room.takeNear(wanted, below: served) ?? -1)
    }
  }
}

/// How many members each owner still takes.
private struct Room {
  private let most: Int
  private var counts: [Int32]
  /// Owners below are full.
  private var firstFree = 0

  init(_ owners: Int, most: Int) {
    self.most = most
    // Without a bound nothing has to be counted.
    counts = most == .max ? [] : Array(repeating: 0, count: owners)
  }

  mutating func take(_ owner: Int) -> Bool {
    guard most < .max else { return true }
    guard counts[owner] < most else { return false }
    counts[owner] += 1
    return true
  }

  /// The owner, else the first one that has room; nil if all are full.
  mutating func takeNear(_ owner: Int, below end: Int) -> Int? {
    if take(owner) { return owner }
    while firstFree < end, counts[firstFree] >= most { firstFree += 1 }
    return firstFree < end && take(firstFree) ? firstFree : nil
  }
}

/// Every number below a bound, each once, in an order that looks like none.
struct Stride {
  private let bound: Int
  private let step: Int
  private let start: Int

  init(over bound: Int, _ random: inout SeededRandom) {
    self.bound = max(1, bound)
    start = random.number(below: bound)
    var step = max(1, random.number(below: bound))
    while greatestCommonDivisor(step, self.bound) != 1 { step += 1 }
    self.step = step
  }

  subscript(index: Int) -> Int {
    let (high, low) = index.multipliedFullWidth(by: step)
    return (bound.dividingFullWidth((high, low)).remainder + start) % bound
  }
}

private func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
  var (a, b) = (left, right)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

/// Each member's place among those of its owner: by key for one half of the owners, against it for the other.
private func positions(_ owners: [Int32], _ ownerCount: Int) -> [Int32] {
  var sizes = Array(repeating: Int32(0), count: ownerCount)
  for owner in owners where owner >= 0 { sizes[Int(owner)] += 1 }
  var next = Array(repeating: Int32(0), count: ownerCount)
  return owners.map { owner in
    guard owner >= 0 else { return -1 }
    let place = next[Int(owner)]
    next[Int(owner)] += 1
    return owner.isMultiple(of: 2) ? place : sizes[Int(owner)] - 1 - place
  }
}

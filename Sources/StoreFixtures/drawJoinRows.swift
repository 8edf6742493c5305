import PersistentStore

/// One row of a join table: places of source and destination, that of the destination among those of the source, and that of
/// the source among those of the destination.
typealias DrawnJoinRow = (source: Int32, destination: Int32, position: Int32, inversePosition: Int32)

extension JoinLink {
  /// Draws the rows of a many-to-many relationship: none, a few, and for one source very many.
  func drawJoinRows(sources: Int, destinations: Int, _ random: SeededRandom) -> [DrawnJoinRow] {
    guard sources > 0, destinations > 0 else { return [] }
    var draw = JoinDraw(
      link: self, sources: sources, destinations: destinations, random: random,
      counts: Array(repeating: 0, count: destinations))
    for source in 0..<sources {
      if isOwnInverse { draw.drawPeers(of: source) } else { draw.drawMembers(of: source) }
    }
    return draw.rows
  }
}

private struct JoinDraw {
  let link: JoinLink
  let sources: Int
  let destinations: Int
  var random: SeededRandom
  var rows: [DrawnJoinRow] = []
  /// Members of each destination so far.
  var counts: [Int32]

  /// How many members a source gets, within its bounds.
  private mutating func wanted(for source: Int, demanded: Int) -> Int {
    let bounds = link.sourceBounds
    var count = source == sources / 2 ? 200 : random.chance(20) ? 0 : 1 + random.number(below: 4)
    count = max(count, demanded)
    if bounds.isDemanded || count > 0 { count = max(count, bounds.least) }
    return min(count, bounds.most, destinations)
  }

  mutating func drawMembers(of source: Int) {
    var members = demanded(by: source)
    let count = wanted(for: source, demanded: members.count)
    var seen = Set(members)
    let stride = Stride(over: destinations, &random)
    var tries = 0
    // A full round only where the source may not go without.
    let patience = link.sourceBounds.least > members.count ? destinations : min(destinations, count * 4 + 8)
    while members.count < count, tries < patience {
      let destination = stride[tries]
      tries += 1
      guard counts[destination] < limit, seen.insert(destination).inserted else { continue }
      counts[destination] += 1
      members.append(destination)
    }
    // Too few are as good as none, where none are allowed.
    if members.count < link.sourceBounds.least, !link.sourceBounds.isDemanded,
      !link.inverseBounds.isDemanded
    {
      for destination in members { counts[destination] -= 1 }
      return
    }
    for (position, destination) in members.enumerated() { append(source, destination, position) }
  }

  private var limit: Int32 { Int32(clamping: link.inverseBounds.most) }

  /// Destinations that cannot do without this source: each has the sources that follow its own place.
  private mutating func demanded(by source: Int) -> [Int] {
    let bounds = link.inverseBounds
    guard bounds.least > 0 else { return [] }
    var found: [Int] = []
    for offset in 0..<min(bounds.least, sources) {
      let places = stride(from: (source + offset) % sources, to: destinations, by: sources)
      for destination in places where counts[destination] < limit {
        counts[destination] += 1
        found.append(destination)
      }
    }
    return found
  }

  /// Friends of friends: each pair once; the writer mirrors it.
  mutating func drawPeers(of source: Int) {
    let most = Int32(clamping: link.sourceBounds.most)
    var count = source == 0 ? 100 : random.number(below: 3)
    if link.sourceBounds.least > 0 { count = max(count, link.sourceBounds.least) }
    var position = 0
    for offset in 1...max(1, min(count, sources / 2)) {
      guard position < count else { break }
      let peer = source + offset
      // Over the end only where a minimum demands a ring.
      guard peer < sources || link.sourceBounds.isDemanded, sources > 1 else { break }
      let destination = peer % sources
      guard destination != source, counts[source] < most, counts[destination] < most else { continue }
      // Half way round two objects meet from both sides.
      if offset * 2 == sources, destination < source { continue }
      counts[source] += 1
      counts[destination] += 1
      append(source, destination, Int(counts[source]) - 1)
      position += 1
    }
  }

  private mutating func append(_ source: Int, _ destination: Int, _ position: Int) {
    rows.append(
      (
        source: Int32(source), destination: Int32(destination), position: Int32(position),
        inversePosition: counts[destination] - 1
      ))
  }
}

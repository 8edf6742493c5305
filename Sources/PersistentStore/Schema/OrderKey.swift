/// Places in an ordered to-many: genuine stores begin at 2048 and leave 1024 between neighbours.
package enum OrderKey {
  package static let step = 1024

  package static func at(_ index: Int) -> Int { 2 * step + step * index }
}

/// Gives the members of ordered to-manys their places, in the order in which they come.
struct OrderKeys {
  /// Members so far, by the owner's primary key.
  private var counts: [Int64: Int] = [:]

  mutating func next(_ owner: Int64) -> Int {
    defer { counts[owner, default: 0] += 1 }
    return OrderKey.at(counts[owner, default: 0])
  }
}

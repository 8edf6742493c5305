/// How many objects, and the keys of the first.
package struct KeySample: Hashable, Sendable {
  package private(set) var count: Int
  package private(set) var keys: [Int64]

  package init(_ count: Int = 0, _ keys: [Int64] = []) { (self.count, self.keys) = (count, keys) }

  package mutating func add(_ key: Int64) {
    count += 1
    if keys.count < 5 { keys.append(key) }
  }

  package mutating func add(_ others: KeySample) {
    self = KeySample(count + others.count, Array((keys + others.keys).prefix(5)))
  }
}

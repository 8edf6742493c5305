import ManagedModel

/// Half of a SHA-256: enough to tell contents apart, small enough for one of every object.
struct ShortDigest: Hashable, Comparable {
  private let high: UInt64
  private let low: UInt64

  init(_ digest: ContentDigest) {
    let bytes = digest.bytes
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func < (left: Self, right: Self) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }

  var text: String { "\(high) \(low)" }
}

/// What is remembered of an object: 40 bytes.
struct ObjectDigest {
  var key: Int64
  var identity: ShortDigest
  /// Of all that is compared.
  var content: ShortDigest
}

/// Those of an entity's objects, in the order of their keys.
struct ObjectDigests {
  var rows: [ObjectDigest] = []

  subscript(key: Int64) -> ObjectDigest? {
    let place = rows.indices.end { rows[$0].key < key }
    return place < rows.count && rows[place].key == key ? rows[place] : nil
  }

  /// Whether no two have one identity.
  var areDistinct: Bool { Set(rows.map(\.identity)).count == rows.count }

  /// The places of the rows by identity, then content.
  fileprivate var sorted: [Int] {
    rows.indices.sorted { (rows[$0].identity, rows[$0].content) < (rows[$1].identity, rows[$1].content) }
  }

  /// Pairs the objects of two sides by their identity.
  ///
  /// Where several have one identity, those of equal content are pairs; the others are in the order of content.
  func pair(_ after: ObjectDigests, _ body: (ObjectPair) throws -> Void)
    rethrows
  {
    let (left, right) = (sorted, after.sorted)
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      let identity = min(
        i < left.count ? rows[left[i]].identity : after.rows[right[j]].identity,
        j < right.count ? after.rows[right[j]].identity : rows[left[i]].identity)
      let ours = left[i...].prefix { rows[$0].identity == identity }.map { rows[$0] }
      let theirs = right[j...].prefix { after.rows[$0].identity == identity }.map { after.rows[$0] }
      (i, j) = (i + ours.count, j + theirs.count)
      try pairGroup(ours, theirs, body)
    }
  }
}

/// An object on both sides, or on one.
struct ObjectPair {
  var before: ObjectDigest?
  var after: ObjectDigest?

  var isEqual: Bool { before?.content == after?.content }
}

/// Both sides are sorted by content.
private func pairGroup(
  _ before: [ObjectDigest], _ after: [ObjectDigest], _ body: (ObjectPair) throws -> Void
) rethrows {
  var (i, j) = (0, 0)
  var (alone, others): ([ObjectDigest], [ObjectDigest]) = ([], [])
  while i < before.count || j < after.count {
    if i < before.count, j < after.count, before[i].content == after[j].content {
      try body(ObjectPair(before: before[i], after: after[j]))
      (i, j) = (i + 1, j + 1)
    } else if j == after.count || (i < before.count && before[i].content < after[j].content) {
      alone.append(before[i])
      i += 1
    } else {
      others.append(after[j])
      j += 1
    }
  }
  for index in 0..<max(alone.count, others.count) {
    try body(
      ObjectPair(
        before: index < alone.count ? alone[index] : nil, after: index < others.count ? others[index] : nil))
  }
}

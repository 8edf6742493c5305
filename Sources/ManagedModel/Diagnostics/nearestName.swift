/// The candidate that a misspelt name most likely meant, or nil where none is near.
///
/// Near means an edit distance (insert, delete, replace, swap two neighbours) of at most a third of the name's
/// length, and at least one; case does not count.
public func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  nearMatch(to: name, among: candidates)?.name
}

/// A candidate that a misspelt name may have meant.
package struct NearMatch: Hashable, Sendable {
  package var name: String
  /// Whether nothing else can have been meant: one slip away in a word of some length, or none but in case, and
  /// no other candidate as near.
  package var isObvious: Bool
}

/// As ``nearestName(to:among:)``; of several equally near ones the first by name.
package func nearMatch(to name: String, among candidates: some Sequence<String>) -> NearMatch? {
  let word = FoldedWord(name)
  let limit = max(1, word.letters.count / 3)
  var best: (distance: Int, name: String, rivals: Int)?
  for candidate in candidates where candidate != name {
    let other = FoldedWord(candidate)
    guard word.mayBeNear(other, limit: limit) else { continue }
    let distance = editDistance(word.letters, other.letters, limit: limit)
    guard distance <= min(limit, best?.distance ?? .max) else { continue }
    if let known = best, known.distance == distance {
      guard known.name != candidate else { continue }
      best = (distance, min(known.name, candidate), known.rivals + 1)
    } else {
      best = (distance, candidate, 0)
    }
  }
  return best.map { best in
    let isSlip = best.distance == 0 || (best.distance == 1 && word.letters.count >= 4)
    return NearMatch(name: best.name, isObvious: isSlip && best.rivals == 0)
  }
}

/// A word in lower case, with what tells quickly that two words have little in common.
private struct FoldedWord {
  let letters: [UInt32]
  /// A bit for each letter that occurs, more or less.
  private let occurring: UInt64

  init(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      letters = text.utf8.map { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? UInt32(byte | 0x20) : UInt32(byte)
      }
    } else {
      letters = text.lowercased().unicodeScalars.map(\.value)
    }
    occurring = letters.reduce(0) { $0 | 1 << UInt64($1 % 64) }
  }

  /// One edit takes away one letter and brings another one at most.
  func mayBeNear(_ other: FoldedWord, limit: Int) -> Bool {
    abs(letters.count - other.letters.count) <= limit
      && (occurring ^ other.occurring).nonzeroBitCount <= 2 * limit
  }
}

private func editDistance(_ a: [UInt32], _ b: [UInt32], limit: Int) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i]
    row.reserveCapacity(b.count + 1)
    for j in 1...b.count {
      let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      var cost = min(substitution, last[j] + 1, row[j - 1] + 1)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + 1) }
      row.append(cost)
    }
    // No later row can be nearer than the nearest of two neighbouring ones.
    if let least = row.min(), least > limit, let before = last.min(), before > limit { return limit + 1 }
    beforeLast = last
    last = row
  }
  return last[b.count]
}

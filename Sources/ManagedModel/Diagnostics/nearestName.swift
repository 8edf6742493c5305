/// The candidate that a misspelt name most likely meant, or nil where none is near.
///
/// Near means an edit distance (insert, delete, replace, swap two neighbours) of at most a third of the name's
/// length, and at least one.
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

/// As ``nearestName(to:among:)``; of several equally near ones the first.
package func nearMatch(to name: String, among candidates: some Sequence<String>) -> NearMatch? {
  let limit = max(1, name.count / 3)
  let letters = Array(name.lowercased())
  var best: (distance: Int, name: String, rivals: Int)?
  for candidate in candidates where candidate != name {
    let distance = editDistance(letters, Array(candidate.lowercased()), limit: limit)
    guard distance <= limit, distance <= (best?.distance ?? .max) else { continue }
    if let known = best, known.distance == distance {
      if known.name != candidate { best?.rivals += 1 }
    } else {
      best = (distance, candidate, 0)
    }
  }
  return best.map { best in
    let isSlip = best.distance == 0 || (best.distance == 1 && letters.count >= 4)
    return NearMatch(name: best.name, isObvious: isSlip && best.rivals == 0)
  }
}

private func editDistance(_ a: [Character], _ b: [Character], limit: Int) -> Int {
  guard abs(a.count - b.count) <= limit, !a.isEmpty, !b.isEmpty else {
    return max(a.count, b.count)
  }
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i]
    for j in 1...b.count {
      let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      var cost = min(substitution, last[j] + 1, row[j - 1] + 1)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + 1) }
      row.append(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}

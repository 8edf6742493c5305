/// The candidate that a misspelt name most likely meant, or nil where none is near.
///
/// Near means an edit distance (insert, delete, replace, swap two neighbours) of at most a third of the name's
/// length, and at least one.
public func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let limit = max(1, name.count / 3)
  var best: (distance: Int, name: String)?
  for candidate in candidates where candidate != name {
    let distance = editDistance(Array(name.lowercased()), Array(candidate.lowercased()), limit: limit)
    if distance <= limit, distance < (best?.distance ?? .max) { best = (distance, candidate) }
  }
  return best?.name
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

/// The candidate that a misspelt name most likely meant, or nil if none is near.
///
/// A very long name is near to nothing.
///
/// Near means an edit distance (insert, delete, replace, swap two neighbours) of at most a third of the name's
/// length, and at least one; case does not count.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  nearMatch(to: name, among: candidates)?.name
}

extension [String] {
  /// Help for a name that nothing has: the candidate that is near, else something else.
  package static func didYouMean(
    _ name: String, among candidates: some Sequence<String>, else other: Self = []
  ) -> Self { nearestName(to: name, among: candidates).map { ["did you mean '\($0)'?"] } ?? other }
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
  guard name.utf8.count <= spelledLength else { return nil }
  let word = FoldedWord(name)
  let limit = max(1, word.letters.count / 3)
  var best: (distance: Int, name: String, rivals: Int)?
  for candidate in candidates where candidate.utf8.count <= spelledLength && candidate != name {
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
    let isTypo = best.distance == 0 || (best.distance == 1 && word.letters.count >= 4)
    return NearMatch(name: best.name, isObvious: isTypo && best.rivals == 0)
  }
}

extension Diagnostic {
  /// The same finding with the name that was probably meant, as help and as an edit.
  ///
  /// - Parameter subject: where the edit is made; without it there is none.
  func offering(
    _ near: NearMatch, _ change: ModelEdit.Change, at subject: ModelSubject? = ModelSubject()
  ) -> Diagnostic {
    with {
      $0.help.append("did you mean '\(near.name)'?")
      guard let subject else { return }
      $0.edits.append(ModelEdit("write '\(near.name)'", at: subject, change, isSafe: near.isObvious))
    }
  }
}

/// In bytes of UTF-8; the time for two names grows with the product of their lengths.
private let spelledLength = 200

/// A word in lower case, with what tells quickly that two words have little in common.
private struct FoldedWord {
  let letters: [UInt32]
  /// A bit for each letter that occurs, more or less.
  private let occurring: UInt64

  init(_ text: String) {
    letters = text.lowercased().unicodeScalars.map(\.value)
    occurring = letters.reduce(0) { $0 | 1 << UInt64($1 % 64) }
  }

  /// One edit removes at most one letter and adds at most one.
  func mayBeNear(_ other: FoldedWord, limit: Int) -> Bool {
    abs(letters.count - other.letters.count) <= limit
      && (occurring ^ other.occurring).nonzeroBitCount <= 2 * limit
  }
}

/// The distance of two words, or something above the limit where they are further apart.
private func editDistance(_ a: [UInt32], _ b: [UInt32], limit: Int) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  let tooFar = limit + 1
  // Three rows of one buffer, used in turn; cells further from the diagonal than the limit stay too far.
  let width = b.count + 1
  var cells = Array(repeating: tooFar, count: 3 * width)
  for j in 0...min(b.count, limit) { cells[j] = j }
  var (beforeLast, last, row) = (2 * width, 0, width)
  for i in 1...a.count {
    let (low, high) = (max(1, i - limit), min(b.count, i + limit))
    guard low <= high else { return tooFar }
    cells[row + low - 1] = low == 1 ? min(i, tooFar) : tooFar
    for j in low...high {
      let substitution = cells[last + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      let above = j < i + limit ? cells[last + j] : tooFar
      var cost = min(substitution, min(above, cells[row + j - 1]) + 1)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        cost = min(cost, cells[beforeLast + j - 2] + 1)
      }
      cells[row + j] = min(cost, tooFar)
    }
    (beforeLast, last, row) = (last, row, beforeLast)
  }
  return cells[last + b.count]
}

/// What stands between things, and what it is about.
extension LayoutReading {
  /// Goes on to a place, and takes the comments on the way.
  ///
  /// - Parameter mark: what the way ends at, if it comes before.
  mutating func gap(to end: Int, over mark: Unicode.Scalar? = nil) throws(Failure) -> Gap {
    var gap = Gap()
    var breaks = 0
    while position < end {
      let scalar = scalars[position]
      if scalar.endsLine {
        // A pair of them ends one line.
        if !(scalar == "\n" && position > 0 && scalars[position - 1] == "\r") { breaks += 1 }
        position += 1
      } else if scalar.isBlank {
        position += 1
      } else if scalar == "#" {
        let hasOwnLine = startsLine(position)
        var place = position
        var comment = takeComment(at: &place)
        position = place
        comment.isApart = breaks > 1
        gap.comments.append((comment, hasOwnLine))
        breaks = 0
      } else if isDocumentMark(at: position) {
        (position, breaks) = (position + 3, 0)
      } else if scalar == mark {
        gap.isApart = breaks > 1
        position += 1
        return gap
      } else if "-?:,".unicodeScalars.contains(scalar) {
        (position, breaks) = (position + 1, 0)
      } else {
        throw failure(at: position, "'\(scalar)'")
      }
    }
    gap.isApart = breaks > 1
    return gap
  }

  mutating func takeComment(at place: inout Int) -> LaidOutComment {
    let start = place
    while place < scalars.count, !scalars[place].endsLine { place += 1 }
    var text = scalars[start..<place]
    while text.last?.isBlank == true { text.removeLast() }
    let comment = String(String.UnicodeScalarView(text))
    comments.append(comment)
    return LaidOutComment(text: comment, column: column(of: start))
  }

  /// Gives comments to what they stand beside, above or below.
  ///
  /// - Parameters:
  ///   - next: what follows; nil at an end.
  ///   - column: where that stands.
  ///   - foot: takes what nothing follows.
  mutating func place(_ gap: Gap, above next: LaidOutItem?, column: Int, foot: LaidOutCollection) {
    var ended = ended[...]
    for (comment, hasOwnLine) in gap.comments {
      if !hasOwnLine, attach(comment) { continue }
      let own = comment.column ?? 0
      // Below the last child of what ended, if it is indented like it: the outermost of those that begin in one column.
      if let inner = ended.firstIndex(where: { $0.column <= own && $0.column > column }) {
        let outer = ended[inner...].lastIndex { $0.column == ended[inner].column } ?? inner
        ended[outer].collection.foot.append(comment)
        ended = ended[outer...]
      } else if let next {
        next.above.append(comment)
        ended = []
      } else {
        foot.foot.append(comment)
        ended = []
      }
    }
    if !gap.comments.isEmpty || next != nil { self.ended = [] }
  }

  /// Puts a comment beside what was taken last.
  ///
  /// - Returns: false if there is nothing, or another comment.
  mutating func attach(_ comment: LaidOutComment) -> Bool {
    guard let last else { return false }
    if lastIsWhole {
      guard last.beside == nil else { return false }
      last.beside = comment
    } else {
      guard last.head == nil else { return false }
      last.head = comment
    }
    return true
  }
}

import ManagedModel

/// Takes a file apart for ``YAMLPrinter``: the reader's tree by its places, and what stands between them.
///
/// Every comment goes to the thing that it stands above, beside or below; of blank lines it is kept where one stands.
struct LayoutReading {
  let scalars: [Unicode.Scalar]
  let source: SourceText
  var root: LaidOutItem?
  /// After the last thing that was taken.
  var position = 0
  /// The item whose key, dash or value was taken last: a comment in the same line is its.
  var last: LaidOutItem?
  var lastIsWhole = false
  /// Collections in lines that ended since, the innermost first, with the columns of their children.
  var ended: [(collection: LaidOutCollection, column: Int)] = []
  /// Every comment of the file, in its order.
  var comments: [String] = []

  /// What stands between two things.
  struct Gap {
    var comments: [(comment: LaidOutComment, hasOwnLine: Bool)] = []
    /// Whether there is a blank line after the last comment.
    var isApart = false
  }

  /// Where the text cannot be formatted; the whole file stays as it is.
  struct Failure: Error {
    var place: SourceRange
    var what: String
  }

  /// - Parameter text: readable, and parsed to `root` without an error.
  init(_ text: SourceText) {
    scalars = Array(String(decoding: text.bytes, as: UTF8.self).unicodeScalars)
    source = text
  }

  /// The whole file.
  ///
  /// - Parameter shape: what the language knows of it: known keys get its order.
  mutating func document(
    _ root: YAMLNode, shape: ValueShape
  ) throws(Failure) -> (document: LaidOutItem, foot: [LaidOutComment]) {
    let document = LaidOutItem()
    self.root = document
    document.value = try value(of: root, for: document, shape)
    var foot = LaidOutCollection(isMapping: true, isBlock: true)
    if case .collection(let collection) = document.value, collection.isBlock {
      // The comments of the head belong to the file, whatever key comes first.
      collection.takeHead(into: document)
      foot = collection
    }
    place(try gap(to: scalars.count), above: nil, column: -1, foot: foot)
    if case .collection(let collection) = document.value {
      collection.order(by: shape.keys)
      return (document, collection.isBlock ? [] : foot.foot)
    }
    return (document, foot.foot)
  }

  private mutating func value(
    of node: YAMLNode, for item: LaidOutItem, _ shape: ValueShape
  ) throws(Failure) -> LaidOutValue {
    let (start, end) = (Int(node.span.start), Int(node.span.end))
    if start < end, start < scalars.count, scalars[start] == "&" {
      throw failure(at: start, "an anchor without an alias")
    }
    switch node.content {
    case .scalar(let text, let style):
      if start == end, style == .plain {
        (last, lastIsWhole) = (item, true)
        return .scalar(.value("", .nothing))
      }
      hoist(try gap(to: start), to: item)
      return .scalar(try scalar(text, style, start, end, item))
    case .sequence, .mapping:
      let hasBrackets =
        node.span.isFlow && start < scalars.count && "[{".unicodeScalars.contains(scalars[start])
      guard hasBrackets else { return .collection(try children(of: node, shape, item)) }
      hoist(try gap(to: start), to: item)
      position = start + 1
      let collection = try children(of: node, shape, item)
      place(try gap(to: end - 1), above: nil, column: -1, foot: collection)
      position = end
      (last, lastIsWhole) = (item, true)
      return .collection(collection)
    case .refused: throw failure(at: start, "an alias")
    }
  }

  /// Comments between a key and a value in another line go above the key.
  private mutating func hoist(_ gap: Gap, to item: LaidOutItem) {
    for (comment, hasOwnLine) in gap.comments {
      if !hasOwnLine, attach(comment) { continue }
      var comment = comment
      comment.isApart = false
      item.above.append(comment)
    }
  }

  private mutating func children(
    of node: YAMLNode, _ shape: ValueShape, _ owner: LaidOutItem
  ) throws(Failure) -> LaidOutCollection {
    let isBlock = !node.span.isFlow
    // In brackets no comment is indented like what ended; a line with many of them is not counted for each.
    let column = isBlock ? column(of: Int(node.span.start)) : -1
    let collection: LaidOutCollection
    switch node.content {
    case .mapping(let pairs):
      collection = LaidOutCollection(isMapping: true, isBlock: isBlock && !pairs.isEmpty)
      for pair in pairs {
        let child = LaidOutItem(key: key(pair))
        let (start, end) = (Int(pair.keySpan.start), Int(pair.keySpan.end))
        if start < end, scalars[start] == "&" { throw failure(at: start, "an anchor without an alias") }
        // A key of nothing stands nowhere.
        let gap = start < end ? try gap(to: start) : Gap()
        place(gap, above: child, column: column, foot: collection)
        child.isApart = gap.isApart
        position = max(position, end)
        (last, lastIsWhole) = (child, false)
        child.value = try value(of: pair.value, for: child, shape.value(of: pair.key))
        collection.items.append(child)
      }
      // A document's head is taken first.
      if owner !== root || !isBlock { collection.order(by: shape.keys) }
    case .sequence(let elements):
      collection = LaidOutCollection(isMapping: false, isBlock: isBlock && !elements.isEmpty)
      for element in elements {
        let child = LaidOutItem()
        let gap = try gap(to: Int(element.span.start), over: isBlock ? "-" : nil)
        place(gap, above: child, column: column, foot: collection)
        child.isApart = gap.isApart
        (last, lastIsWhole) = (child, false)
        child.value = try value(of: element, for: child, shape.element)
        collection.items.append(child)
      }
    case .scalar, .refused: collection = LaidOutCollection(isMapping: true, isBlock: false)
    }
    if isBlock { ended.append((collection, column)) }
    return collection
  }

  private func key(_ pair: YAMLNode.Pair) -> LaidOutScalar {
    let (start, end) = (Int(pair.keySpan.start), Int(pair.keySpan.end))
    let isSame = pair.keyStyle == .plain && start < end && text(start, end) == pair.key
    return isSame ? .plain(pair.key) : .value(pair.key, .text)
  }

  // The text itself.

  /// `---` or `...`, alone or with something behind it.
  func isDocumentMark(at place: Int) -> Bool {
    guard place + 3 <= scalars.count, place == 0 || scalars[place - 1].endsLine,
      scalars[place..<(place + 3)].allSatisfy({ $0 == scalars[place] }),
      scalars[place] == "-" || scalars[place] == "."
    else { return false }
    return place + 3 == scalars.count || scalars[place + 3].isBlank || scalars[place + 3].endsLine
  }

  func startsLine(_ place: Int) -> Bool {
    for scalar in scalars[..<place].reversed() where !scalar.isBlank { return scalar.endsLine }
    return true
  }

  func column(of place: Int) -> Int {
    scalars[..<min(place, scalars.count)].reversed().prefix { !$0.endsLine }.count
  }

  func text(_ start: Int, _ end: Int) -> String {
    String(String.UnicodeScalarView(scalars[start..<min(end, scalars.count)]))
  }

  func failure(at place: Int, _ what: String) -> Failure {
    Failure(place: source.range(from: place, to: place + 1), what: what)
  }

  // What stands between things, and what it is about.

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

extension Unicode.Scalar {
  /// As YAML 1.1 has it.
  var endsLine: Bool { [0x0A, 0x0D, 0x85, 0x2028, 0x2029].contains(value) }

  var isBlank: Bool { self == " " || self == "\t" }
}

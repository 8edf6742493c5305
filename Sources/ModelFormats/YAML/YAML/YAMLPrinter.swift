/// Lays out YAML, the same way for what modelc writes and for what it formats.
///
/// Two blanks per level. What stands in braces or brackets stays in one line while that has at most 100 columns and no
/// comment inside; else each child has a line.
struct YAMLPrinter {
  private var output = ""
  private var line = 0
  /// Comments behind a line's text; where they go depends on the lines around them. The end is in bytes of the output.
  private var besides: [(end: Int, line: Int, width: Int, comment: LaidOutComment)] = []
  /// Whether the text of a scalar ends here that keeps blank lines: one more would be of it.
  private var keepsBlankLines = false

  /// Longer lines are broken up where they can be.
  static let lineLength = 100

  /// How an item's value is written.
  private enum Form {
    case line(String)
    case folded([String])
    case block(header: String, lines: [String])
    case lines(LaidOutCollection)
  }

  /// The value on one line, whatever its length.
  static func line(_ value: YAMLValue, inFlow: Bool) -> String {
    if case .scalar(let text, let reading) = value { return text.yamlScalar(reading, inFlow: inFlow) }
    var text = ""
    var room = Int.max
    _ = Self().flow(LaidOutValue(value), into: &text, &room)
    return text
  }

  /// Lays out a document: comments of the whole file, and what the file holds.
  mutating func document(_ document: LaidOutItem, foot: [LaidOutComment]) {
    if case .collection(let collection) = document.value, oneLine(document, room: Self.lineLength - 1) == nil
    {
      for comment in document.above + [document.head, document.beside].compactMap(\.self) {
        own(comment, margin: "", isFirst: output.isEmpty)
      }
      block(collection, indentation: 0, mayBeApart: !output.isEmpty)
    } else {
      item(document, lead: "", indentation: 0, isFirst: true, opensLine: true)
    }
    for comment in foot { own(comment, margin: "", isFirst: output.isEmpty) }
  }

  /// - Parameters:
  ///   - mayBeApart: whether a blank line may stand above the first child.
  ///   - opensLine: whether the first child's line is begun, by a dash.
  mutating func block(
    _ collection: LaidOutCollection, indentation: Int, mayBeApart: Bool = false, opensLine: Bool = false
  ) {
    let margin = String(repeating: " ", count: indentation)
    var isFirst = true
    for child in collection.items {
      let key = child.key.map { text(of: $0, inFlow: false) }
      // libyaml takes a key without '?' only up to 1024 characters.
      let lead = key.map { needsKeyMark($0) ? "? \($0)\n\(margin):" : "\($0):" } ?? "-"
      item(
        child, lead: lead, indentation: indentation, isFirst: isFirst && !mayBeApart,
        opensLine: isFirst && opensLine)
      isFirst = false
    }
    for comment in collection.foot { own(comment, margin: margin, isFirst: false) }
  }

  private mutating func separate(_ isApart: Bool) {
    if isApart, !keepsBlankLines { endLine() }
    keepsBlankLines = false
  }

  /// A comment in a line of its own.
  private mutating func own(_ comment: LaidOutComment, margin: String, isFirst: Bool) {
    separate(comment.isApart && !isFirst)
    output += margin + comment.text
    endLine()
  }

  private mutating func item(
    _ item: LaidOutItem, lead: String, indentation: Int, isFirst: Bool, opensLine: Bool
  ) {
    let margin = String(repeating: " ", count: indentation)
    let hasMark = lead.utf8.contains(UInt8(ascii: "\n"))
    let column = hasMark ? indentation + 1 : indentation + lead.unicodeScalars.count
    let form = form(of: item, room: Self.lineLength - column - 1)
    let (above, beside, foot) = places(of: item, form)
    for (index, comment) in item.above.enumerated() {
      own(comment, margin: margin, isFirst: isFirst && index == 0)
    }
    separate(item.isApart && !(isFirst && item.above.isEmpty))
    for comment in above { own(comment, margin: margin, isFirst: true) }
    output += (opensLine ? "" : margin) + lead
    if hasMark { line += 1 }
    let blank = lead.isEmpty ? "" : " "
    switch form {
    case .line(let text):
      let shown = text.isEmpty ? "" : blank + text
      output += shown
      endLine(beside, column + shown.unicodeScalars.count)
    case .folded(let lines):
      output += blank + (lines.first ?? "")
      for text in lines.dropFirst() {
        endLine()
        output += text.isEmpty ? "" : margin + "  " + text
      }
      endLine(beside, indentation + 2 + (lines.last?.unicodeScalars.count ?? 0))
    case .block(let header, let lines):
      output += blank + header
      endLine(beside, column + 1 + header.count)
      for text in lines {
        output += text.isEmpty ? "" : margin + "  " + text
        endLine()
      }
      keepsBlankLines = header.hasSuffix("+")
    case .lines(let collection):
      let joins = lead == "-" && beside == nil && collection.items.first.map(canFollowDash) == true
      if joins { output += " " } else { endLine(beside, column) }
      block(collection, indentation: indentation + 2, opensLine: joins)
      for comment in foot { own(comment, margin: margin + "  ", isFirst: false) }
    }
  }

  /// Whether no comment has to stand above it.
  private func canFollowDash(_ item: LaidOutItem) -> Bool {
    switch item.value {
    case .collection(let collection):
      item.above.isEmpty && (!collection.items.isEmpty || collection.foot.isEmpty)
    case .scalar: item.above.isEmpty && (item.head == nil || item.beside == nil)
    }
  }

  /// Where the comments of an item go: in lines above it, behind its first or last line, in lines below its last child.
  private func places(
    of item: LaidOutItem, _ form: Form
  ) -> (above: [LaidOutComment], beside: LaidOutComment?, foot: [LaidOutComment]) {
    var above: [LaidOutComment] = []
    if case .collection(let collection) = item.value, collection.items.isEmpty { above = collection.foot }
    guard let head = item.head, let beside = item.beside else { return (above, item.head ?? item.beside, []) }
    if case .lines = form { return (above, head, [beside]) }
    return (above + [head], beside, [])
  }

  private func form(of item: LaidOutItem, room: Int) -> Form {
    if let line = oneLine(item, room: room) { return .line(line) }
    switch item.value {
    case .collection(let collection): return .lines(collection)
    case .scalar(.folded(let lines, _, _)): return .folded(lines)
    case .scalar(.block(let header, let lines)): return .block(header: header, lines: lines)
    case .scalar(let scalar): return .line(text(of: scalar, inFlow: false))
    }
  }

  /// Nil for what stands in several lines.
  private func oneLine(_ item: LaidOutItem, room: Int) -> String? {
    switch item.value {
    case .scalar(.folded), .scalar(.block): return nil
    case .scalar(let scalar): return text(of: scalar, inFlow: false)
    case .collection(let collection):
      if collection.items.isEmpty { return collection.isMapping ? "{}" : "[]" }
      guard !collection.isBlock, item.head == nil || item.beside == nil else { return nil }
      var text = ""
      var room = room
      return flow(item.value, into: &text, &room) ? text : nil
    }
  }

  private func text(of scalar: LaidOutScalar, inFlow: Bool) -> String {
    switch scalar {
    case .value(let text, let reading): text.yamlScalar(reading, inFlow: inFlow)
    case .plain(let text): text
    case .folded(_, let text, let isPlain):
      isPlain && !text.utf8.contains(UInt8(ascii: "\n")) ? text : text.yamlScalar(.text, inFlow: inFlow)
    // None stands in braces or brackets.
    case .block(let header, _): header
    }
  }

  /// Adds the value in one line.
  ///
  /// - Parameter room: the columns that are left; less than none where it does not fit.
  /// - Returns: whether it fits, and holds nothing that is always laid out in lines.
  private func flow(_ value: LaidOutValue, into output: inout String, _ room: inout Int) -> Bool {
    func add(_ text: String) -> Bool {
      output += text
      room -= text.unicodeScalars.count
      return room >= 0
    }
    switch value {
    case .scalar(.block): return false
    case .scalar(let scalar): return add(text(of: scalar, inFlow: true))
    case .collection(let collection):
      guard !collection.isBlock, collection.foot.isEmpty else { return false }
      guard add(collection.isMapping ? "{" : "[") else { return false }
      for (index, item) in collection.items.enumerated() {
        guard !item.hasComments, index == 0 || add(", ") else { return false }
        if let key = item.key.map({ text(of: $0, inFlow: true) }) {
          guard !needsKeyMark(key), add(key + ": ") else { return false }
        }
        guard flow(item.value, into: &output, &room) else { return false }
      }
      return add(collection.isMapping ? "}" : "]")
    }
  }

  private func needsKeyMark(_ key: String) -> Bool { key.utf8.count > 1000 }

  private mutating func endLine(_ beside: LaidOutComment? = nil, _ width: Int = 0) {
    if let beside { besides.append((output.utf8.count, line, width, beside)) }
    output += "\n"
    line += 1
  }

  /// What was laid out.
  ///
  /// Comments that stood in one column behind neighbouring lines stand in one column; each other one stands two blanks
  /// behind its line's text.
  var text: String {
    guard !besides.isEmpty else { return output }
    let bytes = Array(output.utf8)
    var result: [UInt8] = []
    var place = 0
    var first = 0
    while first < besides.count {
      var last = first
      while last + 1 < besides.count, besides[last + 1].line == besides[last].line + 1,
        besides[first].comment.column != nil,
        besides[last + 1].comment.column == besides[first].comment.column
      {
        last += 1
      }
      let column = besides[first...last].map(\.width).max() ?? 0
      for beside in besides[first...last] {
        result += bytes[place..<beside.end]
        result += (String(repeating: " ", count: column - beside.width + 2) + beside.comment.text).utf8
        place = beside.end
      }
      first = last + 1
    }
    return String(decoding: result + bytes[place...], as: UTF8.self)
  }
}

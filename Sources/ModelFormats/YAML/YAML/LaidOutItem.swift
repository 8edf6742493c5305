/// One pair of a mapping, one element of a list or a whole document, as ``YAMLPrinter`` lays it out: values on their way
/// out, and files that are formatted with all of their comments.
final class LaidOutItem {
  /// Nil for an element and a document.
  let key: LaidOutScalar?
  var value: LaidOutValue
  /// Whether a blank line stands above it, below the comments above it.
  var isApart = false
  /// In lines of their own.
  var above: [LaidOutComment] = []
  /// Behind the key or the dash, before the value begins.
  var head: LaidOutComment?
  /// In the line in which the value ends.
  var beside: LaidOutComment?

  init(key: LaidOutScalar? = nil, value: LaidOutValue = .scalar(.value("", .nothing))) {
    (self.key, self.value) = (key, value)
  }

  /// Whether the first line of the item, a comment where one stands above it, has a blank line above it.
  var beginsApart: Bool {
    get { above.first?.isApart ?? isApart }
    set { if above.isEmpty { isApart = newValue } else { above[0].isApart = newValue } }
  }

  var hasComments: Bool { head != nil || beside != nil || !above.isEmpty }
}

struct LaidOutComment {
  /// From the `#` on.
  var text: String
  /// Where it stood in its line; nil for none in particular.
  var column: Int?
  var isApart = false
}

enum LaidOutValue {
  case scalar(LaidOutScalar)
  case collection(LaidOutCollection)

  init(_ value: YAMLValue) {
    switch value {
    case .scalar(let text, let reading): self = .scalar(.value(text, reading))
    case .mapping(let pairs, let layout): self = .collection(LaidOutCollection(pairs, layout))
    case .sequence(let elements, let layout): self = .collection(LaidOutCollection(elements, layout))
    }
  }
}

enum LaidOutScalar {
  /// A text, quoted where it has to be.
  case value(String, YAMLValue.Reading)
  /// Without quotes, as it is.
  case plain(String)
  /// Lines as they stand, without indentation, and the whole as a value.
  case folded([String], text: String, isPlain: Bool)
  /// `|` or `>` and what else stands there, and the lines of text.
  case block(header: String, lines: [String])
}

final class LaidOutCollection {
  let isMapping: Bool
  /// In lines, a child each; else in braces or brackets while that fits.
  let isBlock: Bool
  var items: [LaidOutItem] = []
  /// Comments after the last child.
  var foot: [LaidOutComment] = []

  init(isMapping: Bool, isBlock: Bool) { (self.isMapping, self.isBlock) = (isMapping, isBlock) }

  convenience init(_ pairs: [YAMLPair], _ layout: YAMLValue.Layout = .block) {
    self.init(isMapping: true, isBlock: layout == .block && !pairs.isEmpty)
    items = pairs.map { LaidOutItem(key: .value($0.key, .text), value: LaidOutValue($0.value)) }
  }

  convenience init(_ elements: [YAMLValue], _ layout: YAMLValue.Layout = .block) {
    self.init(isMapping: false, isBlock: layout == .block && !elements.isEmpty)
    items = elements.map { LaidOutItem(value: LaidOutValue($0)) }
  }
}

/// What the value of a key looks like in a file: what an editor has to know to complete and check it.
///
/// Shapes come from the reader's own tables (``Field``, ``Form``), so an editor cannot know another language than
/// the compiler does. They say less than the reader: what needs more than one place of the file is the checks' part.
indirect enum ValueShape: Hashable, Sendable {
  /// Nobody has said; a test makes sure that no key of the language stays so.
  case unstated
  /// Text that means itself.
  case text
  /// Text of one form, as a regular expression.
  case pattern(String)
  /// A number, a Boolean or a date, which the reader takes as text.
  case literal
  /// The same, or nothing at all.
  case optionalLiteral
  case flag
  case integer(ClosedRange<Int>)
  case words([String])
  case list(of: ValueShape)
  /// Names, of the given form where there is one, each with a value of the same kind.
  case named(ValueShape, names: String? = nil)
  /// The keys of a ``Schema``.
  case keys(KeyedShape)
  case either([ValueShape])

  /// Every keyed mapping within, itself included, each name once.
  var keyedShapes: [KeyedShape] {
    var found: [KeyedShape] = []
    collect(into: &found)
    return found
  }

  private func collect(into found: inout [KeyedShape]) {
    switch self {
    case .list(let element), .named(let element, _): element.collect(into: &found)
    case .either(let shapes): for shape in shapes { shape.collect(into: &found) }
    case .keys(let keyed):
      guard !found.contains(where: { $0.name == keyed.name }) else { return }
      found.append(keyed)
      for key in keyed.keys { key.shape.collect(into: &found) }
    case .unstated, .text, .pattern, .literal, .optionalLiteral, .flag, .integer, .words: break
    }
  }
}

/// A mapping whose keys the language knows.
struct KeyedShape: Hashable, Sendable {
  /// The mapping in words: `an attribute`.
  let name: String
  let keys: [Key]
  /// Of each group exactly one key stands there.
  let choices: [[String]]

  struct Key: Hashable, Sendable {
    let name: String
    let isRequired: Bool
    let shape: ValueShape
    /// What the absence of the key says, where a value could say it too.
    var absent: YAMLValue?
  }
}

extension Schema {
  /// What a mapping with these keys looks like.
  var shape: ValueShape {
    .keys(
      KeyedShape(
        name: name,
        keys: fields.map {
          .init(name: $0.key, isRequired: $0.isRequired, shape: $0.shape(), absent: $0.absent())
        },
        choices: choices))
  }
}

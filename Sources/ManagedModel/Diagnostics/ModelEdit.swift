/// An edit that fixes a finding, in the model's own terms.
///
/// The source that the model was read from turns it into a ``Diagnostic/FixIt``; see ``Diagnostic/located(by:)``.
package struct ModelEdit: Hashable, Sendable {
  /// What to do, as it is after `fix:`.
  package var message: String
  /// The key, property, entity or list element that the change is made at.
  package var subject: ModelSubject
  package var change: Change
  /// See ``Diagnostic/FixIt/isSafe``.
  package var isSafe: Bool

  package init(_ message: String, at subject: ModelSubject, _ change: Change, isSafe: Bool = false) {
    (self.message, self.subject, self.change, self.isSafe) = (message, subject, change, isSafe)
  }

  package enum Change: Hashable, Sendable {
    /// The key's value, or the list's element, becomes another one.
    case replace(with: Value)
    /// The name of the key itself becomes another one.
    case rename(to: String)
    /// The key goes with its value, or the element goes from its list.
    case remove
    /// The mapping gains a key; a section that does not exist yet is begun.
    case add(key: String, Value)
    /// The list gains an element.
    case append(Value)
    /// The values of two keys of one mapping change places.
    case swap(with: ModelSubject)
    /// An attribute may be without a value: `?` after its type.
    case makeOptional
    /// Text comes before the text of the value.
    case prefix(String)
    /// Every occurrence of a word in the text of the value becomes another word.
    case replaceWord(String, with: String)
  }

  /// What a model file says at a place.
  package indirect enum Value: Hashable, Sendable {
    /// A name or another text that means itself.
    case text(String)
    /// A number, a Boolean or a word of the language.
    case word(String)
    case mapping([Pair])
  }

  package struct Pair: Hashable, Sendable {
    package var key: String
    package var value: Value

    package init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
  }
}

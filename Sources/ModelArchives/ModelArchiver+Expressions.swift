import ManagedModel

/// Texts of predicates and expressions, which models hold, as the objects that Core Data holds.
extension ModelArchiver {
  /// A text as an object, and the text itself where the object would not give it back.
  struct ArchivedText {
    /// Nil if the text cannot be read; the checks say why.
    var value: PropertyListValue?
    var spelling: String?
  }

  mutating func archivedPredicate(_ text: String) -> ArchivedText {
    archived(text, as: try? parsePredicate(text.trimmedText), by: { $0.archived($1) }) {
      try $0.predicate($1).predicateFormat
    }
  }

  mutating func archivedExpression(_ text: String) -> ArchivedText {
    archived(text, as: try? parseExpression(text.trimmedText), by: { $0.archived($1) }) {
      try $0.expression(.object($1)).description
    }
  }

  /// - Parameter print: what the reader makes of the object, as text.
  private mutating func archived<Syntax>(
    _ text: String, as syntax: Syntax?, by archive: (inout KeyedArchiveBuilder, Syntax) -> PropertyListValue,
    print: (ExpressionUnarchiver, ArchivedObject) throws -> String
  ) -> ArchivedText {
    var trial = KeyedArchiveBuilder()
    guard let syntax else { return ArchivedText(spelling: text) }
    let root = archive(&trial, syntax)
    guard let object = try? KeyedArchive(trial.data(of: root)).root,
      let printed = try? print(ExpressionUnarchiver(WorkBudget(.max)), object)
    else { return ArchivedText(spelling: text) }
    return ArchivedText(value: archive(&builder, syntax), spelling: printed == text ? nil : text)
  }

  /// A field for a predicate, with one for its spelling where that is needed.
  mutating func predicateFields(_ text: String?, key: String) -> [PropertyListValue.Entry] {
    guard let text else { return [.init(key, KeyedArchiveBuilder.null)] }
    return fields(archivedPredicate(text), key: key)
  }

  mutating func fields(_ archived: ArchivedText, key: String) -> [PropertyListValue.Entry] {
    [.init(key, archived.value ?? KeyedArchiveBuilder.null)]
      + (archived.spelling.map { [.init(ModelcKey.spelling, builder.string($0))] } ?? [])
  }

  mutating func derivationFields(of attribute: AttributeDescription) -> [PropertyListValue.Entry] {
    guard let text = attribute.derivationExpression else { return [] }
    guard let derivation = Derivation(text) else {
      return fields(archivedExpression(text), key: "NSDerivationExpression")
    }
    let isSpelled = derivation.text(isToMany: { _ in false }) == text
    let archived = ArchivedText(value: archived(derivation), spelling: isSpelled ? nil : text)
    return fields(archived, key: "NSDerivationExpression")
  }

  private mutating func archived(_ derivation: Derivation) -> PropertyListValue {
    switch derivation {
    case .keyPath(let path): return archived(path: path)
    case .function(let selector, let path):
      return builder.predefined(selector, path.map { [archived(path: $0)] } ?? [])
    }
  }

  private mutating func archived(path: String) -> PropertyListValue {
    builder.archived(.keyPath(path.split(separator: ".").map(String.init), of: nil))
  }
}

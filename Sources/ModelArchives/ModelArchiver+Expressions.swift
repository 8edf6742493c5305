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
    guard let predicate = try? parsePredicate(text.trimmedText), let printed = archivedFormat(of: predicate)
    else {
      return ArchivedText(value: nil, spelling: text)
    }
    return ArchivedText(value: builder.archived(predicate), spelling: printed == text ? nil : text)
  }

  mutating func archivedExpression(_ text: String) -> ArchivedText {
    guard let expression = try? parseExpression(text.trimmedText),
      let printed = archivedFormat(of: expression)
    else {
      return ArchivedText(value: nil, spelling: text)
    }
    return ArchivedText(value: builder.archived(expression), spelling: printed == text ? nil : text)
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

/// What the reader makes of an archived predicate, as text; nil if it cannot read it.
private func archivedFormat(of predicate: Predicate) -> String? {
  var builder = KeyedArchiveBuilder()
  let value = builder.archived(predicate)
  guard let root = archivedRoot(value, in: builder) else { return nil }
  return try? ExpressionUnarchiver(WorkBudget(.max)).predicate(root).predicateFormat
}

private func archivedFormat(of expression: Expression) -> String? {
  var builder = KeyedArchiveBuilder()
  let value = builder.archived(expression)
  guard let root = archivedRoot(value, in: builder) else { return nil }
  return try? ExpressionUnarchiver(WorkBudget(.max)).expression(.object(root)).description
}

private func archivedRoot(_ value: PropertyListValue, in builder: KeyedArchiveBuilder) -> ArchivedObject? {
  guard case .reference(let root) = value else { return nil }
  var builder = builder
  return try? KeyedArchive(builder.data(root: root)).root
}

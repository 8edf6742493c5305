import ManagedModel
import ModelArchives

extension StoreMetadata {
  /// The same with texts in the app's own values replaced, wherever in them they stand.
  package func replacingTexts(_ replacements: [StoreStatement.TextReplacement]) -> StoreMetadata {
    guard !replacements.isEmpty else { return self }
    var changed = self
    for (key, value) in applicationValues {
      changed.setApplicationValue(value.replacingTexts(replacements), forKey: key)
    }
    return changed
  }

  /// How many texts among the app's own values contain one of these.
  package func countTexts(containing texts: [String]) -> Int {
    applicationValues.values.reduce(0) { $0 + $1.countTexts(containing: texts) }
  }
}

extension PropertyListValue {
  fileprivate func replacingTexts(_ replacements: [StoreStatement.TextReplacement]) -> PropertyListValue {
    switch self {
    case .string(let text): .string(replacing(text, replacements))
    case .array(let values): .array(values.map { $0.replacingTexts(replacements) })
    case .dictionary(let values): .dictionary(values.mapValues { $0.replacingTexts(replacements) })
    default: self
    }
  }

  fileprivate func countTexts(containing texts: [String]) -> Int {
    switch self {
    case .string(let text): texts.contains { text.contains($0) } ? 1 : 0
    case .array(let values): values.reduce(0) { $0 + $1.countTexts(containing: texts) }
    case .dictionary(let values): values.values.reduce(0) { $0 + $1.countTexts(containing: texts) }
    default: 0
    }
  }
}

/// Every old text becomes a mark, then every mark becomes the new text. So two texts may change places.
private func replacing(_ text: String, _ replacements: [StoreStatement.TextReplacement]) -> String {
  var text = text
  for (index, replacement) in replacements.enumerated() {
    text = text.replacingBytes(of: replacement.old, with: "\u{1}modelc \(index)\u{1}")
  }
  for (index, replacement) in replacements.enumerated() {
    text = text.replacingBytes(of: "\u{1}modelc \(index)\u{1}", with: replacement.new)
  }
  return text
}

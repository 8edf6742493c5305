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
    case .string(let text):
      .string(replacements.carriedOut(on: text) { $0.replacingBytes(of: $1, with: $2) })
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

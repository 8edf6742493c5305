import Foundation
package import ManagedModel

/// What reading a file gathers beside the values.
package final class LanguageReading {
  let file: String
  package var diagnostics: [Diagnostic] = [] {
    didSet { if diagnostics.last?.severity == .error { errorCount += 1 } }
  }
  private var errorCount = 0
  /// Why the model is too large; apart from the rest, so that no such finding is lost among many.
  var limits: [Diagnostic] = []
  /// What versions of the same model have in common.
  let known: NamedCache<LanguageEntity>?

  init(file: String, sharing known: NamedCache<LanguageEntity>? = nil) {
    (self.file, self.known) = (file, known)
  }

  /// The nodes of a file, and what is wrong with them; no node where the text cannot be parsed.
  static func read(
    _ yaml: Data, file: String, sharing known: NamedCache<LanguageEntity>? = nil
  ) -> (node: YAMLNode?, reading: LanguageReading) {
    let (node, diagnostics) = readYAML(yaml, file: file)
    let reading = LanguageReading(file: file, sharing: known)
    reading.diagnostics = diagnostics
    return (node, reading)
  }

  /// Whether so much is wrong that reading on is of no use.
  var isFull: Bool { errorCount > FindingLimits.errors }

  /// Whether there are warnings enough.
  var isFullOfWarnings: Bool { diagnostics.count - errorCount >= FindingLimits.errors }

  /// All findings in the order of the file, each on one line.
  package var finished: [Diagnostic] {
    diagnostics.isEmpty ? [] : diagnostics.map(\.onOneLine).ordered.limited
  }
}

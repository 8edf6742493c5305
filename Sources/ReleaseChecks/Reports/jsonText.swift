import Foundation
import ManagedModel

/// A value as JSON text with sorted keys, so that equal reports are equal files.
func jsonText(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  // Our own reports hold texts and numbers only, which always encode.
  return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self).visibleJSON + "\n" } ?? ""
}

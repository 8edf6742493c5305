import Foundation
import ManagedModel

/// The bytes of an XML document, and the lines that they stand in: findings ask for them, nothing else does.
final class XMLDocumentText: @unchecked Sendable {
  let file: String
  let bytes: [UInt8]
  private let lock = NSLock()
  private var known: SourceLines?

  init(_ contents: Data, file: String) {
    self.file = file
    bytes = [UInt8](contents)
  }

  func range(_ range: Range<Int>) -> SourceRange {
    let lines: SourceLines = lock.withLock {
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let lines = known ?? SourceLines(bytes, file: file, from: start)
      known = lines
      return lines
    }
    return lines.range(range.lowerBound, range.upperBound)
  }
}

import Foundation
import ManagedModel

/// The bytes of an XML document, and the lines that they stand in: findings ask for them, nothing else does.
final class XMLDocumentText: @unchecked Sendable {
  let file: String
  let bytes: [UInt8]
  private let lock = NSLock()
  private var knownLineStarts: [Int]?

  init(_ contents: Data, file: String) {
    self.file = file
    bytes = [UInt8](contents)
  }

  func range(_ bytes: Range<Int>) -> SourceRange {
    let lineStarts = lineStarts
    return SourceRange(
      file: file, start: location(of: bytes.lowerBound, lineStarts),
      end: location(of: bytes.upperBound, lineStarts))
  }

  private func location(of offset: Int, _ lineStarts: [Int]) -> SourceLocation {
    let offset = min(offset, bytes.count)
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let start = low < lineStarts.count ? min(lineStarts[low], offset) : offset
    // A character's further bytes are not columns of their own.
    let characters = bytes[start..<offset].count { $0 & 0xC0 != 0x80 }
    return SourceLocation(line: low + 1, column: characters + 1)
  }

  private var lineStarts: [Int] {
    lock.withLock {
      if let knownLineStarts { return knownLineStarts }
      var starts = [hasByteOrderMark ? 3 : 0]
      for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(index + 1) }
      knownLineStarts = starts
      return starts
    }
  }

  var hasByteOrderMark: Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }
}

/// Where the lines of a text begin, to tell places in it.
package struct SourceLines: Sendable {
  package let file: String
  package let bytes: [UInt8]
  private var starts: [Int]

  /// - Parameter start: where the first line begins, behind a byte order mark.
  package init(_ bytes: [UInt8], file: String, from start: Int = 0) {
    (self.bytes, self.file, starts) = (bytes, file, [start])
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
  }

  package func range(_ start: Int, _ end: Int) -> SourceRange {
    SourceRange(file: file, start: location(start), end: location(end))
  }

  /// - Parameter offset: in bytes; columns count scalars.
  private func location(_ offset: Int) -> SourceLocation {
    let offset = min(max(offset, 0), bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    // A byte that continues a scalar is not a column of its own.
    let column = bytes[min(starts[low], offset)..<offset].count { $0 & 0xC0 != 0x80 }
    return SourceLocation(line: low + 1, column: column + 1)
  }
}

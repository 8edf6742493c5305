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
    let line = starts.indices.end { starts[$0] <= offset } - 1
    // A byte that continues a scalar is not a column of its own.
    let column = bytes[starts[line]..<offset].count { $0 & 0xC0 != 0x80 }
    return SourceLocation(line: line + 1, column: column + 1)
  }
}

extension Range<Int> {
  /// The first number for which a condition does not hold that holds for all before it; the range's end if there is none.
  package func end(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

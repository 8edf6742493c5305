import ManagedModel

/// Where the lines of a text begin, to tell places in it.
struct SourceLines {
  let file: String
  private let bytes: [UInt8]
  private var starts: [Int] = [0]

  init(_ text: String, file: String) {
    self.file = file
    bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
  }

  func range(_ start: Int, _ end: Int) -> SourceRange {
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
    // A byte that continues a scalar is no column of its own.
    let column = bytes[starts[low]..<offset].count { $0 & 0xC0 != 0x80 }
    return SourceLocation(line: low + 1, column: column + 1)
  }
}

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

  /// The beginning of a stretch.
  func text(_ start: Int, _ end: Int) -> String {
    let end = min(max(end, 0), bytes.count, start + 200)
    return start < end ? String(decoding: bytes[max(start, 0)..<end], as: UTF8.self) : ""
  }

  /// Whether something lies so deep, or a chain is so long, that no person wrote it: reading goes as deep as the text.
  var isTooDeep: Bool {
    var (depth, links, isLineEmpty) = (0, 0, false)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "{"): (depth, links) = (depth + 1, 0)
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth = max(0, depth - 1)
      case UInt8(ascii: "}"): (depth, links) = (max(0, depth - 1), 0)
      case UInt8(ascii: ","), UInt8(ascii: ";"): links = 0
      case UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "!"): links += 1
      case UInt8(ascii: "\n") where isLineEmpty: links = 0
      default: break
      }
      if depth > Self.depthLimit || links > Self.linkLimit { return true }
      if byte == UInt8(ascii: "\n") {
        isLineEmpty = true
      } else if byte > UInt8(ascii: " ") {
        isLineEmpty = false
      }
    }
    return false
  }

  private static let depthLimit = 200
  private static let linkLimit = 2_000

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
    // A byte that continues a scalar is not a column of its own.
    let column = bytes[starts[low]..<offset].count { $0 & 0xC0 != 0x80 }
    return SourceLocation(line: low + 1, column: column + 1)
  }
}

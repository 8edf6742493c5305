import ManagedModel

extension SourceLines {
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
      isLineEmpty = byte == UInt8(ascii: "\n") || isLineEmpty && byte <= UInt8(ascii: " ")
    }
    return false
  }

  private static let depthLimit = 200
  private static let linkLimit = 2_000
}

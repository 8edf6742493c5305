import Foundation
import ManagedModel
import ModelArchives

extension PropertyListValue {
  /// Reads a list in the textual form of NeXTSTEP, in which Xcode writes its projects: `{ key = (a, "b c"); }`.
  ///
  /// Nil if the bytes are not such a list, or nest deeper than any project does.
  init?(text data: Data) {
    var reader = TextPropertyListReader(bytes: [UInt8](data))
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.isAtEnd else { return nil }
    self = value
  }
}

private struct TextPropertyListReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position >= bytes.count }
  private var next: UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func value(depth: Int) -> PropertyListValue? {
    skipSpace()
    guard depth < 64, let next else { return nil }
    switch next {
    case UInt8(ascii: "{"):
      return items(hasKeys: true, endingWith: "}", separator: ";", depth).map { items in
        .dictionary(Dictionary(items.map { ($0.key, $0.value) }) { $1 })
      }
    case UInt8(ascii: "("):
      return items(hasKeys: false, endingWith: ")", separator: ",", depth).map { .array($0.map(\.value)) }
    case UInt8(ascii: "<"):
      guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      position = end + 1
      return .data(Data())
    default: return text().map(PropertyListValue.string)
    }
  }

  /// The values of a list, each with its key where it has any, up to the mark at its end.
  private mutating func items(
    hasKeys: Bool, endingWith end: Unicode.Scalar, separator: Unicode.Scalar, _ depth: Int
  ) -> [(key: String, value: PropertyListValue)]? {
    position += 1
    var items: [(key: String, value: PropertyListValue)] = []
    while true {
      skipSpace()
      if take(end) { return items }
      guard let key = hasKeys ? text() : "" else { return nil }
      skipSpace()
      guard !hasKeys || take("="), let value = value(depth: depth + 1) else { return nil }
      items.append((key, value))
      skipSpace()
      guard take(separator) || next == UInt8(ascii: end) else { return nil }
    }
  }

  private mutating func text() -> String? {
    guard let first = next else { return nil }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return quoted(by: first) }
    let start = position
    while let byte = next, byte.isOfWord || byte >= 0x80 || "$/:.-@+".utf8.contains(byte) { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private mutating func quoted(by quote: UInt8) -> String? {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), let escaped = next else {
        text.append(byte)
        continue
      }
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "t"): text.append(9)
      default: text.append(escaped)
      }
    }
    return nil
  }

  /// Spaces and comments.
  mutating func skipSpace() {
    while let byte = next {
      if byte == 32 || (9...13).contains(byte) {
        position += 1
      } else if bytes[position...].starts(with: "/*".utf8) {
        position += 2
        while !isAtEnd, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
        position = min(position + 2, bytes.count)
      } else if bytes[position...].starts(with: "//".utf8) {
        while let byte = next, byte != 10 { position += 1 }
      } else {
        return
      }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}

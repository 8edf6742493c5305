import ManagedModel

/// XML as Xcode lays it out: four blanks per level, one element a line, attributes in the order given, no line end
/// after the last line.
struct XMLText {
  private(set) var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
  /// Attributes whose value holds a character that XML has no way to write, as `element.attribute`.
  private(set) var unwritable: [String] = []
  private var depth = 0

  /// Adds an element; attributes without a value are left out.
  mutating func element(
    _ name: String, _ attributes: [(String, String?)] = [], _ children: (inout XMLText) -> Void = { _ in }
  ) {
    text += "\n" + String(repeating: " ", count: depth * 4) + "<" + name
    for (attribute, value) in attributes {
      guard let value else { continue }
      text += " \(attribute)=\"\(escaped(value, of: "\(name).\(attribute)"))\""
    }
    text += ">"
    let length = text.utf8.count
    depth += 1
    children(&self)
    depth -= 1
    if text.utf8.count == length {
      text.removeLast()
      text += "/>"
    } else {
      text += "\n" + String(repeating: " ", count: depth * 4) + "</" + name + ">"
    }
  }

  private mutating func escaped(_ value: String, of attribute: String) -> String {
    guard value.utf8.contains(where: Self.needsCare) else { return value }
    let known = value.escaped { $0.isInXML ? nil : "" }
    if known.utf8.count != value.utf8.count, unwritable.last != attribute { unwritable.append(attribute) }
    return known.xmlAttribute
  }

  /// Bytes that begin a character which is not written as it is.
  private static func needsCare(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "\"") || byte == 0xEF
  }
}

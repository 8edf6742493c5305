/// A JSON document, read strictly: no key twice, nothing behind its end.
package enum JSONDocument: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONDocument])
  case object([String: JSONDocument])

  package struct Flaw: Error, CustomStringConvertible {
    package var description: String
  }

  package init(_ text: String) throws {
    var reader = Reader(Array(text.utf8))
    self = try reader.document()
  }

  package subscript(key: String) -> JSONDocument? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }
  package var elements: [JSONDocument]? { if case .array(let elements) = self { elements } else { nil } }
  package var members: [String: JSONDocument]? {
    if case .object(let members) = self { members } else { nil }
  }
}

private struct Reader {
  let bytes: [UInt8]
  var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws -> JSONDocument {
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.count else { throw flaw("something stands behind the end") }
    return value
  }

  private func flaw(_ text: String) -> JSONDocument.Flaw { .init(description: "byte \(index): \(text)") }

  // Without generics: tests are debug code, and results may be large.
  private mutating func skipSpace() {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      index += 1
    }
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    for offset in 0..<count where unsafe bytes[index + offset] != text.utf8Start[offset] { return false }
    index += count
    return true
  }

  private mutating func value(depth: Int) throws -> JSONDocument {
    skipSpace()
    guard index < bytes.count, depth < 500 else { throw flaw("no value") }
    switch bytes[index] {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    default: break
    }
    if take("null") { return .null }
    if take("true") { return .boolean(true) }
    if take("false") { return .boolean(false) }
    return try number()
  }

  private mutating func object(_ depth: Int) throws -> JSONDocument {
    var members: [String: JSONDocument] = [:]
    index += 1
    skipSpace()
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      let key = try string()
      skipSpace()
      guard take(":") else { throw flaw("no colon") }
      guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
        throw flaw("'\(key)' is listed twice")
      }
      skipSpace()
    } while take(",")
    guard take("}") else { throw flaw("an object has no end") }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws -> JSONDocument {
    var elements: [JSONDocument] = []
    index += 1
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw flaw("an array has no end") }
    return .array(elements)
  }

  private mutating func string() throws -> String {
    guard take("\"") else { throw flaw("no string") }
    var units: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      guard bytes[index] >= 0x20 else { throw flaw("a control character") }
      if bytes[index] == UInt8(ascii: "\\") {
        units += try escape()
      } else {
        units.append(bytes[index]); index += 1
      }
    }
    guard take("\"") else { throw flaw("a string has no end") }
    guard let text = String(validating: units, as: UTF8.self) else { throw flaw("no UTF-8") }
    return text
  }

  private mutating func escape() throws -> [UInt8] {
    index += 1
    guard index < bytes.count else { throw flaw("an escape has no end") }
    let plain: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    if let byte = plain[bytes[index]] {
      index += 1
      return [byte]
    }
    let first = try codeUnit()
    guard (0xD800..<0xDC00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw flaw("half a character") }
      return Array(String(scalar).utf8)
    }
    guard take("\\") else { throw flaw("half a character") }
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second) else { throw flaw("half a character") }
    let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    return Array(scalar.map { String($0) }?.utf8 ?? "".utf8)
  }

  private mutating func codeUnit() throws -> UInt32 {
    guard take("u"), index + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw flaw("no such escape") }
    index += 4
    return unit
  }

  private mutating func number() throws -> JSONDocument {
    let start = index
    while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/#) != nil else {
      throw flaw("no value")
    }
    if let integer = Int64(text) { return .integer(integer) }
    return .number(Double(text) ?? .nan)
  }
}

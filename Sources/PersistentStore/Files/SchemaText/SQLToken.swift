import ManagedModel

/// A word, name, literal or sign of an SQL text, cut as SQLite's tokenizer cuts it (https://sqlite.org/src/file/src/tokenize.c).
enum SQLToken: Equatable {
  /// A bare word in lower case: a keyword or a name.
  case word(String)
  /// A name in double quotes, backquotes or brackets, without them.
  case quotedName(String)
  /// Text in single quotes, without them.
  case text(String)
  /// A number or a blob literal.
  case number
  case sign(UInt8)

  /// What it says where a name is expected; SQLite takes text in single quotes there as well.
  var name: String? {
    switch self {
    case .word(let name), .quotedName(let name), .text(let name): name
    case .number, .sign: nil
    }
  }

  /// Whether a value or a name can end with it, so that an operator may follow.
  var endsOperand: Bool { if case .sign = self { isSign(")") } else { true } }

  func isWord(_ words: String...) -> Bool {
    if case .word(let word) = self { words.contains(word) } else { false }
  }

  func isSign(_ sign: Unicode.Scalar) -> Bool { self == .sign(UInt8(ascii: sign)) }
}

/// Cuts a text into its tokens; blanks and comments are left out.
struct SQLTokenizer {
  let bytes: [UInt8]
  var index = 0

  /// - Returns: nil if a quotation does not end: SQLite does not read such a text either.
  mutating func tokens() -> [SQLToken]? {
    var tokens: [SQLToken] = []
    while true {
      skipBlanks()
      guard let byte = byte() else { return tokens }
      guard let token = token(beginningWith: byte) else { return nil }
      tokens.append(token)
    }
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    bytes.indices.contains(index + offset) ? bytes[index + offset] : nil
  }

  private mutating func skipBlanks() {
    while let byte = byte() {
      if [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte) {
        index += 1
      } else if bytes[index...].starts(with: "--".utf8) {
        skip { $0.byte() == UInt8(ascii: "\n") }
      } else if bytes[index...].starts(with: "/*".utf8), self.byte(2) != nil {
        index += 2
        skip { $0.bytes[$0.index...].starts(with: "*/".utf8) }
        index = min(index + 2, bytes.count)
      } else if bytes[index...].starts(with: "\u{FEFF}".utf8) {
        index += 3
      } else {
        return
      }
    }
  }

  private mutating func skip(until isEnd: (Self) -> Bool) {
    while index < bytes.count, !isEnd(self) { index += 1 }
  }

  private mutating func token(beginningWith first: UInt8) -> SQLToken? {
    switch first {
    case UInt8(ascii: "'"): return quotation(endingWith: first).map(SQLToken.text)
    case UInt8(ascii: "\""), UInt8(ascii: "`"): return quotation(endingWith: first).map(SQLToken.quotedName)
    case UInt8(ascii: "["):
      guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      defer { index = end + 1 }
      return .quotedName(String(decoding: bytes[index + 1..<end], as: UTF8.self))
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      guard byte(1) == UInt8(ascii: "'") else { return .word(word()) }
      index += 1
      return quotation(endingWith: UInt8(ascii: "'")).map { _ in .number }
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      _ = word()
      return .number
    case _ where Self.isPartOfWord(first): return .word(word())
    default:
      index += 1
      return .sign(first)
    }
  }

  /// In lower case as SQLite sees it: only ASCII letters have one.
  private mutating func word() -> String {
    let start = index
    while let byte = byte(), Self.isPartOfWord(byte) { index += 1 }
    let lowercased = bytes[start..<index].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: lowercased, as: UTF8.self)
  }

  /// - Returns: nil if the mark that ends it is missing; two of them stand for one.
  private mutating func quotation(endingWith mark: UInt8) -> String? {
    var content: [UInt8] = []
    index += 1
    while let byte = byte() {
      index += 1
      if byte == mark {
        guard self.byte() == mark else { return String(decoding: content, as: UTF8.self) }
        index += 1
      }
      content.append(byte)
    }
    return nil
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte.isOfWord || byte >= 0x80 || byte == UInt8(ascii: "$")
  }
}

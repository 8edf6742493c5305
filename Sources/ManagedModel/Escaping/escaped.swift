extension String {
  /// The text with scalars replaced by what the closure gives. A scalar for which it gives nil stays.
  ///
  /// All escaping goes through it, because a reader of the result sees scalars or bytes. `String.replacing` and
  /// `contains` compare characters: to them `\r\n` holds no `\n`, and a quote before a combining accent is not a quote.
  package func escaped(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = replacement(scalar) {
        result.append(contentsOf: text.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text with every occurrence of another one replaced, byte by byte.
  package func replacingBytes(of old: String, with new: String) -> String {
    let (text, old) = (Array(utf8), Array(old.utf8))
    var result: [UInt8] = []
    var index = 0
    while let found = text.firstRange(of: old, from: index) {
      result += text[index..<found.lowerBound] + new.utf8
      index = found.upperBound
    }
    return index == 0 ? self : String(decoding: result + text[index...], as: UTF8.self)
  }

  /// The lines of the text, whatever ends them: `\n`, `\r\n` or `\r`.
  package var lines: [String] {
    // A line end never joins with what follows, and `\r\n` is one character.
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }.map(String.init)
  }
}

extension [UInt8] {
  /// Where other bytes occur first.
  func firstRange(of part: [UInt8], from start: Int) -> Range<Int>? {
    guard let first = part.first, count >= part.count else { return nil }
    var index = start
    while index <= count - part.count {
      guard let found = self[index...(count - part.count)].firstIndex(of: first) else { return nil }
      if self[found..<found + part.count] == part[...] { return found..<found + part.count }
      index = found + 1
    }
    return nil
  }
}

extension Sequence<String> {
  /// Version names as people order them: names without a number first, numbers by value (`Model 2` before
  /// `Model 10`), equal ones by code point.
  package var sortedNaturally: [String] {
    sorted { left, right in
      let (leftNumbered, rightNumbered) = (left.contains(where: \.isDigit), right.contains(where: \.isDigit))
      if leftNumbered != rightNumbered { return rightNumbered }
      return precedesNaturally(Array(left.unicodeScalars), Array(right.unicodeScalars)) ?? (left < right)
    }
  }
}

extension [String] {
  /// Whether the names are those of one series, in which numbers say what came first: `Model`, `Model 2`, `Model 10`.
  ///
  /// They differ in their numbers alone; one of them may have none, and is then what the others begin with.
  package var isNumberedSeries: Bool {
    var beginnings: [String: Set<String>] = [:]
    for name in self where name.contains(where: \.isDigit) {
      // `2`, `2.10` and `1_3` are numbers; what stands before and behind is the series.
      let beginning = name.prefix { !$0.isDigit }
      let rest = name[beginning.endIndex...].drop { $0.isDigit || $0 == "." || $0 == "_" || $0 == "-" }
      beginnings[String(beginning), default: []].insert(String(rest))
    }
    let plain = filter { !$0.contains(where: \.isDigit) }
    if beginnings.isEmpty { return plain.count <= 1 }
    guard beginnings.count == 1, let (beginning, endings) = beginnings.first, endings.count == 1,
      plain.count <= 1
    else { return false }
    return plain.allSatisfy { beginning.utf8.starts(with: $0.utf8) }
  }
}

/// Nil if the two differ in nothing but case or leading zeros.
private func precedesNaturally(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Bool? {
  var (i, j) = (0, 0)
  while i < left.count, j < right.count {
    if left[i].isDigit, right[j].isDigit {
      let (leftDigits, rightDigits) = (number(in: left, at: &i), number(in: right, at: &j))
      if leftDigits.count != rightDigits.count { return leftDigits.count < rightDigits.count }
      if leftDigits != rightDigits { return leftDigits.lexicographicallyPrecedes(rightDigits) }
    } else {
      let (l, r) = (left[i].properties.lowercaseMapping, right[j].properties.lowercaseMapping)
      if l != r { return l.utf8.lexicographicallyPrecedes(r.utf8) }
      i += 1
      j += 1
    }
  }
  let (leftRest, rightRest) = (left.count - i, right.count - j)
  return leftRest == rightRest ? nil : leftRest < rightRest
}

/// The digits from here on without leading zeros.
private func number(in text: [Unicode.Scalar], at place: inout Int) -> ArraySlice<UInt32> {
  var digits: [UInt32] = []
  while place < text.count, text[place].isDigit {
    digits.append(text[place].value)
    place += 1
  }
  return digits.drop { $0 == 0x30 }
}

/// Of ASCII.
extension UInt8 {
  package var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  /// A letter, a digit or an underscore.
  package var isOfWord: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}

extension Unicode.Scalar { package var isDigit: Bool { (0x30...0x39).contains(value) } }

extension Character { fileprivate var isDigit: Bool { isASCII && isNumber } }

import ManagedModel

extension String {
  /// A scalar as it is in a file: plain where that reads back to the same text, else in quotes.
  func yamlScalar(_ reading: YAMLValue.Reading, inFlow: Bool) -> String {
    if reading == .nothing { return "" }
    let isPlain = isPlainScalar(inFlow: inFlow) && !(reading == .text && isAmbiguousScalar)
    return isPlain ? self : quotedScalar
  }

  /// Whether the text, written without quotes, is read as itself.
  ///
  /// Stricter than YAML where a reader could stumble: in doubt the answer is no.
  func isPlainScalar(inFlow: Bool) -> Bool {
    // Most texts of a model.
    if !isEmpty, utf8.allSatisfy(\.isOfWord) { return true }
    let scalars = Array(unicodeScalars)
    guard let first = scalars.first, let last = scalars.last, first != " ", last != " ", last != ":",
      !hasPrefix("---"), !hasPrefix("...")
    else { return false }
    switch first {
    case "-":
      guard scalars.count > 1, scalars[1].isPlainStart else { return false }
    default:
      guard !"?:,[]{}#&*!|>'\"%@`".unicodeScalars.contains(first) else { return false }
    }
    for (index, scalar) in scalars.enumerated() {
      guard !scalar.needsEscape else { return false }
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      switch scalar {
      case ":": if next == " " || (inFlow && !next.isPlainStart) { return false }
      case " ": if next == "#" { return false }
      // PyYAML takes a question mark in brackets for an indicator.
      case ",", "[", "]", "{", "}", "?": if inFlow { return false }
      default: break
      }
    }
    return true
  }

  /// Whether YAML readers that guess types see a number, a Boolean, a date or nothing in the plain text.
  var isAmbiguousScalar: Bool {
    isEmpty || utf8.count <= 5 && ambiguousWords.contains(lowercased()) || looksLikeNumber(Array(utf8))
  }

  /// Single quotes where the text holds what double quotes would have to escape, double quotes otherwise.
  package var quotedScalar: String {
    let scalars = unicodeScalars
    let isPrintable = !scalars.contains { $0.needsEscape }
    if isPrintable, scalars.contains(where: { $0 == "\"" || $0 == "\\" }) { return yamlSingleQuoted }
    var quoted = "\""
    for scalar in scalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if scalar.needsEscape { quoted += escape(scalar) } else { quoted.unicodeScalars.append(scalar) }
      }
    }
    return quoted + "\""
  }

  /// The text as a YAML scalar that every reader takes for text: plain where it can be, else in quotes.
  package var yamlScalar: String {
    let isPlain = wholeMatch(of: #/[\p{L}_][\w.+-]*( [\w.+-]+)*/#) != nil
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    if isPlain, !words.contains(lowercased()) { return self }
    return unicodeScalars.contains(where: \.isUnshown) ? quotedScalar : yamlSingleQuoted
  }
}

private let ambiguousWords: Set = [
  "~", "null", "true", "false", "yes", "no", "on", "off", ".inf", "-.inf", "+.inf", ".nan", "<<", "=",
]

/// `12`, `-0777`, `0x1F`, `0o17`, `1_000`, `1.10`, `2e9`, `12:30`, `2024-05-01`.
private func looksLikeNumber(_ text: [UInt8]) -> Bool {
  let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
  let body = isSigned ? text[1...] : text[...]
  guard let first = body.first, first.isDigit || first == UInt8(ascii: "."), body.contains(where: \.isDigit)
  else { return false }
  if body.starts(with: "0x".utf8) {
    return body.dropFirst(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
  }
  if body.starts(with: "0o".utf8) { return body.dropFirst(2).allSatisfy(\.isDigit) }
  let fields = body.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  if fields.count == 3, fields[0].count == 4 { return fields.allSatisfy { $0.allSatisfy(\.isDigit) } }
  let parts = body.split(
    maxSplits: 1, omittingEmptySubsequences: false,
    whereSeparator: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") })
  guard let mantissa = parts.first, mantissa.count(where: { $0 == UInt8(ascii: ".") }) <= 1 else {
    return false
  }
  let mantissaFits = mantissa.allSatisfy {
    $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":")
  }
  guard mantissaFits, parts.count > 1, let exponent = parts.last else { return mantissaFits }
  let digits = exponent.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
  return !digits.isEmpty && digits.allSatisfy(\.isDigit)
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
  return "\\" + letter + scalar.value.hexadecimal(width: width)
}

extension Unicode.Scalar {
  /// Whether the character stands in a file as an escape: what YAML forbids or takes for a line's end, and what
  /// nobody would see (blanks of other kinds, marks of writing direction, joiners).
  fileprivate var needsEscape: Bool {
    switch value {
    case 0x20...0x7E: false
    case 0...0x9F, 0xA0, 0xAD, 0xFEFF, 0xFFF0...0xFFFF: true
    default:
      switch properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse:
        true
      default: false
      }
    }
  }

  /// Whether an indicator directly before it is part of a text.
  fileprivate var isPlainStart: Bool { isASCII && (UInt8(value).isOfWord || self == ".") }
}

import Foundation
import ManagedModel
import TestSupport
import Testing

/// Texts of the worst characters, written and read back by a reader of the rules of each language.
@Suite("Escaped texts read back") struct RoundTripTests {
  static let pieces = [
    "a", "Z", "0", " ", "'", "\"", "\\", "\n", "\r", "\r\n", "\t", "\u{0}", "\u{7}", "\u{1B}[31m", "\u{7F}",
    "\u{85}", "\u{9B}",
    "\u{301}", "\u{200D}", "\u{202E}", "\u{2028}", "\u{2066}", "\u{FEFF}", "\u{FFFE}", "é", "👩‍👧", "&", "<",
    ">", "]]>", "`", "|", "$",
    "%", "::", "##[", "{", "\\u{41}", "&#10;", "𝒜",
  ]

  static let texts: [String] = {
    var random = SeededGenerator(seed: 9)
    let drawn = (0..<300).map { _ in
      (0..<Int.random(in: 0...6, using: &random)).map { _ in random.pick(pieces) }.joined()
    }
    return pieces + drawn
  }()

  /// The texts that do not come back byte for byte, or whose escaped form breaks a rule.
  private func lost(
    _ escape: (String) -> String, _ read: (String) -> String?, where isFine: (String) -> Bool = { _ in true }
  ) -> [String] {
    Self.texts.filter { text in
      let escaped = escape(text)
      return read(escaped)?.hasBytes(of: text) != true || !isFine(escaped)
    }
  }

  private func isShown(_ text: String) -> Bool { !text.unicodeScalars.contains(where: \.isUnshown) }

  /// Between two quotes, in which the quote stands twice.
  private func unquoted(_ text: String, _ quote: Unicode.Scalar) -> String? {
    var scalars = Array(text.unicodeScalars)
    guard scalars.count > 1, scalars.removeFirst() == quote, scalars.removeLast() == quote else { return nil }
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if scalars[index] == quote {
        guard index + 1 < scalars.count, scalars[index + 1] == quote else { return nil }
        index += 1
      }
      result.append(scalars[index])
      index += 1
    }
    return String(result)
  }

  @Test func `in SQL and YAML, whose quotes stand twice`() {
    #expect(lost(\.sqlText) { unquoted($0, "'") } == [])
    #expect(lost(\.sqlIdentifier) { unquoted($0, "\"") } == [])
    #expect(lost(\.yamlSingleQuoted) { unquoted($0, "'") } == [])
  }

  @Test func `in JSON, by Foundation's reader`() {
    func read(_ text: String) -> String? {
      let read = try? JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [Any]
      return read?.first as? String
    }
    #expect(lost(\.jsonString, read, where: isShown) == [])
  }

  @Test func `in Swift's and expressions' literals`() {
    #expect(lost(swiftLiteral, readSwift, where: isShown) == [])
    #expect(lost({ $0.expressionLiteral() }, { readExpression($0, "\"") }) == [])
    #expect(lost({ $0.expressionLiteral(quote: "'") }, { readExpression($0, "'") }) == [])
  }

  /// Escapes of Swift: `\"`, `\\`, `\u{…}`.
  private func readSwift(_ text: String) -> String? {
    read(text, "\"") { rest in
      guard let next = rest.popFirst() else { return nil }
      if next != "u" { return next }
      guard rest.popFirst() == "{", let end = rest.firstIndex(of: "}") else { return nil }
      let digits = String(String.UnicodeScalarView(rest[..<end]))
      rest = rest[(end + 1)...]
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    }
  }

  /// Escapes of a predicate: letters for white space, four digits for other control characters.
  private func readExpression(_ text: String, _ quote: Unicode.Scalar) -> String? {
    read(text, quote) { rest in
      let next = rest.popFirst()
      switch next {
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "u":
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        rest = rest.dropFirst(4)
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
      default: return next
      }
    }
  }

  private func read(
    _ text: String, _ quote: Unicode.Scalar, _ escape: (inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar?
  ) -> String? {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > 1, scalars.first == quote, scalars.last == quote else { return nil }
    var (rest, result) = (scalars[1..<(scalars.count - 1)], String.UnicodeScalarView())
    while let next = rest.popFirst() {
      guard next != quote, next.value >= 0x20 else { return nil }
      guard let scalar = next == "\\" ? escape(&rest) : next else { return nil }
      result.append(scalar)
    }
    return String(result)
  }

  /// What XML does not have becomes U+FFFD, and a bare line end in a text is one for every reader.
  @Test func `in XML`() {
    func known(_ text: String) -> String { text.escaped { $0.isInXML ? nil : "\u{FFFD}" } }
    func wrong(_ escape: (String) -> String, ends: Set<Unicode.Scalar>) -> [String] {
      Self.texts.filter { text in
        let escaped = escape(text)
        let isOpen = escaped.unicodeScalars.contains { ends.contains($0) || !$0.isInXML }
        return isOpen || readXML(escaped)?.hasBytes(of: known(text)) != true
      }
    }
    #expect(wrong(\.xmlText, ends: ["<", ">", "\r"]) == [])
    #expect(wrong(\.xmlAttribute, ends: ["<", ">", "\r", "\n", "\t", "\""]) == [])
    #expect(wrong({ $0.xmlAttribute.visibleXML }, ends: ["<", "\u{1B}", "\u{202E}", "\u{9B}"]) == [])
  }

  private func readXML(_ text: String) -> String? {
    var (rest, result) = (Array(text.unicodeScalars)[...], String.UnicodeScalarView())
    while let next = rest.popFirst() {
      guard next == "&" else {
        result.append(next)
        continue
      }
      guard let end = rest.firstIndex(of: ";") else { return nil }
      let name = String(String.UnicodeScalarView(rest[..<end]))
      rest = rest[(end + 1)...]
      let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\""]
      guard let scalar = named[name] ?? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) else {
        return nil
      }
      result.append(scalar)
    }
    return String(result)
  }

  @Test func `what is shown is on one line, and changes nothing else`() {
    let wrong = Self.texts.filter { text in
      let shown = text.visible
      return !isShown(shown) || (isShown(text) && !shown.hasBytes(of: text)) || shown.lines.count != 1
    }
    #expect(wrong == [])
  }

  @Test func `GitHub sees one line, and no command in a terminal's text`() {
    let wrong = Self.texts.filter { text in
      let (message, terminal) = (text.githubMessage, text.terminalText())
      let isCommand = terminal.lines.contains { $0.trimmingPrefix(while: { $0 == " " }).hasPrefix("::") }
      return message.lines.count != 1 || text.githubProperty.contains { $0 == ":" || $0 == "," } || isCommand
        || terminal.contains("##[") || terminal.unicodeScalars.contains { $0.isUnshown && $0 != "\n" }
    }
    #expect(wrong == [])
  }

  /// A mark of Markdown stands behind a backslash, or as a reference within a code span.
  @Test func `Markdown has no bare marks`() {
    let marks = Set("`*_[]<>|~&$".unicodeScalars)
    let bare = Self.texts.filter { text in
      let scalars = Array(("x" + text.markdownText).unicodeScalars)
      return scalars.indices.contains { marks.contains(scalars[$0]) && scalars[$0 - 1] != "\\" }
    }
    let open = Self.texts.filter { text in
      let code = text.markdownCode
      let isElement = code.hasPrefix("<code>")
      let inner = code.unicodeScalars.dropFirst(isElement ? 6 : 1).dropLast(isElement ? 7 : 1)
      let isClosed = !inner.contains { $0 == "|" || $0 == "`" } && (isElement || inner.first != " ")
      return !isClosed || !isShown(code) || inner.isEmpty != text.isEmpty
    }
    #expect(bare == [] && open == [], "\(bare) \(open)")
  }
}

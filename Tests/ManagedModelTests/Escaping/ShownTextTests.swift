import ManagedModel
import Testing

@Suite("What a terminal shows") struct ShownTextTests {
  static let shown: [(String, String)] = [
    ("a\tb\nc\rd\r\n", "a\\tb\\nc\\rd\\r\\n"), ("\u{1B}[0m", "\\u{1B}[0m"),
    ("\u{0}\u{7F}\u{9F}", "\\u{0}\\u{7F}\\u{9F}"),
    ("\u{2028}\u{2029}\u{200B}\u{FEFF}", "\\u{2028}\\u{2029}\\u{200B}\\u{FEFF}"), ("\u{A0}é👩‍👧", "\u{A0}é👩‍👧"),
    // Joiners, soft hyphens and the flags of regions belong to scripts and emoji.
    ("a\u{AD}b\u{200C}c\u{200D}", "a\u{AD}b\u{200C}c\u{200D}"),
    ("🏴\u{E0067}\u{E007F}", "🏴\u{E0067}\u{E007F}"),
    ("\u{E0001}", "\\u{E0001}"), ("", ""),
  ]

  @Test(arguments: shown)
  func `characters that cannot be seen are written out`(text: String, expected: String) {
    #expect(text.visible.hasBytes(of: expected))
  }

  static let terminal: [(String, [String], String)] = [
    ("\u{1B}[1mbold\u{1B}[0m \u{1B}[2J", ["\u{1B}[1m", "\u{1B}[0m"], "\u{1B}[1mbold\u{1B}[0m \\u{1B}[2J"),
    ("::warning::x", [], "\\u{3A}:warning::x"), ("  ::x\na ::y", [], "  \\u{3A}:x\na ::y"),
    (":x\n:", [], ":x\n:"),
    ("##[group]\n#[x", [], "##\\u{5B}group]\n#[x"), ("###[", [], "###\\u{5B}"),
    ("\u{1B}", ["\u{1B}[1m"], "\\u{1B}"), ("\t", [], "\\t"),
  ]

  @Test(arguments: terminal)
  func `lines stay lines, our colours stay, and nothing is a command`(
    text: String, codes: [String], expected: String
  ) {
    #expect(text.terminalText(keeping: codes).hasBytes(of: expected))
  }

  static let words: [(String, String)] = [
    ("plain-1.2_/+:@%", "plain-1.2_/+:@%"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("é", "é"),
    ("~", "'~'"), ("-x", "-x"),
    ("a\nb", "$'a\\012b'"), ("'\u{1B}\\", "$'\\'\\033\\\\'"), ("\u{202E}", "$'\\342\\200\\256'"),
    ("a=b", "'a=b'"), ("#", "'#'"), ("it`s", "$'it\\140s'"),
  ]

  @Test(arguments: words)
  func `a word of a shell`(text: String, expected: String) { #expect(text.shellWord == expected) }

  @Test func `lines end as they end`() {
    #expect("".lines == [""] && "\n".lines == ["", ""] && "a\r\n\nb\r".lines == ["a", "", "b", ""])
    #expect("a\u{2028}b".lines.count == 1)
  }

  static let replaced: [(String, String, String, String)] = [
    ("aXbX", "X", "", "ab"), ("aaaa", "aa", "a", "aa"), ("abc", "", "x", "abc"), ("a", "ab", "x", "a"),
    ("", "a", "x", ""),
    ("/A\u{301}", "/A", "/B", "/B\u{301}"), ("é", "\u{301}", "", "é"),
  ]

  @Test(arguments: replaced)
  func `bytes are replaced wherever they stand`(text: String, old: String, new: String, expected: String) {
    #expect(text.replacingBytes(of: old, with: new).hasBytes(of: expected))
  }
}

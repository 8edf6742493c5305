import Foundation
import ManagedModel
import Testing

/// `\r\n` is one character, and so is a quote with an accent: neither hides what has to be escaped.
@Suite struct Escaping {
  private static let accent = "\u{301}"

  @Test func `SQL doubles quotes with accents`() {
    #expect("a'\(Self.accent)b".sqlText == "'a''\(Self.accent)b'")
    #expect("a\"\(Self.accent)b".sqlIdentifier == "\"a\"\"\(Self.accent)b\"")
  }

  @Test func `XML has references for what would end a text or is a line end`() {
    #expect(
      "<\(Self.accent)&\r\n\u{1}\u{FFFF}]]>".xmlText
        == "&lt;\(Self.accent)&amp;&#13;\n\u{FFFD}\u{FFFD}]]&gt;")
    #expect("\"\(Self.accent)\r\n\t".xmlAttribute == "&quot;\(Self.accent)&#13;&#10;&#9;")
    #expect("<a>\u{202E}\u{9B}\n</a>".visibleXML == "<a>&#8238;&#155;\n</a>")
  }

  @Test func `GitHub gets one line`() {
    #expect("a\r\n::error::b\rc%\u{1B}".githubMessage == "a%0A::error::b%0Ac%25\\u{1B}")
    #expect("a,\(Self.accent)b:\(Self.accent)".githubProperty == "a%2C\(Self.accent)b%3A\(Self.accent)")
  }

  @Test func `Markdown stays in its cell`() {
    #expect("a|\(Self.accent)b\r\n<i>".markdownText == "a\\|\(Self.accent)b\\\\r\\\\n\\<i\\>")
    #expect("a b".markdownCode == "`a b`")
    #expect("a\\|`\(Self.accent)b".markdownCode == "<code>a&#92;&#124;&#96;\(Self.accent)b</code>")
  }

  @Test(arguments: [
    "plain", "it's", "'\(accent)", "a\r\nb", "$HOME `x` \\ \"", "\u{1B}[31m", "\u{202E}é", "", "-x ~",
    "a\u{9B}'\n\\",
  ])
  func `a shell reads back its word`(text: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "printf %s \(text.shellWord)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(Array(data) == Array(text.utf8))
    #expect(!text.shellWord.unicodeScalars.contains { $0.isUnshown })
  }

  @Test func `literals of Swift, expressions, JSON and YAML`() {
    #expect(swiftLiteral("\"\(Self.accent)\\(x)\r\n") == "\"\\\"\(Self.accent)\\\\(x)\\u{d}\\u{a}\"")
    #expect("'\(Self.accent)\r\n\u{1}".expressionLiteral(quote: "'") == "'\\'\(Self.accent)\\r\\n\\u0001'")
    #expect("\"\(Self.accent)\r\n\u{202E}\u{7F}".jsonString == "\"\\\"\(Self.accent)\\r\\n\\u202e\\u007f\"")
    #expect("'\(Self.accent)".yamlSingleQuoted == "'''\(Self.accent)'")
  }

  @Test func `a terminal sees no control characters but line ends and our colours`() {
    let text = "a\r\nb\u{1B}[1mc\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\u{2066}\u{7F}\n ::error::x ##[group]"
    let shown = text.terminalText(keeping: ["\u{1B}[1m"])
    #expect(
      shown
        == "a\\r\nb\u{1B}[1mc\\u{1B}]0;x\\u{7}\\u{9B}2J\\u{202E}\\u{2066}\\u{7F}\n \\u{3A}:error::x ##\\u{5B}group]"
    )
    #expect("Hut::name: 👩‍👩‍👧 é\n".terminalText() == "Hut::name: 👩‍👩‍👧 é\n")
  }

  @Test func `texts are replaced byte by byte`() {
    #expect("x-coredata/A\(Self.accent)".replacingBytes(of: "/A", with: "/B") == "x-coredata/B\(Self.accent)")
    #expect("aaa".replacingBytes(of: "aa", with: "b") == "ba")
    #expect("a\r\nb\rc\nd".lines == ["a", "b", "c", "d"])
  }
}

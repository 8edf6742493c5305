import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite struct ReadYAMLTests {
  @Test func `every node has a tight range`() throws {
    let source = MarkedSource(
      """
      # a comment
      block:
        key: plain text   # after it
        quoted: "a \\"b\\" c"
        single: 'it''s'
      list:
        - one
        - {a: 1, b: [2, 3]}   # flow

      literal: |
        first
        second

      # behind it
      empty:
      über: größe
      """)
    let (node, diagnostics) = readYAML(source.data, file: "f.yaml")
    #expect(diagnostics == [])
    let root = try #require(node)
    func covered(_ path: String...) -> String {
      var node: YAMLNode? = root
      for key in path { node = node?[key] }
      return node.map { source.covered(by: $0.range) } ?? "(absent)"
    }
    #expect(covered("block", "key") == "plain text")
    #expect(covered("block", "quoted") == #""a \"b\" c""#)
    #expect(covered("block", "single") == "'it''s'")
    #expect(covered("block").hasSuffix("'it''s'"))
    #expect(covered("block").hasPrefix("key"))
    #expect(covered("list") == "- one\n  - {a: 1, b: [2, 3]}")
    #expect(covered("literal") == "|\n  first\n  second")
    #expect(covered("empty") == "")
    #expect(covered("über") == "größe")
    #expect(root["empty"]?.range.start == SourceLocation(line: 15, column: 7))
    #expect(root["block"]?["quoted"]?.text == #"a "b" c"#)
    #expect(root["literal"]?.text == "first\nsecond\n")
    #expect(root["block"]?["key"]?.isPlain == true)
    #expect(root["block"]?["quoted"]?.isPlain == false)
    guard case .mapping(let pairs) = root.content else {
      Issue.record("the root is not a mapping")
      return
    }
    #expect(pairs.map(\.key) == ["block", "list", "literal", "empty", "über"])
    #expect(pairs.map { source.covered(by: $0.keyRange) } == pairs.map(\.key))
  }

  @Test func `scalars stay text`() throws {
    let text = "[yes, no, on, 1.10, 0777, ~, null, 0x1F, 2024-05-01, TRUE]"
    let (node, diagnostics) = readYAML(Data(text.utf8), file: "f.yaml")
    #expect(diagnostics == [])
    guard case .sequence(let elements)? = node?.content else {
      Issue.record("no sequence")
      return
    }
    #expect(
      elements.map(\.text) == ["yes", "no", "on", "1.10", "0777", "~", "null", "0x1F", "2024-05-01", "TRUE"])
  }

  @Test func `lines end in CRLF, LF or CR, and in nothing else`() throws {
    let text = "a: 1\r\nb: \"x\u{2028}y\"\r\nc: 3\rd: 4\n"
    let (node, diagnostics) = readYAML(Data(text.utf8), file: "f.yaml")
    #expect(diagnostics == [])
    #expect(node?["c"]?.range.start == SourceLocation(line: 3, column: 4))
    #expect(node?["d"]?.range.start == SourceLocation(line: 4, column: 4))
  }

  @Test func `an empty file is an empty scalar`() {
    for text in ["", "\n\n", "# nothing\n"] {
      let (node, diagnostics) = readYAML(Data(text.utf8), file: "f.yaml")
      #expect(node?.isEmpty == true)
      #expect(diagnostics == [])
    }
  }

  @Test(arguments: [
    ("a: 1\nb: 2\n1️⃣a: 3\n2️⃣b: 4", ["1️⃣ MC0002 a", "2️⃣ MC0002 b"]),
    ("{a: 1, 1️⃣a: 2}", ["1️⃣ MC0002 a"]),
    ("a: &x {k: 1}\nb: 1️⃣*x", ["1️⃣ MC0007 *x"]),
    ("a: &x {k: 1}\nb:\n  1️⃣<<: *x\n  c: 1", ["1️⃣ MC0007 <<"]),
    ("1️⃣[a, b]: 1\nc: 2", ["1️⃣ MC0004 [a, b]"]),
    ("? 1️⃣{a: 1}\n: 2", ["1️⃣ MC0004 {a: 1}"]),
    ("a: 1️⃣!!int 3", ["1️⃣ MC0004 !!int 3"]),
    ("a: 1\n1️⃣---\nb: 2", ["1️⃣ MC0001 ---"]),
    ("a:\n1️⃣\tb: 1\n2️⃣\t\tc: 2", ["1️⃣ MC0011 \t", "2️⃣ MC0011 \t\t"]),
    ("a: b1️⃣: c", ["1️⃣ MC0001 :"]),
    ("a: 1️⃣[1, 2\nb: 3", ["1️⃣ MC0001 ["]),
    ("a: 1️⃣@x", ["1️⃣ MC0001 @"]),
    ("a: 1️⃣'x", ["1️⃣ MC0001 '"]),
    ("a: \"x 1️⃣\u{7} 2️⃣\u{0} 3️⃣\u{FEFF}\"", ["1️⃣ MC0008 \u{7}", "2️⃣ MC0008 \u{0}", "3️⃣ MC0008 \u{FEFF}"]),
  ])
  func `what a model file may not hold is refused at its place`(text: String, expected: [String]) {
    let source = MarkedSource(text)
    let (_, diagnostics) = readYAML(source.data, file: "f.yaml")
    #expect(
      diagnostics.map(source.describe) == expected.map { $0.trimmingCharacters(in: .whitespaces) })
    #expect(diagnostics.allSatisfy { $0.severity == .error && !$0.message.contains("\n") })
  }

  @Test func `bytes that are not UTF-8 are refused, each at its place`() {
    var data = Data("a: x\nb: ".utf8)
    data += [0xC0, 0xAF, 0xED, 0xA0, 0x80] + Data(" ü ".utf8) + [0xFF]
    let (node, diagnostics) = readYAML(data, file: "f.yaml")
    #expect(node == nil)
    #expect(diagnostics.map(\.code.description) == Array(repeating: "MC0008", count: 6))
    #expect(diagnostics.map { $0.place?.start.column } == [4, 5, 6, 7, 8, 12])
    #expect(diagnostics.allSatisfy { $0.place?.start.line == 2 })
  }

  @Test func `a byte order mark is an error, and the text behind it is read all the same`() {
    let (node, diagnostics) = readYAML(Data("\u{FEFF}a: 1\na: 2\n".utf8), file: "f.yaml")
    #expect(node?["a"]?.text == "1")
    #expect(diagnostics.map(\.code.description) == ["MC0008", "MC0002"])
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32])
  func `UTF-16 and UTF-32 get one diagnostic`(encoding: String.Encoding) throws {
    let data = try #require("entities:\n  A: {}\n".data(using: encoding))
    let (node, diagnostics) = readYAML(data, file: "f.yaml")
    #expect(node == nil)
    #expect(diagnostics.map(\.code.description) == ["MC0008"])
  }

  @Test(arguments: [
    String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 50_000),
    String(repeating: "- ", count: 100_000), String(repeating: "? ", count: 100_000),
    (0..<300).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
  ])
  func `deep nesting is refused`(text: String) {
    let (node, diagnostics) = readYAML(Data(text.utf8), file: "f.yaml")
    #expect(node == nil)
    #expect(diagnostics.map(\.code.description) == ["MC0007"])
  }

  @Test func `a hundred levels are read`() {
    let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    #expect(readYAML(Data(text.utf8), file: "f.yaml").diagnostics == [])
  }

  @Test(.timeLimit(.minutes(1))) func `an alias bomb and a file of 100 MB cost nothing`() {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<20 {
      bomb +=
        "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
    }
    let start = ContinuousClock.now
    let (node, diagnostics) = readYAML(Data(bomb.utf8), file: "f.yaml")
    #expect(diagnostics.count == 190)
    #expect(Set(diagnostics.map(\.code.description)) == ["MC0007"])
    #expect(node?["a1"] != nil)
    let large = Data(count: 100 << 20)
    #expect(readYAML(large, file: "f.yaml").diagnostics.map(\.code.description) == ["MC0007"])
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test(.timeLimit(.minutes(1))) func `bytes at random never crash the reader`() {
    var random = SplitMix(seed: 7)
    let pieces = [
      "a", ": ", "\n", "  ", "- ", "[", "]", "{", "}", "\"", "'", "|", ">", "&x", "*x", "#", "?", "!t", "%",
      "@", "\t", ",", "---", "...", "\r\n", "ü", "\u{85}", "\u{2028}", "\\", "<<", "~",
    ]
    for _ in 0..<4000 {
      let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      let source = MarkedSource(text)
      let (_, diagnostics) = readYAML(source.data, file: "f.yaml")
      for diagnostic in diagnostics { #expect(diagnostic.place != nil) }
    }
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = readYAML(Data(bytes), file: "f.yaml")
    }
  }
}

/// The same numbers for the same seed, on every system.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

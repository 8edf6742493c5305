import Foundation
import Testing

@testable import ModelFormats

@Suite struct RenderYAMLTests {
  private static let texts: [(String, String)] = [
    ("name", "name"), ("two words", "two words"), ("NO", #""NO""#), ("on", #""on""#), ("~", #""~""#),
    ("null", #""null""#), ("True", #""True""#), ("", #""""#), ("1.10", #""1.10""#), ("0777", #""0777""#),
    ("3", #""3""#), ("-5", #""-5""#), ("1e9", #""1e9""#), ("0x1F", #""0x1F""#), ("12:30", #""12:30""#),
    ("2024-05-01", #""2024-05-01""#), ("1.2.3", "1.2.3"), ("3D", "3D"), ("a #b", #""a #b""#), ("a#b", "a#b"),
    ("a: b", #""a: b""#), ("a:", #""a:""#), ("a:b", "a:b"), (" a", #"" a""#), ("a ", #""a ""#),
    ("-", #""-""#),
    ("- a", #""- a""#), ("-a", "-a"), ("{a", #""{a""#), ("[a", #""[a""#), ("&a", #""&a""#), ("*a", #""*a""#),
    ("!a", #""!a""#), ("|", #""|""#), (">", #"">""#), ("%a", #""%a""#), ("@a", #""@a""#), ("`a", #""`a""#),
    ("'a", #""'a""#), (#""a"#, #"'"a'"#), (#"a"b"#, #"a"b"#), (#"[^\n]+"#, #"'[^\n]+'"#),
    ("a\nb", #""a\nb""#),
    ("a\tb", #""a\tb""#), ("\u{0}", #""\x00""#), ("a\u{2028}b", #""a\u2028b""#), ("a\u{85}b", #""a\x85b""#),
    ("\u{FEFF}", #""\uFEFF""#), ("\u{A0}", #""\xA0""#), ("größe", "größe"), ("日本", "日本"), ("🏔", "🏔"),
    ("---", #""---""#), ("...", #""...""#), ("a,b", "a,b"), ("<<", #""<<""#), ("?", #""?""#), ("=", #""=""#),
  ]

  @Test(arguments: texts)
  func `text is quoted where it has to be, and only there`(text: String, expected: String) throws {
    #expect(text.yamlScalar(.text, inFlow: false) == expected)
  }

  @Test func `typed values are quoted only where they could not be read`() {
    #expect("1.10".yamlScalar(.typed, inFlow: false) == "1.10")
    #expect("NO".yamlScalar(.typed, inFlow: false) == "NO")
    #expect("".yamlScalar(.typed, inFlow: false) == #""""#)
    #expect("a,b".yamlScalar(.typed, inFlow: true) == #""a,b""#)
    #expect("integer16? = 0".yamlScalar(.typed, inFlow: true) == #""integer16? = 0""#)
    #expect("integer16? = 0".yamlScalar(.typed, inFlow: false) == "integer16? = 0")
  }

  @Test func `any text is read back from every position`() throws {
    var random = SplitMix(seed: 1)
    for round in 0..<1500 {
      let texts = (0..<4).map { _ in nastyText(using: &random) }
      let inner = YAMLValue.mapping([YAMLPair(texts[0], .text(texts[1]))])
      let layout: YAMLValue.Layout = round.isMultiple(of: 2) ? .compact : .block
      let document = [
        YAMLPair(texts[2], .sequence([.text(texts[3]), inner, .typed(texts[1])], layout)),
        YAMLPair(texts[2] + "x", .mapping([YAMLPair(texts[0], .typed(texts[3]))], layout)),
      ]
      let rendered = renderYAML(document)
      let (node, diagnostics) = readYAML(Data(rendered.utf8), file: "f.yaml")
      try #require(diagnostics == [], "\(rendered)")
      let read = try #require(node.map(value))
      #expect(read == .mapping(document.map(plain)), "\(rendered)")
    }
  }

  @Test func `long values are laid out in lines`() {
    let pairs = (1...12).map { YAMLPair("key\($0)", .text("value number \($0)")) }
    let text = renderYAML([YAMLPair("short", .sequence([.text("a")])), YAMLPair("long", .mapping(pairs))])
    #expect(text.hasPrefix("short: [a]\nlong:\n  key1: value number 1\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}

private func value(_ node: YAMLNode) -> YAMLValue {
  switch node.content {
  case .scalar(let text, _): .text(text)
  case .sequence(let elements): .sequence(elements.map(value))
  case .mapping(let pairs): .mapping(pairs.map { YAMLPair($0.key, value($0.value)) })
  case .refused: .text("(refused)")
  }
}

/// The value without what concerns its layout.
private func plain(_ value: YAMLValue) -> YAMLValue {
  switch value {
  case .scalar(let text, _): .text(text)
  case .sequence(let elements, _): .sequence(elements.map(plain))
  case .mapping(let pairs, _): .mapping(pairs.map(plain))
  }
}

private func plain(_ pair: YAMLPair) -> YAMLPair { YAMLPair(pair.key, plain(pair.value)) }

/// A text that a careless writer gets wrong.
func nastyText(using random: inout SplitMix) -> String {
  let pieces = [
    "a", "b", " ", ":", "#", "- ", "?", ",", "[", "]", "{", "}", "'", "\"", "\\", "\n", "\r\n", "\t", "NO",
    "~", "1.10", "=", "= ", "|", ">", "&", "*", "!", "%", "@", "`", "\u{0}", "\u{7}", "\u{85}", "\u{A0}",
    "\u{2028}", "\u{FEFF}", "\u{FFFF}", "ü", "🏔", "👩‍👧", "---", "<<", ".", "/", "desc", "\u{1F}\u{7F}",
  ]
  let count = Int.random(in: 0..<7, using: &random)
  let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  // libyaml takes keys of more than 1024 characters only behind a '?'.
  return Int.random(in: 0..<200, using: &random) == 0 ? text + String(repeating: "long ", count: 400) : text
}

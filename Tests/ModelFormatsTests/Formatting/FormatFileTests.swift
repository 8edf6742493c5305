import Foundation
import ManagedModel
import ModelFormats
import Testing

/// What a file looks like after it was formatted.
func formatted(_ text: String, _ file: String = "V1.yaml") throws -> String {
  String(decoding: try #require(try formatFile(Data(text.utf8), file: file)), as: UTF8.self)
}

@Suite("Files are laid out one way") struct FormatFileTests {
  /// A text, and what becomes of it, which then stays.
  private static let pairs: [(what: String, text: String, expected: String)] = [
    (
      "blanks, quotes and the order of known keys",
      "entities:\n   Hut :\n      relationships: {a:  {inverse: h,to: \"A\"} }\n      attributes:\n          'name':   \"string\"\nidentifiers: [ \"1\" , 'x' ]",
      "identifiers: [\"1\", x]\nentities:\n  Hut:\n    attributes:\n      name: string\n    relationships: {a: {to: A, inverse: h}}\n"
    ),
    (
      "comments above, beside and below",
      "# head\n\n# about entities\nentities:   # beside\n # above Hut\n  Hut:\n    # above name\n    attributes: {} # e\n    # below\n  # above B\n  B: {}\n# foot",
      "# head\n\n# about entities\nentities:  # beside\n  # above Hut\n  Hut:\n    # above name\n    attributes: {}  # e\n    # below\n  # above B\n  B: {}\n# foot\n"
    ),
    (
      "a comment goes with its key, the head stays",
      "# head\nentities: {}   # E\n# above identifiers\nidentifiers: [a]  # I\n# foot\n",
      "# head\n# above identifiers\nidentifiers: [a]  # I\nentities: {}  # E\n# foot\n"
    ),
    (
      "one blank line stays, others go", "\n\nentities:\n\n  A: {}\n\n\n\n  B: {}\n  C: {}\n\n\n",
      "entities:\n  A: {}\n\n  B: {}\n  C: {}\n"
    ),
    (
      "a blank line stays between two", "entities: {}\n\nidentifiers: [a]\nretired: [b]\n",
      "identifiers: [a]\n\nentities: {}\nretired: [b]\n"
    ),
    (
      "comments in brackets break them",
      "entities: {A: {}, # beside A\n  # above B\n  B: {} # beside B\n  # last\n } # end\n",
      "entities:  # end\n  A: {}  # beside A\n  # above B\n  B: {}  # beside B\n  # last\n"
    ),
    (
      "both ends of brackets have comments", "retired: [ # one\n  a, b ] # two\nentities: {}\n",
      "entities: {}\nretired:  # one\n  - a\n  - b\n  # two\n"
    ),
    (
      "brackets in lines that fit", "entities: {}\nretired: [a,\n  b,\n\n  c]\n",
      "entities: {}\nretired: [a, b, c]\n"
    ),
    (
      "columns of comments stay columns",
      "entities:\n  A: {}       # one\n  Longer: {}  # two\n  C: {} # three\n",
      "entities:\n  A: {}       # one\n  Longer: {}  # two\n  C: {}  # three\n"
    ),
    (
      "literal and folded text",
      "entities:\n  A:\n    userInfo:\n        a: |  # c\n            one\n\n              two\n        b: >-\n            x\n            y\n\n        # next\n        c: |2\n            z\n        d: |+\n          k\n\n        e: f\n",
      "entities:\n  A:\n    userInfo:\n      a: |  # c\n        one\n\n          two\n      b: >-\n        x\n        y\n\n      # next\n      c: |2\n          z\n      d: |+\n        k\n\n      e: f\n"
    ),
    (
      "kept line ends that are none, and blank lines that would become text",
      "entities:\n  A:\n    userInfo:\n      a: |+\n        b\nzz: |+\n  k\n\nretired: |+\nidentifiers: [a]\n\n# c\n",
      "identifiers: [a]\nentities:\n  A:\n    userInfo:\n      a: |\n        b\nretired: |\nzz: |+\n  k\n\n# c\n"
    ),
    (
      "comments in one column, beside nothing too",
      "entities:\n  A: b  # d\n  C:    # c\nidentifiers:\n  - # e\n    x\n  - # f\n",
      "identifiers:\n  - x  # e\n  -    # f\nentities:\n  A: b  # d\n  C:    # c\n"
    ),
    (
      "text of blanks and ends of lines alone",
      "entities: {}\na: >+  # c\n\n\nb: >2-\n   \n  x #y\nc: |2\n   \nd: |+\n\n\n# e\nf: |2\n  a\n   \ng: |# c\n  b\n",
      "entities: {}\na: \"\\n\\n\"  # c\n\nb: \" \\nx #y\"\nc: \" \\n\"\n\nd: \"\\n\\n\"\n\n# e\nf: \"a\\n \\n\"\n\ng: |  # c\n  b\n"
    ),
    (
      "text over lines",
      "entities:\n  A:\n    userInfo:\n      a: one\n         two\n\n         three  # c\n      b: \"x\\\n          y \\ \n        z\"\n",
      "entities:\n  A:\n    userInfo:\n      a: one\n        two\n\n        three  # c\n      b: \"x\\\n        y \\ \n        z\"\n"
    ),
    (
      "a value in the next line",
      "identifiers:\n  [a]\nentities: # c\n  # above\n  {}\nprofile:\n  # own\n  sqlite # d\n",
      "identifiers: [a]\n# own\nprofile: sqlite  # d\n# above\nentities: {}  # c\n"
    ),
    (
      "key marks, document marks and tabs", "--- # c\n? entities\n: {A:\t{}}\n...\n# end\n",
      "# c\nentities: {A: {}}\n# end\n"
    ),
    ("only comments between", "entities: {\n# inside\n}\n", "# inside\nentities: {}\n"),
    ("an indented file", "  # a\n  entities: {}\n# z\n", "# a\nentities: {}\n# z\n"),
    (
      "pairs in brackets", "entities: {A: {attributes: {a}, userInfo: {b: }}}\n",
      "entities: {A: {attributes: {a: }, userInfo: {b: }}}\n"
    ),
  ]

  @Test(arguments: pairs) func `what a file becomes, which then stays`(
    what: String, text: String, expected: String
  ) throws {
    let once = try formatted(text)
    #expect(once == expected, "\(what)")
    #expect(try formatted(once) == once, "\(what)")
  }

  @Test func `lists of versions, mapping files and settings`() throws {
    #expect(
      try formatted(
        "versions:\n- from: V1  # why\n  # above\n  name: V2\n-   V3\n# of stages\nstages: []\ncurrent: V3\n",
        "versions.yaml")
        == "current: V3\nversions:\n  -\n    # above\n    name: V2\n    from: V1  # why\n  - V3\n# of stages\nstages: []\n"
    )
    #expect(
      try formatted("to: V2\nfrom: V1\nentityMappings:\n    A: {destination: A, source: A}\n", "V1-V2.yaml")
        == "from: V1\nto: V2\nentityMappings:\n  A: {source: A, destination: A}\n")
    #expect(
      try formatted("-\n    to: V2\n    from: V1\n-   {to: V2, from: V1}\n", "m.yaml")
        == "- from: V1\n  to: V2\n- {from: V1, to: V2}\n")
    #expect(
      try formatted("allow:\n- {reason: 'seen', code: MC7008}\nversions: [a, b]\n", "modelc.yaml")
        == "versions: [a, b]\nallow:\n  - {code: MC7008, reason: seen}\n")
  }

  @Test func `long values get lines`() throws {
    let names = (1...12).map { "Entity.attribute\($0)" }
    let text = "entities: {}\nretired: [\(names.joined(separator: ", "))]\n"
    #expect(try formatted(text) == "entities: {}\nretired:\n" + names.map { "  - \($0)\n" }.joined())
    let short = "retired: [" + String(repeating: "a", count: 88) + "]"
    #expect(short.count == 99)
    #expect(try formatted("entities: {}\n\(short)\n") == "entities: {}\n\(short)\n")
  }

  @Test(.timeLimit(.minutes(1))) func `one long line of brackets takes no time to break up`() throws {
    let names = (1...8_000).map { "E\($0): {attributes: {a: string}}" }
    let text = "entities: {\(names.joined(separator: ", "))}\n"
    #expect(try formatted(text) == "entities:\n" + names.map { "  \($0)\n" }.joined())
  }

  @Test func `line ends stay`() throws {
    for end in ["\r\n", "\r", "\n"] {
      let text = ["# a", "entities:", "   A: {}   # b", "", "", "   B: {}", "# z", ""].joined(separator: end)
      let expected = ["# a", "entities:", "  A: {}  # b", "", "  B: {}", "# z", ""].joined(separator: end)
      #expect(try formatted(text).utf8.elementsEqual(expected.utf8))
      #expect(try formatted(expected).utf8.elementsEqual(expected.utf8))
    }
  }

  private func codes(_ text: String, _ file: String = "V1.yaml") -> [String] {
    do {
      return ["formatted: \(try formatted(text, file))"]
    } catch let error as DiagnosticsError {
      return error.diagnostics.filter { $0.severity == .error }.map(\.code.description)
    } catch { return ["\(error)"] }
  }

  @Test func `what cannot be parsed, is something else or holds an anchor is refused`() {
    #expect(codes("entities: {a\n") == ["MC0001"])
    #expect(codes("entities: {a\n", "V1.YAML") == ["MC0001"])
    #expect(codes("entities:\n\tA: {}\n") == ["MC0011"])
    #expect(codes("entities: {}\nentities: {}\n") == ["MC0002"])
    #expect(codes("entities: {}\n---\nentities: {}\n") == ["MC0001"])
    #expect(codes("\u{FEFF}entities: {}\n") == ["MC0008"])
    #expect(codes("entities: {A: {class: \"\u{0}\"}}\n") == ["MC0008"])
    #expect(codes("a: &x {}\nentities: *x\n") == ["MC0007"])
    #expect(codes("entities: !t {}\n") == ["MC0004"])
    #expect(codes("budget: {rows: 1}\nmigratedBy: modelc\n").first?.hasPrefix("formatted: ") == true)
    #expect(codes("") == ["MC0016"])
    #expect(codes("# only\n") == ["MC0016"])
    #expect(codes("Hut:\n  p1: {name: a}\n") == ["MC0016"])
    #expect(codes("from: V1\nto: V2\nstore: s\nexpect: {}\n") == ["MC0016"])
    #expect(codes("entities: &a {}\n") == ["MC0017"])
    #expect(codes("entities: {&a A: {}}\n") == ["MC0017"])
    #expect(codes("%YAML 1.1\n---\nentities: {}\n") == ["MC0017"])
  }

  @Test func `a schema's comment tells what a file is, and stays first`() throws {
    let text = "# yaml-language-server: $schema=../Schemas/versions.schema.json\nversions: [a]\ncurrent: a\n"
    #expect(
      try formatted(text, "list")
        == "# yaml-language-server: $schema=../Schemas/versions.schema.json\ncurrent: a\nversions: [a]\n")
  }
}

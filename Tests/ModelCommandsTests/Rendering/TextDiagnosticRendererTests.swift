import Foundation
import ManagedModel
import ModelCommands
import TestSupport
import Testing

@Suite("Diagnostics as text")
struct TextDiagnosticRendererTests {
  @Test func `a page of findings shows lines, marks, notes, codes, help and edits`() {
    let source = """
      entities:
        Note:
          relationships:
            author: {to: Author}
            tags: {toMany: Tag, deleteRule: nulify}
        Author:
          relationships:
            notes: {toMany: Note, inverse: auhtor}

      """
    var renderer = TextDiagnosticRenderer { $0 == "Models/Notes/V2.yaml" ? source : nil }
    let diagnostics = [
      Diagnostic(
        Diagnostic.Code("MC1301"), .warning, "'Note.author' has no inverse", place: place(4, 7, 13),
        fixIts: [
          Diagnostic.FixIt(
            "add the inverse", range: place(4, 26, 26), replacement: ", inverse: notes")
        ]),
      Diagnostic(
        Diagnostic.Code("MC0003"), .error, "unknown delete rule 'nulify'", place: place(5, 39, 45),
        fixIts: [
          Diagnostic.FixIt(
            "replace with 'nullify'", range: place(5, 39, 45), replacement: "nullify")
        ]),
      Diagnostic(
        Diagnostic.Code("MC1302"), .error, "'Author.notes' names an inverse that does not exist",
        place: place(8, 38, 44),
        notes: [
          Diagnostic.Note("'Note' leads here through 'author'", place: place(4, 7, 13)),
          "a relationship without its inverse cannot be kept in step",
        ],
        help: ["every relationship needs an inverse that points back"]),
      Diagnostic(
        Diagnostic.Code("MC5102"), .error, "Old.sqlite matches no known version",
        notes: [
          "nearest: V3, 13 of 14 entities equal",
          "  Person.email    store: string, optional     V3: string, required",
        ],
        help: ["`modelc adopt Old.sqlite --as V3a`, then `modelc plan Old.sqlite`"], cocoaCode: 134130),
    ]
    #expect(
      renderer.render(diagnostics) == """
        Models/Notes/V2.yaml:4:7: warning[MC1301]: 'Note.author' has no inverse
          4 |       author: {to: Author}
            |       ^^^^^^
          = fix: add the inverse
              author: {to: Author, inverse: notes}
        Models/Notes/V2.yaml:5:39: error[MC0003]: unknown delete rule 'nulify'
          5 |       tags: {toMany: Tag, deleteRule: nulify}
            |                                       ^^^^^^
          = fix: replace with 'nullify'
        Models/Notes/V2.yaml:8:38: error[MC1302]: 'Author.notes' names an inverse that does not exist
          8 |       notes: {toMany: Note, inverse: auhtor}
            |                                      ^^^^^^
          Models/Notes/V2.yaml:4:7: note: 'Note' leads here through 'author'
            4 |       author: {to: Author}
              |       ^^^^^^
          a relationship without its inverse cannot be kept in step
          = help: every relationship needs an inverse that points back
        error[MC5102]: Old.sqlite matches no known version
          nearest: V3, 13 of 14 entities equal
            Person.email    store: string, optional     V3: string, required
          = Core Data: 134130
          = help: `modelc adopt Old.sqlite --as V3a`, then `modelc plan Old.sqlite`

        """)
    #expect(summary(of: diagnostics) == "3 errors, 1 warning")
  }

  @Test(arguments: [
    ("a: b", 4, 5, "a: b", "   ^"),
    ("a: b", 5, 5, "a: b", "    ^"),
    ("a: b", 9, 12, "a: b", "    ^"),
    ("\ta: b", 2, 3, "    a: b", "    ^"),
    ("name: 山小屋 x", 7, 10, "name: 山小屋 x", "      ^^^^^^"),
    ("name: 山小屋 x", 11, 12, "name: 山小屋 x", "             ^"),
    ("e\u{301}e\u{301} x", 6, 7, "e\u{301}e\u{301} x", "   ^"),
    ("👩‍👩‍👧 x", 7, 8, "👩‍👩‍👧 x", "   ^"),
    ("a \u{1B}[31m b", 9, 10, "a \\u{1B}[31m b", "             ^"),
    ("x\u{202E}y", 3, 4, "x\\u{202E}y", "         ^"),
  ])
  func `the mark stands under the place, whatever the line holds`(
    _ line: String, _ start: Int, _ end: Int, _ shown: String, _ mark: String
  ) {
    #expect(excerpt(line, place(1, start, end)) == ["  1 | \(shown)", "    | \(mark)"])
  }

  @Test func `a long line is cut around the place`() throws {
    let line = String(repeating: "left ", count: 100) + "HERE" + String(repeating: " right", count: 100)
    for (start, end) in [(1, 5), (501, 505), (1099, 1105), (1105, 1105)] {
      let shown = excerpt(line, place(1, start, end), lineLimit: 60)
      let text = try #require(shown.first?.dropFirst("  1 | ".count))
      let mark = try #require(shown.last?.dropFirst("    | ".count))
      #expect(text.count <= 60)
      let marked = text.dropFirst(mark.prefix { $0 == " " }.count).prefix(mark.count { $0 == "^" })
      let expected = line.dropFirst(start - 1).prefix(end - start)
      #expect(marked == expected)
      #expect(text.hasPrefix("…") == (start > 1))
      #expect(text.hasSuffix("…") == (start < 1099))
    }
  }

  @Test func `a place of several lines is marked to the end of its first`() {
    let range = SourceRange(
      file: "V.yaml", start: SourceLocation(line: 1, column: 4), end: SourceLocation(line: 2, column: 2))
    #expect(excerpt("a: bcd\ne", range) == ["  1 | a: bcd", "    |    ^^^"])
  }

  @Test(arguments: ["a\r\nbb\r\n", "a\rbb", "a\nbb"])
  func `every kind of line end counts lines`(_ text: String) {
    let range = SourceRange(
      file: "V.yaml", start: SourceLocation(line: 2, column: 1), end: SourceLocation(line: 2, column: 3))
    #expect(excerpt(text, range) == ["  2 | bb", "    | ^^"])
  }

  @Test func `a place beyond the file, and a file that cannot be read, show no line`() {
    #expect(excerpt("a", place(7, 1, 2)).isEmpty)
    var renderer = TextDiagnosticRenderer { _ in nil }
    let diagnostic = Diagnostic(Diagnostic.Code("MC0001"), .error, "no", place: place(1, 1, 2))
    #expect(renderer.render(diagnostic) == "Models/Notes/V2.yaml:1:1: error[MC0001]: no\n")
  }

  @Test func `lines come from the files themselves unless told otherwise`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "V1.yaml")
      try Data("a: b\nc: d\n".utf8).write(to: file)
      let start = SourceLocation(line: 2, column: 4)
      let range = SourceRange(file: file.path, start: start, end: start)
      var renderer = TextDiagnosticRenderer()
      let text = renderer.render(Diagnostic(Diagnostic.Code("MC0001"), .error, "no", place: range))
      #expect(text.hasSuffix(": no\n  2 | c: d\n    |    ^\n"))
    }
  }

  @Test func `names from files cannot forge output`() {
    var renderer = TextDiagnosticRenderer { _ in nil }
    let diagnostic = Diagnostic(
      Diagnostic.Code("MC1101"), .error, "invalid name 'a\nerror[MC9999]: \u{1B}[2Jb'", notes: ["x\u{7}y"])
    #expect(
      renderer.render(diagnostic)
        == "error[MC1101]: invalid name 'a\\nerror[MC9999]: \\u{1B}[2Jb'\n  x\\u{7}y\n")
  }

  @Test func `colours are written only where asked for, and always ended`() {
    let diagnostic = Diagnostic(
      Diagnostic.Code("MC1301"), .warning, "no inverse", place: place(1, 1, 3), help: ["add one"])
    var plain = TextDiagnosticRenderer { _ in "ab" }
    #expect(!plain.render(diagnostic).contains("\u{1B}"))
    var colored = TextDiagnosticRenderer(usesColor: true) { _ in "ab" }
    let text = colored.render(diagnostic)
    #expect(text.contains("\u{1B}[1;33mwarning[MC1301]:\u{1B}[0m \u{1B}[1mno inverse\u{1B}[0m\n"))
    #expect(text.contains("\u{1B}[1;33m^^\u{1B}[0m\n"))
    #expect(text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") == plain.render(diagnostic))
  }

  private func excerpt(_ text: String, _ place: SourceRange, lineLimit: Int = 100) -> [String] {
    var renderer = TextDiagnosticRenderer(lineLimit: lineLimit) { _ in text }
    let diagnostic = Diagnostic(Diagnostic.Code("MC0001"), .error, "no", place: place)
    return renderer.render(diagnostic).split(separator: "\n").dropFirst().map(String.init)
  }

  private func place(_ line: Int, _ start: Int, _ end: Int) -> SourceRange {
    SourceRange(
      file: "Models/Notes/V2.yaml", start: SourceLocation(line: line, column: start),
      end: SourceLocation(line: line, column: end))
  }
}

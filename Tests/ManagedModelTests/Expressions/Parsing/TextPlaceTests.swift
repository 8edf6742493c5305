import ManagedModel
import Testing

@Suite("Places within an expression's text")
struct TextPlaceTests {
  @Test func `without a place, the finding shows the character and what stands around it`() throws {
    let diagnostic = try #require(try finding { _ = try parsePredicate("a == 1 &&") })
    #expect(diagnostic.place == nil)
    #expect(diagnostic.fixIts.isEmpty)
    #expect(diagnostic.notes == ["at character 10, in 'a == 1 &&'"])
  }

  @Test func `lines of a block begin at the column of the first`() throws {
    let diagnostic = try #require(
      try finding { _ = try parsePredicate("a == 1\nAND size == 2", at: place((3, 5), (4, 18))) })
    #expect(diagnostic.place == place((4, 9), (4, 13)))
    #expect(diagnostic.fixIts.first?.range == diagnostic.place)
    #expect(diagnostic.fixIts.first?.replacement == "#size")
  }

  @Test func `a key that is escaped begins no comment`() throws {
    let diagnostic = try #require(
      try finding { _ = try parsePredicate("a == 'b' AND size == 2", at: place((3, 5), (3, 27))) })
    #expect(diagnostic.fixIts.isEmpty && diagnostic.place == place((3, 18), (3, 22)))
    #expect(diagnostic.help.last?.hasSuffix("`'a == ''b'' AND #size == 2'`") == true, "\(diagnostic.help)")
  }

  @Test func `a text that its file writes with escapes is given as a whole, without an edit`() throws {
    let whole = place((3, 5), (3, 30))
    let diagnostic = try #require(try finding { _ = try parsePredicate("size == 2", at: whole) })
    #expect(diagnostic.place == whole)
    #expect(diagnostic.fixIts.isEmpty)
  }

  @Test func `columns count Unicode scalars`() throws {
    let start = SourceLocation(line: 1, column: 1)
    let origin = SourceRange(file: "M.yaml", start: start, end: start)
    let diagnostic = try #require(try finding { _ = try parsePredicate("'é👩‍👩‍👧' == size", at: origin) })
    #expect(diagnostic.place?.start.column == "'é👩‍👩‍👧' == ".unicodeScalars.count + 1)
  }

  private func place(_ start: (Int, Int), _ end: (Int, Int)) -> SourceRange {
    SourceRange(
      file: "M.yaml", start: SourceLocation(line: start.0, column: start.1),
      end: SourceLocation(line: end.0, column: end.1))
  }
}

import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite("Slips in YAML")
struct SlipTests {
  /// A model's file, the places of the mistakes, and what is said there.
  static let mistakes: [(text: String, places: [String], says: String)] = [
    ("      name:string\n      b: integer32 = 0\n", ["4:11"], "a space is missing after the colon"),
    (
      "      a:string\n      name:string\n      b: integer32 = 0\n", ["4:8", "5:11"],
      "a space is missing after the colon"
    ),
    (
      "      name: string\n     b: integer32 = 0\n", ["5:6"],
      "this line is indented by 5, and those above it by 6, 4, 2 or 0"
    ),
    (
      "      name: string\n        b: integer32 = 0\n", ["5:9"],
      "this line is indented deeper than 'name' in line 4, which has a value"
    ),
    ("      note: a: b\n", ["4:14"], "mapping values are not allowed in this context"),
    ("      name: \"abc\n      b: string\n", ["4:13"], "this quotation mark is not closed"),
    (
      "      name: {type: string, default: a\n  Visit:\n    attributes: {}\n", ["4:13"],
      "this '{' is not closed"
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told where it is made`(_ text: String, _ places: [String], _ says: String) {
    let found = errors("entities:\n  Hut:\n    attributes:\n" + text)
    let starts = found.map { "\($0.place?.start.line ?? 0):\($0.place?.start.column ?? 0)" }
    #expect(starts == places, "\(found)")
    #expect(Set(found.map(\.message)) == [says])
    #expect(Set(found.map(\.code.description)) == ["MC0001"])
  }

  @Test func `a key without its colon`() {
    let found = errors("entities:\n  Hut:\n    attributes\n      name: string\n")
    #expect(found.map(\.message) == ["a colon is missing after 'attributes'"])
    #expect(found.first?.place?.start == SourceLocation(line: 3, column: 15))
  }

  @Test func `merge conflict markers are reported once`() {
    let sides = "<<<<<<< HEAD\ncurrent: V4\n=======\ncurrent: V3\n>>>>>>> fix\n"
    let found = errors("# both\n" + sides + "versions:\n  - V1\n" + sides)
    let message = "there are merge conflict markers here, and in 1 more place: two branches changed this file"
    #expect(found.map(\.message) == [message])
    #expect(found.first?.code == .yamlSyntax)
    #expect(found.first?.place?.start == SourceLocation(line: 2, column: 1))
    #expect(found.first?.help.last?.hasPrefix("in any other file, such as versions.yaml") == true)
  }

  @Test func `a blank that is missing under a key is asked for`() {
    let block = errors("entities:\n  Hut:\n    attributes:\n      a:string\n      name:string\n")
    #expect(block.first?.help == ["write a space after the colon"])
  }

  @Test func `the missing blank is put in by its fix`() throws {
    let text = "entities:\n  Hut:\n    attributes:\n      name:string\n      b: integer32 = 0\n"
    let fixes = errors(text).flatMap(\.fixIts)
    #expect(fixes.map(\.replacement) == [" "] && fixes.allSatisfy(\.isSafe))
    #expect(fixes.first?.range.start == SourceLocation(line: 4, column: 12))
  }

  private func errors(_ text: String) -> [Diagnostic] {
    let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
    let version = reading.model.map { ModelVersion(name: "V1", model: $0, sourceMap: reading.sourceMap) }
    return (reading.diagnostics + (version.map { checkModel(of: $0) } ?? []))
      .filter { $0.severity == .error }
  }
}

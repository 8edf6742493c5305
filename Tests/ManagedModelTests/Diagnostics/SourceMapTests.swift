import ManagedModel
import Testing

@Suite("Places of findings") struct SourceMapTests {
  private static func range(_ line: Int) -> SourceRange {
    SourceRange(file: "V1.yaml", start: .init(line: line, column: 1), end: .init(line: line, column: 9))
  }

  private static var map: SourceMap {
    var map = SourceMap(file: "V1.yaml")
    map[ModelSubject(entity: "Hut")] = range(2)
    map[ModelSubject(entity: "Hut", property: "beds")] = range(3)
    map[ModelSubject(entity: "Hut", property: "beds", key: "default")] = range(4)
    map[ModelSubject(entity: "Hut", key: "fetchIndexes.byBeds")] = range(5)
    return map
  }

  static let subjects: [(ModelSubject, Int)] = [
    (.init(version: "V9", entity: "Hut", property: "beds", key: "default"), 4),
    (.init(entity: "Hut", property: "beds", key: "default.of[3].it"), 4),
    (.init(entity: "Hut", property: "beds", key: "max"), 3), (.init(entity: "Hut", property: "none"), 2),
    (.init(entity: "Hut", key: "fetchIndexes.byBeds.elements[0]"), 5),
    (.init(entity: "Hut", key: "fetchIndexes.byX"), 2),
    (.init(entity: "None"), 1), (.init(), 1), (.init(key: "a.b"), 1),
  ]

  @Test(arguments: subjects)
  func `a part without a place has that of what is around it`(subject: ModelSubject, line: Int) {
    #expect(Self.map.nearestRange(to: subject).start.line == line)
  }

  @Test func `two maps are equal that know the same places`() {
    var other = Self.map
    #expect(other == Self.map && other.hashValue == Self.map.hashValue)
    other[ModelSubject(version: "V1", entity: "Hut")] = nil
    #expect(other != Self.map && other[ModelSubject(entity: "Hut")] == nil)
    #expect(SourceMap(file: "a", outline: Outline()) != SourceMap(file: "a", outline: Outline()))
  }

  /// A text that knows one place, and makes edits of one kind.
  private final class Outline: SourceOutline {
    func range(of subject: ModelSubject) -> SourceRange? {
      subject.entity == "Hut" ? SourceMapTests.range(7) : nil
    }
    func textRange(of subject: ModelSubject) -> SourceRange? { nil }
    func fixIt(for edit: ModelEdit) -> Diagnostic.FixIt? {
      guard case .replace(with: .text(let text)) = edit.change else { return nil }
      return Diagnostic.FixIt(
        edit.message, range: SourceMapTests.range(7), replacement: text, isSafe: edit.isSafe)
    }
  }

  private func located(_ edits: [ModelEdit.Change], place: SourceRange? = nil) -> Diagnostic {
    let hut = ModelSubject(entity: "Hut")
    let finding = Diagnostic(
      .init("MC1101"), .error, "x", subject: hut, place: place,
      edits: edits.map { ModelEdit("m", at: hut, $0, isSafe: true) })
    return finding.located(by: SourceMap(file: "V1.yaml", outline: Outline()))
  }

  @Test func `edits are made together or not at all`() {
    let both = located([.replace(with: .text("a")), .replace(with: .text("b"))])
    #expect(
      both.fixIts.map(\.replacement) == ["a", "b"] && both.fixIts.allSatisfy(\.isSafe) && both.edits.isEmpty)
    let none = located([.replace(with: .text("a")), .remove])
    #expect(none.fixIts.isEmpty && none.edits.isEmpty && none.place == Self.range(7))
  }

  @Test func `a place that is known stays, and the text of a value is asked of the source`() {
    #expect(located([], place: Self.range(1)).place == Self.range(1))
    let map = SourceMap(file: "V1.yaml", outline: Outline())
    #expect(map.textRange(of: ModelSubject(entity: "Hut")) == nil && map[ModelSubject(entity: "Hut")] != nil)
    #expect(Self.map.textRange(of: ModelSubject(entity: "Hut")) == Self.range(2))
    #expect(Self.map.fixIt(for: ModelEdit("m", at: .init(), .remove)) == nil)
  }

  @Test func `places are in the order of the text`() {
    let places = [(2, 1), (1, 9), (1, 10), (1, 1)].map { SourceLocation(line: $0.0, column: $0.1) }
    #expect(places.sorted().map { "\($0.line):\($0.column)" } == ["1:1", "1:9", "1:10", "2:1"])
  }
}

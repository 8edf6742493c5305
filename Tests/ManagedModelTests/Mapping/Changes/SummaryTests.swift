import ManagedModel
import TestSupport
import Testing

@testable import ManagedModel

@Suite("What was added or removed, in few words") struct SummaryTests {
  static let properties: [(String, String)] = [
    ("x: string", "string, required"), ("x: string? = a b", "string, optional, default 'a b'"),
    ("x: Point?", "composite Point, optional"),
    ("x: date, transient", "date, required, transient"),
    ("x: integer64, derived bs.@count", "integer64, required, derived from bs.@count"),
  ]

  @Test(arguments: properties)
  func `of attributes`(notes: String, expected: String) {
    #expect(modelOf("A\n  \(notes)").entities[0].attributes.map { summary(of: $0) } == [expected])
  }

  static let relationships: [(String, String)] = [
    ("b -> B", "to-one B, no inverse"), ("b => B.a", "to-many B, inverse a"),
    ("b => B!, ordered", "to-many B, required, ordered, no inverse"),
    ("b -> B.a, transient", "to-one B, transient, inverse a"),
    ("b -> B, cascade", "to-one B, no inverse, cascade"),
  ]

  @Test(arguments: relationships)
  func `of relationships`(notes: String, expected: String) {
    #expect(modelOf("A\n  \(notes)").entities[0].relationships.map { summary(of: $0) } == [expected])
  }

  @Test func `of entities`() {
    let many = (1...14).map { "  x\($0 + 10): string" }.joined(separator: "\n")
    let model = modelOf("A\nB < A, abstract\n  z: string\n  a -> A\nC\n\(many)")
    #expect(
      model.entities.map { summary(of: $0) } == [
        "without properties", "abstract, child of A, with a, z",
        "with x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, and 2 more",
      ])
  }

  @Test func `of requests and indexes`() {
    let request = FetchRequestDescription(name: "r", entityName: "Hut", predicate: "beds > 3")
    let elements = [
      FetchIndexElement(property: "a"), .init(property: "b * 2", isExpression: true, isAscending: false),
    ]
    let index = FetchIndexDescription(name: "i", elements: elements, partialIndexPredicate: "a > 1")
    #expect(
      summary(of: request) == "fetches Hut where 'beds > 3'"
        && index.words == "a, (b * 2) desc where 'a > 1'")
    #expect(FetchedPropertyDescription(name: "f", fetchRequest: request).words == summary(of: request))
  }
}

import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Diagrams of models") struct DiagramTests {
  private static let hut = EntityDescription(
    name: "Hut", attributes: [AttributeDescription(name: "fax", type: .string, isOptional: true)],
    relationships: [
      RelationshipDescription(
        name: "visits", destinationEntityName: "Visit", inverseName: "hut", maxCount: 0, deleteRule: .cascade)
    ])
  private static let visit = EntityDescription(
    name: "Visit", superentityName: "Event",
    relationships: [
      RelationshipDescription(
        name: "hut", destinationEntityName: "Hut", inverseName: "visits", isOptional: false)
    ])
  private static let model = ManagedObjectModel(
    entities: [hut, visit, EntityDescription(name: "Event", isAbstract: true)])

  @Test func `Mermaid has a class for each entity and one line for a pair`() {
    #expect(
      ModelDiagram(Self.model, title: "Huts").mermaid == """
        classDiagram
          %% Huts
          class E0["Hut"] {
            fax string?
          }
          class E1["Visit"] {
          }
          class E2["Event"] {
            <<abstract>>
          }
          E0 "1" -- "*" E1 : visits / hut
          E2 <|-- E1
        """)
  }

  @Test func `DOT has both cardinalities of a pair`() {
    let dot = ModelDiagram(Self.model, title: "Huts").dot
    #expect(dot.contains("e0 -> e1 [label=\"visits / hut\", headlabel=\"*\", arrowhead=crow"))
    #expect(dot.contains("taillabel=\"1\""))
    #expect(dot.contains("e1 -> e2 [arrowhead=empty]"))
  }

  @Test(arguments: [
    (RelationshipDescription(name: "a", destinationEntityName: "A"), "0..1"),
    (RelationshipDescription(name: "a", destinationEntityName: "A", isOptional: false), "1"),
    (RelationshipDescription(name: "a", destinationEntityName: "A", maxCount: 0), "*"),
    (
      RelationshipDescription(
        name: "a", destinationEntityName: "A", isOptional: false, minCount: 2, maxCount: 5), "2..5"
    ),
    (
      RelationshipDescription(
        name: "a", destinationEntityName: "A", isOptional: false, minCount: 1, maxCount: 0), "1..*"
    ),
  ])
  func `cardinalities`(_ relationship: RelationshipDescription, _ text: String) {
    #expect(relationship.cardinality == text)
  }

  /// Names that would end a string, a tag or a statement.
  @Test func `names are never markup`() throws {
    let name = "</script><script>alert(1)</script>\"'`{}\u{202E}\n<!--TITLE-->/*DATA*/"
    var model = Self.model
    model.entities[0].name = name
    model.entities[0].attributes[0].name = name
    let diagram = ModelDiagram(model, title: name)
    #expect(!diagram.mermaid.contains("<script>") && !diagram.mermaid.contains("`"))
    #expect(!diagram.svg.contains("<script>"))
    let page = ModelPage(
      model: VersionedModel(
        name: name, versions: [ModelVersion(name: "V1", model: model)], currentVersionName: "V1")
    ).html()
    let data = try #require(PageData(page))
    #expect(data.scriptTags == [2, 2])
    #expect(data["entities", "0", "name"] == name && data["title"] == name)
  }

  /// Mermaid draws the last alone of several lines from a class to itself.
  @Test func `relationships of an entity to itself are one line for Mermaid`() {
    func relationship(_ name: String, _ inverse: String?, toMany: Bool = false) -> RelationshipDescription {
      RelationshipDescription(
        name: name, destinationEntityName: "Page", inverseName: inverse, maxCount: toMany ? 0 : 1)
    }
    let page = EntityDescription(
      name: "Page",
      relationships: [
        relationship("children", "parent", toMany: true), relationship("parent", "children"),
        relationship("next", nil),
      ])
    let lines = ModelDiagram(ManagedObjectModel(entities: [page]), title: "Pages").mermaid
      .split(separator: "\n").filter { $0.contains("--") }
    #expect(lines == ["  E0 -- E0 : children #42; / parent 0..1, next 0..1"])
  }

  @Test func `a text that GitHub does not draw is warned of`() {
    let texts = [50_000, 50_001].map { String(repeating: "a", count: $0) }
    #expect(texts.map { ExportForm.mermaid.findings(about: $0).map(\.code) } == [[], [.pictureTooLarge]])
    #expect(ExportForm.dot.findings(about: texts[1]).isEmpty)
  }

  /// Without these hashes a browser runs nothing of the page.
  @Test func `the page's policy allows its own script alone`() throws {
    let page = ModelPage(
      model: VersionedModel(
        name: "Huts", versions: [ModelVersion(name: "V1", model: Self.model)], currentVersionName: "V1")
    ).html()
    let start = try #require(page.range(of: "<script>")).upperBound
    let end = try #require(page.range(of: "</script>", range: start..<page.endIndex)).lowerBound
    let hash = Data(SHA256.digest(of: Data(page[start..<end].utf8))).base64EncodedString()
    #expect(page.contains("default-src 'none'; script-src 'sha256-\(hash)'"))
    #expect(!page.contains("src=") && !page.contains("unsafe-inline") && !page.contains("url("))
  }
}

@Suite("Layout of diagrams") struct DiagramLayoutTests {
  @Test(.needsFixtures) func `no boxes of a genuine model cover one another`() throws {
    var (count, crossings) = (0, 0)
    for url in Fixtures.all(withExtension: "xcdatamodeld") {
      guard let model = ModelReader().read(url.path).model else { continue }
      let diagram = ModelDiagram(ofAllVersions: model)
      let boxes = diagram.boxes.map {
        DiagramLayout.Box(name: $0.name, width: ModelDiagram.boxWidth, height: $0.height)
      }
      let edges = diagram.lines.map {
        DiagramLayout.Edge(from: $0.from, to: $0.to, isParent: $0.isParent)
      }
      let places = DiagramLayout.positions(of: boxes, edges: edges, budget: 1e5)
      #expect(boxes.allSatisfy { places[$0.name] != nil }, "\(url.path)")
      let quality = DiagramLayout.quality(of: places, boxes: boxes, edges: edges)
      #expect(quality.overlaps == 0, "\(url.path)")
      count += 1
      crossings += quality.crossings
    }
    // Graphviz's dot has 72 over the same models' versions.
    #expect(count > 20 && crossings <= 20)
  }

  @Test(arguments: 1...30) func `random graphs are laid out alike whatever their order`(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 0...60, using: &random)
    let boxes = (0..<count).map { number in
      DiagramLayout.Box(name: "E\(number)", width: 240, height: Double.random(in: 40...500, using: &random))
    }
    // Cycles, loops, parents in circles and names of nobody are all there.
    let edges = (0..<(count * 2)).map { _ in
      DiagramLayout.Edge(
        from: "E\(Int.random(in: 0...count, using: &random))",
        to: "E\(Int.random(in: 0...count, using: &random))",
        isParent: Int.random(in: 0..<4, using: &random) == 0)
    }
    let places = DiagramLayout.positions(of: boxes, edges: edges, budget: 1e5)
    #expect(places.count == count)
    #expect(DiagramLayout.quality(of: places, boxes: boxes, edges: edges).overlaps == 0)
    #expect(
      DiagramLayout.positions(of: boxes.shuffled(), edges: edges.shuffled(), budget: 1e5) == places)
  }

  @Test func `sizes that are no sizes are drawn all the same`() {
    let boxes = [Double.nan, .infinity, -3, 1e300].enumerated().map {
      DiagramLayout.Box(name: "E\($0)", width: $1, height: $1)
    }
    let places = DiagramLayout.positions(of: boxes, edges: [.init(from: "E0", to: "E1", isParent: true)])
    #expect(places.count == 4 && places.values.allSatisfy { $0.x.isFinite && $0.y.isFinite })
  }
}

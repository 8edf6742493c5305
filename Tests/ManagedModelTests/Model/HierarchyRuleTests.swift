import TestSupport
import Testing

@testable import ManagedModel

/// A hierarchy is made of any model, whatever is wrong with it.
@Suite("Hierarchies of any model") struct HierarchyRuleTests {
  @Test func `a parent that is not there counts as none`() {
    let hierarchy = EntityHierarchy(modelOf("A < Gone\nB < A"))
    #expect(hierarchy.rootNames == ["A"] && hierarchy.superentityName(of: "A") == nil)
    #expect(hierarchy.rootName(of: "B") == "A" && hierarchy.rootName(of: "Gone") == "Gone")
  }

  @Test(arguments: ["A < A", "A < B\nB < A", "A < B\nB < C\nC < A\nD < A"])
  func `a circle of parents is cut`(notes: String) {
    let model = modelOf(notes)
    let hierarchy = EntityHierarchy(model)
    #expect(hierarchy.rootNames.count == 1)
    #expect(Set(hierarchy.namesInNumberingOrder) == Set(model.entities.map(\.name)))
    #expect(model.entities.allSatisfy { hierarchy.lineage(of: $0.name).count <= model.entities.count })
  }

  @Test func `of two entities with one name the first counts`() {
    let hierarchy = EntityHierarchy(modelOf("A\n  x: string\nA\n  y: string\nB < A"))
    #expect(hierarchy.attributes(of: "B").map(\.name) == ["x"] && hierarchy.index(of: "A") == 0)
    #expect(hierarchy.namesInNumberingOrder == ["A", "B"])
  }

  @Test func `what nobody has is found nowhere`() {
    let hierarchy = EntityHierarchy(modelOf("A"))
    #expect(hierarchy.entity(named: "B") == nil && hierarchy.ancestorNames(of: "B") == [])
    #expect(hierarchy.descendantNames(includingSelf: "B") == ["B"] && hierarchy.subentityNames(of: "B") == [])
    #expect(hierarchy.attributes(of: "B") == [] && hierarchy.relationships(of: "B") == [])
    #expect(
      hierarchy.attribute(named: "x", of: "B") == nil && hierarchy.relationship(named: "x", of: "A") == nil)
    #expect(!hierarchy.isKind("A", of: "B") && hierarchy.isKind("B", of: "B"))
  }

  @Test func `entities with many attributes find them all, and of two with one name the first`() {
    var model = modelOf("A\nB < A")
    model.entities[0].attributes = (0..<200).map {
      AttributeDescription(name: "a\($0 % 100)", type: $0 < 100 ? .string : .date)
    }
    let hierarchy = EntityHierarchy(model)
    let types = (0..<100).map { hierarchy.attribute(named: "a\($0)", of: "B")?.type }
    #expect(types.allSatisfy { $0 == .string } && hierarchy.attribute(named: "a100", of: "B") == nil)
    #expect(hierarchy.declaringEntityName(of: "a99", seenFrom: "B") == "A")
  }

  @Test func `an own property hides the inherited one of its name`() {
    let hierarchy = EntityHierarchy(modelOf("A\n  x: string\n  r -> A\nB < A\n  x: date\n  r => B.r"))
    #expect(hierarchy.attribute(named: "x", of: "B")?.type == .date)
    #expect(hierarchy.relationship(named: "r", of: "B")?.isToMany == true)
    #expect(hierarchy.attributes(of: "B").map(\.type) == [.string, .date])
  }

  @Test func `inverses may be inherited, missing or the relationship itself`() {
    let hierarchy = EntityHierarchy(
      modelOf("A\n  bs => B.a\n  lost -> B.none\n  gone -> C.a\n  self -> A.self\nB < P\nP\n  a -> A.bs"))
    func inverse(_ name: String) -> String? {
      hierarchy.relationship(named: name, of: "A").flatMap(hierarchy.inverse(of:))?.name
    }
    #expect(["bs", "lost", "gone", "self"].map(inverse) == ["a", nil, nil, "self"])
  }

  static let orders: [(String, String)] = [
    ("", "a"), ("a", "ab"), ("A", "a"), ("Z", "a"), ("z", "é"), ("e\u{301}", "é"), ("\u{FFFD}", "\u{1F600}"),
    ("a\u{0}", "a\u{1}"),
  ]

  /// UTF-16, which Foundation compares, has U+1F600 before U+FFFD.
  @Test(arguments: orders)
  func `code points decide the order`(first: String, second: String) {
    #expect(first.precedesInCodePointOrder(second) && !second.precedesInCodePointOrder(first))
    #expect(
      !first.precedesInCodePointOrder(first) && !first.hasBytes(of: second) && first.hasBytes(of: first))
  }

  @Test func `equal texts may differ byte by byte`() {
    #expect(
      "é" == "e\u{301}" && !"é".hasBytes(of: "e\u{301}") && "".hasBytes(of: "") && !"a".hasBytes(of: "b"))
  }

  /// Models whose names and parents are drawn by chance: most are invalid.
  @Test func `numbers, kinds and families agree`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let names = ["a", "B", "b", "C", "é", "z"].shuffled(using: &random)
      let model = ManagedObjectModel(
        entities: names.map { EntityDescription(name: $0, superentityName: random.pick(names + ["gone"])) })
      let hierarchy = EntityHierarchy(model)
      let numbered = hierarchy.namesInNumberingOrder
      var problems: [String] = []
      if numbered.sorted() != names.sorted() { problems.append("numbered: \(numbered)") }
      for name in names {
        let ancestors = hierarchy.ancestorNames(of: name)
        if ancestors.last ?? name != hierarchy.rootName(of: name) { problems.append("root of \(name)") }
        if hierarchy.lineage(of: name).map(\.name) != ancestors.reversed() + [name] {
          problems.append("lineage of \(name)")
        }
        for other in names {
          let isBelow = other == name || ancestors.contains(other)
          if hierarchy.isKind(name, of: other) != isBelow { problems.append("\(name) of \(other)") }
          if hierarchy.descendantNames(includingSelf: other).contains(name) != isBelow {
            problems.append("\(name) below \(other)")
          }
        }
      }
      // An entity's descendants follow it without a gap.
      for (place, name) in numbered.enumerated() {
        let family = hierarchy.descendantNames(includingSelf: name)
        if Array(numbered[place...].prefix(family.count)) != family { problems.append("family of \(name)") }
      }
      #expect(problems == [], "\(model.entities.map { "\($0.name) < \($0.superentityName ?? "")" })")
    }
  }
}

import ManagedModel
import TestSupport
import Testing

@Suite("What a step has no place for") struct RemovalTests {
  static let steps: [(String, String, [String])] = [
    ("A\n  x: string\n  y: date", "A\n  y: date", ["A.x"]), ("A\n  x: string", "A\n  z: string, was x", []),
    ("A\n  n: integer64, derived bs.@count\n  bs => A", "A", ["A.bs"]),
    ("A\n  x: string, transient", "A", []),
    // The other side takes the references over, or nobody does.
    ("A\n  bs => B.a\nB\n  a -> A.bs", "A\nB\n  a -> A", []),
    ("A\n  bs => B.a\nB\n  a -> A.bs", "A\nB", ["A.bs", "B.a"]),
    ("A\n  b -> B\nB", "A\nB\n  as => A", ["A.b"]), ("A\n  b -> B, transient\nB", "A\nB", []),
    ("A\n  near => A.near", "A", ["A.near"]),
    ("P\n  q -> Q.ps\nA < P\nQ\n  ps => P.q", "P\n  q -> Q.ps\nA\nQ\n  ps => P.q", ["A.q"]),
    // Members of composites one by one, inherited properties by the entity that declares them.
    ("A\n  p: P\ncomposite P\n  x: double\n  y: double", "A\n  p: P\ncomposite P\n  x: double", ["A.p.y"]),
    ("P\n  x: string\nA < P", "P\nA < P\n  x: string", ["P.x"]),
    ("P\n  x: string\nA < P", "P\nA < P", ["P.x"]),
    ("A\n  x: string", "B\n  x: string", ["A"]),
  ]

  @Test(arguments: steps)
  func `is told property by property`(old: String, new: String, expected: [String]) {
    let (before, after) = (versionOf("V1", old), versionOf("V2", new))
    let found = inferMappingModel(from: before, to: after).mappingModel
      .removals(from: EntityHierarchy(before.model), to: EntityHierarchy(after.model))
    #expect(found.map(\.name) == expected)
  }

  @Test func `an entity that is retired takes the relationships along that led to it alone`() {
    let old = "A\n  b -> B\n  c -> C\nB\n  x: string\nC\nD < C\nP, abstract\nQ < P\n  p -> P"
    let names = [["B"], ["C"], ["C", "D"], ["Q"], ["B.x"], []].map { retired in
      [versionOf("V1", old), versionOf("V2", "A", retired: retired)].retiredNames.sorted()
    }
    #expect(
      names == [["A.b", "B"], ["C"], ["A.c", "C", "D"], ["Q", "Q.p"], ["B.x"], []])
  }

  @Test func `what is retired after it was renamed is retired under its first name too`() {
    let first = "Dog\n  fax: string\n  owner -> Person\nPerson\nToy"
    let second =
      "Hound, was Dog\n  phone: string, was fax\n  keeper -> Person, was owner\nPerson\nDoll, was Toy"
    let names = [["Hound.phone"], ["Hound.keeper", "Doll"], ["Hound.none"]].map { retired in
      [versionOf("V1", first), versionOf("V2", second), versionOf("V3", "Hound, was Dog", retired: retired)]
        .retiredNames.sorted()
    }
    #expect(
      names == [["Dog.fax", "Hound.phone"], ["Dog.owner", "Doll", "Hound.keeper", "Toy"], ["Hound.none"]])
  }

  @Test func `a list names it, what it is a part of, or its entity`() {
    let lists = [["A"], ["A.p"], ["A.p.x"], ["A.q", "B", "A.p.x.z"], []]
    #expect(
      lists.map { Removal(entity: "A", property: "p.x").isListed(in: $0) } == [
        true, true, true, false, false,
      ])
    #expect(lists.map { Removal(entity: "A").isListed(in: $0) } == [true, false, false, false, false])
    #expect(Removal(entity: "A").name == "A" && Removal(entity: "A", property: "p.x").name == "A.p.x")
  }
}

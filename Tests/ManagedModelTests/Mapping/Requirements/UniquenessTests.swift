import ManagedModel
import TestSupport
import Testing

@Suite("Constraints that a step brings") struct UniquenessTests {
  /// Constraints of one value for all, and new ones.
  static let steps: [(String, String, [[String]], [[String]])] = [
    ("A\n  x: string", "A, unique x\n  x: string", [], [["x"]]),
    ("A, unique x\n  x: string", "A, unique x\n  x: string", [], []),
    ("A, unique x\n  x: string", "A, unique y\n  y: string, was x", [], []),
    ("A, unique x y\n  x: string\n  y: string", "A, unique y x\n  x: string\n  y: string", [], []),
    ("A, unique x\n  x: string\n  y: string", "A, unique x y\n  x: string\n  y: string", [], []),
    ("A, unique x y\n  x: string\n  y: string", "A, unique x\n  x: string\n  y: string", [], [["x"]]),
    // All rows share the default; those without a value get one.
    ("A\n  x: string", "A, unique x y\n  x: string\n  y: string = a", [], [["x", "y"]]),
    ("A, unique x\n  x: string?", "A, unique x\n  x: string = a", [], [["x"]]),
    // One part that starts empty makes each object different from all.
    ("A\n  x: string", "A, unique x y\n  x: string\n  y: string?", [], []),
    ("A", "A, unique x\n  x: string?", [], []),
    ("A", "A, unique x, unique y\n  x: string = a\n  y: string?", [["x"]], []),
    ("A", "A, unique x y\n  x: string = a\n  y: string = b", [["x", "y"]], []),
    // The parent's constraint held them apart already; a constraint over nothing holds for all.
    ("P, unique x\n  x: string\nA < P", "P\n  x: string\nA < P, unique x", [], []),
    ("A", "A, unique", [], []),
    ("B\n  x: string", "A, unique x\n  x: string = a\nB", [["x"]], []),
  ]

  @Test(arguments: steps)
  func `by the values of the entity`(old: String, new: String, constant: [[String]], added: [[String]]) {
    let (source, destination) = (versionOf("V1", old), versionOf("V2", new))
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(destination.model))
    let mapping = inferMappingModel(from: source, to: destination).mappingModel.mappings(toEntity: "A").first
    #expect(mapping?.constantConstraints(in: after) == constant)
    // A constraint over nothing has all of its no values in the source.
    #expect(mapping?.newConstraints(from: before, to: after).filter { !$0.isEmpty } == added)
  }

  static let references: [(String, String, [String])] = [
    ("A\n  b -> B\nB", "A\n  b -> B.a\nB\n  a -> A.b", ["B.a"]),
    ("A\n  b -> B\nB", "A\n  b -> B.as\nB\n  as => A.b", []),
    ("A\n  b -> B.as\nB\n  as => A.b", "A\n  b -> B.a\nB\n  a -> A.b", ["B.a"]),
    ("A\n  b -> B.a\nB\n  a -> A.b", "A\n  b -> B.own\nB\n  own -> A.b", []),
    ("A\n  b -> B.a\nB\n  a -> A.b", "A\n  b -> B.a\nB\n  a -> A.b", []),
    ("A\nB", "A\n  b -> B.a\nB\n  a -> A.b", []),
    // Without an inverse each object of a to-many has one owner.
    ("A\n  b -> B\nB", "A\n  b => B\nB", ["A.b"]), ("A\n  b -> B.a\nB\n  a -> A.b", "A\n  b => B\nB", []),
  ]

  @Test(arguments: references)
  func `a to-one that several may lead to`(old: String, new: String, contested: [String]) {
    let (source, destination) = (versionOf("V1", old), versionOf("V2", new))
    let (before, after) = (EntityHierarchy(source.model), EntityHierarchy(destination.model))
    let mappingModel = inferMappingModel(from: source, to: destination).mappingModel
    let found = mappingModel.entityMappings.flatMap { mapping in
      mapping.contestedReferences(from: before, to: after).map {
        "\(mapping.destinationEntityName ?? "").\($0.name)"
      }
    }
    #expect(found == contested)
  }
}

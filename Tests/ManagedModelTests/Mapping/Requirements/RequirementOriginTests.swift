import ManagedModel
import TestSupport
import Testing

@Suite("Where required values come from") struct RequirementOriginTests {
  static let steps: [(String, String, [String])] = [
    ("A\n  x: string?", "A\n  y: string, was x", ["y optional"]),
    ("A\n  x: string?", "A\n  x: date", ["x optional"]),
    ("A", "A\n  x: string, derived now()", []), ("A", "A\n  x: string, transient", []),
    ("A", "A\n  x: string?", []),
    // Members of composites: absent where nothing is there, optional where the composite may be.
    ("A", "A\n  p: P", ["p.x absent"]), ("A\n  p: P?", "A\n  p: P", ["p.x optional"]),
    ("A\n  p: P", "A\n  p: P", []),
    ("A", "A\n  p: P?", []), ("A\n  p: P", "A\n  q: P, was p", []),
    // Of relationships: from the own side, from the other side, from nowhere.
    ("A\nB", "A\n  b -> B!\nB", ["b absent"]), ("A\n  b -> B\nB", "A\n  b -> B!\nB", ["b optional"]),
    ("A\n  b -> B!\nB", "A\n  b -> B!\nB", []),
    ("A\nB\n  as => A", "A\n  b -> B.as!\nB\n  as => A.b", ["b computed"]),
    ("A\nB", "A\n  b -> B!, transient\nB", []), ("A\n  b -> B!\nB\nC", "A\n  b -> C!\nB\nC", ["b absent"]),
    ("A\n  b -> B!\nB", "A\n  b => B!\nB", []),
    // Inherited ones too, and those of an entity that is new.
    ("P\nA < P", "P\n  x: string\nA < P", ["x absent"]),
    ("B", "A\n  x: string\n  y: string = a\nB", ["x absent", "y computed"]),
  ]

  @Test(arguments: steps)
  func `the models and the mapping tell`(old: String, new: String, expected: [String]) {
    let composite = "\ncomposite P\n  x: string"
    let (source, destination) = (versionOf("V1", old + composite), versionOf("V2", new + composite))
    let mapping = inferMappingModel(from: source, to: destination).mappingModel.mappings(toEntity: "A").first
    let found = mapping?.requirements(
      from: EntityHierarchy(source.model), to: EntityHierarchy(destination.model))
    #expect(found?.map { "\($0.property.name) \($0.past)" } == expected)
  }

  @Test func `a mapping that removes objects requires nothing`() {
    let source = versionOf("V1", "A")
    let mapping = inferMappingModel(from: source, to: versionOf("V2", "B\n  x: string")).mappingModel
    let hierarchy = EntityHierarchy(source.model)
    #expect(
      mapping.mappings(fromEntity: "A").flatMap { $0.requirements(from: hierarchy, to: hierarchy) }.isEmpty)
  }
}

import ManagedModel
import TestSupport
import Testing

@Suite("Names of entities, relationships and members over versions") struct NamesOverVersionsTests {
  static let lines: [([String], [String])] = [
    // An entity that comes back is one finding, not one for each property.
    (["A\n  x: string", "B\n  y: string", "A\n  x: string"], ["V3 MC3203 warning A"]),
    (["A\n  r -> A", "A", "A\n  r -> A"], ["V3 MC3203 warning A.r"]),
    (["A\n  r -> A", "A", "A\n  r -> A, transient"], []),
    (
      ["A\n  p: P\ncomposite P\n  x: string", "A", "A\n  p: P\ncomposite P\n  x: string"],
      ["V3 MC3203 warning A.p.x"]
    ),
    // Of a type that nothing converts to, Core Data puts no old values in.
    (["A\n  x: string", "A", "A\n  x: date"], []),
    (["A\n  x: integer16", "A", "A\n  x: integer64"], ["V3 MC3203 warning A.x"]),
    // Under another entity it is another thing; under the same one by another name it is not.
    (["A\n  x: string\nB", "A\nB", "A\nB\n  x: string"], []),
    (["A\n  x: string", "C, was A", "C, was A\n  x: string"], ["V3 MC3203 warning C.x"]),
    // It came back long ago, and stays.
    (["A\n  x: string", "A", "A\n  x: string", "A\n  x: string\n  y: date"], ["V3 MC3203 warning A.x"]),
    (
      ["A\n  x: string", "A", "A\n  x: string", "A", "A\n  x: string"],
      ["V3 MC3203 warning A.x", "V5 MC3203 warning A.x"]
    ),
    // An identifier of its own keeps the new thing apart.
    (["A\n  x: string", "A", "A\n  x: string, was x2"], []), (["A", "B", "A, was A2"], []),
    // A swap moves names, and loses none.
    (["A\n  x: string\n  y: string", "A\n  y: string, was x\n  x: string, was y"], []),
    // Identifiers that lead nowhere.
    (["A", "A\n  x: string, was z"], ["V2 MC3205 warning A.x"]),
    (["A", "A\nB, was Z"], ["V2 MC3205 warning B"]),
    (["A", "A\nB, was Z\n  x: string, was y"], ["V2 MC3205 warning B"]), (["A\n  x: string, was z"], []),
    (["A\n  x: string, was z", "A\n  x: string, was z"], []),
    (["A", "A\n  r -> A, was z"], ["V2 MC3205 warning A.r"]),
    // Of a name that stays MC3201 says it.
    (["A\n  x: string, was y", "A\n  x: string, was z"], []),
    (["A\n  t: string", "A\n  x: string, was t", "A\n  x: string, was s"], []),
  ]

  @Test(arguments: lines)
  func `are one thing by their canonical names`(notes: [String], expected: [String]) {
    let found = versionsOf(notes).checkNameHistory().filter { $0.code != .likelyRename }
    #expect(found.map { "\($0.subject?.version ?? "") \(line(of: $0))" } == expected)
  }
}

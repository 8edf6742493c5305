import ManagedModel
import Testing

@Suite("Names over a line of versions") struct NameHistoryTests {
  /// Versions of one entity, each with its attributes as `name` or `name<identifier`.
  private func codes(_ versions: [[String]], retired: [String] = []) -> [String] {
    let lineage = versions.enumerated().map { index, attributes in
      let descriptions = attributes.map { text -> AttributeDescription in
        let parts = text.split(separator: "<").map(String.init)
        return AttributeDescription(
          name: parts[0], type: .string, isOptional: true,
          renamingIdentifier: parts.count > 1 ? parts[1] : nil)
      }
      let model = ManagedObjectModel(
        entities: [EntityDescription(name: "Hut", attributes: descriptions)], retired: retired)
      return ModelVersion(name: "V\(index + 1)", model: model)
    }
    return lineage.checkNameHistory().map { "\($0.subject?.version ?? "") \($0.code)" }
  }

  static let cases: [([[String]], [String])] = [
    ([["name"], ["title<name"], ["headline<name"]], []),
    ([["note", "a"], ["a"], ["note", "a"]], ["V3 MC3203"]),
    ([["note", "a"], ["a"], ["note<note2", "a"]], []),
    ([["name"], ["fullName"]], ["V2 MC3204"]),
    ([["beds"], ["warden"]], []),
    ([["name"], ["name", "title<nmae"]], ["V2 MC3205"]),
    // A new thing under an old name is kept apart on purpose.
    ([["a"], ["b<a", "a<a2"]], []),
    // MC3201 tells of a broken chain.
    ([["name"], ["title<name"], ["headline<title"]], []),
    ([["title"], ["titles<title"], ["titles"]], []),
    ([["name"], ["title<name"], ["title<name", "name<name2"]], []),
  ]

  @Test(arguments: cases)
  func `names that come back, renames that nobody stated, identifiers that lead nowhere`(
    _ versions: [[String]], _ expected: [String]
  ) {
    #expect(codes(versions) == expected)
  }

  @Test func `what is retired was no rename`() {
    #expect(codes([["name"], ["fullName"]], retired: ["Hut.name"]) == [])
  }
}

import ManagedModel
import Testing

@Suite("Version hashes")
struct VersionHashesTests {
  @Test(arguments: [
    ("Category", "fa37182cb55c9960577e91aeb9fc0c14092dcec2564459a119bb513f45641c4a"),
    ("Tag", "b740a6fb4c426dd14ea60b335a71b968da756f6fe34822272cb4a849ebf7dc73"),
    ("Note", "b76dea89b30116c0c283030ae66c8678e411956bfee29910fbbe70be034a4d56"),
  ])
  func `the Notes model hashes as Core Data printed it`(entity: String, expected: String) {
    #expect(notesModel().entityVersionHashesByName[entity]?.hexadecimal == expected)
  }

  @Test(arguments: ["FFFFFF", "white"])
  func `a default value does not move the hash`(text: String) {
    let colour = AttributeDescription(name: "colorAsHex", type: .string, defaultValue: .text(text))
    let hashes = notesModel(categoryAttributes: [colour]).entityVersionHashesByName
    #expect(
      hashes["Category"]?.hexadecimal == "ff73e8dcf5caec7ad8c6c164864383bc21467f2773b3a502a90009b29f1e8faf")
    #expect(hashes["Note"] == notesModel().entityVersionHashesByName["Note"])
  }

  /// Each change of an "in" fact of the hash layout, applied to a parent entity.
  static let hashedChanges: [(String, @Sendable (inout EntityDescription) -> Void)] = [
    ("abstract", { $0.isAbstract = true }),
    ("modifier", { $0.versionHashModifier = "2" }),
    ("constraint", { $0.uniquenessConstraints = [["a"]] }),
    ("attribute type", { $0.attributes[0].type = .integer32 }),
    ("optional", { $0.attributes[0].isOptional = true }),
    ("transient", { $0.attributes[0].isTransient = true }),
    ("external storage", { $0.attributes[0].allowsExternalBinaryDataStorage = true }),
    ("preserve on deletion", { $0.attributes[0].preservesValueInHistoryOnDeletion = true }),
    ("derived", { $0.attributes[0].derivationExpression = "r.@count" }),
    ("attribute modifier", { $0.attributes[0].versionHashModifier = "x" }),
    ("min", { $0.relationships[0].minCount = 1 }),
    ("max", { $0.relationships[0].maxCount = 0 }),
    ("ordered", { $0.relationships[0].isOrdered = true }),
    ("inverse", { $0.relationships[0].inverseName = "p" }),
  ]

  /// Facts that Core Data leaves out.
  static let unhashedChanges: [(String, @Sendable (inout EntityDescription) -> Void)] = [
    ("class", { $0.managedObjectClassName = "Other" }),
    ("renaming identifier", { $0.renamingIdentifier = "Old" }),
    ("user info", { $0.userInfo = ["a": "b"] }),
    ("index", { $0.fetchIndexes = [FetchIndexDescription(name: "i", elements: [.init(property: "a")])] }),
    ("default", { $0.attributes[0].defaultValue = "7" }),
    ("validation", { $0.attributes[0].validation.minimum = "1" }),
    ("scalar", { $0.attributes[0].usesScalarValueType = true }),
    ("transformer", { $0.attributes[0].valueTransformerName = "T" }),
    ("delete rule", { $0.relationships[0].deleteRule = .cascade }),
    ("transient added", { $0.attributes.append(.init(name: "t", type: .string, isTransient: true)) }),
    ("order", { $0.attributes.reverse() }),
  ]

  func hashes(_ change: (inout EntityDescription) -> Void = { _ in }) -> [String: VersionHash] {
    var parent = EntityDescription(
      name: "Parent",
      attributes: [.init(name: "a", type: .integer16), .init(name: "b", type: .string)],
      relationships: [.init(name: "r", destinationEntityName: "Other")])
    change(&parent)
    let child = EntityDescription(name: "Child", superentityName: "Parent")
    let other = EntityDescription(name: "Other", attributes: [.init(name: "x", type: .uuid)])
    return ManagedObjectModel(entities: [child, other, parent]).entityVersionHashesByName
  }

  @Test(arguments: hashedChanges.indices)
  func `a hashed fact moves its entity and all descendants, and nothing else`(index: Int) {
    let (before, after) = (hashes(), hashes(Self.hashedChanges[index].1))
    #expect(before["Parent"] != after["Parent"], "\(Self.hashedChanges[index].0)")
    #expect(before["Child"] != after["Child"])
    #expect(before["Other"] == after["Other"])
  }

  @Test(arguments: unhashedChanges.indices)
  func `an unhashed fact moves no hash`(index: Int) {
    #expect(hashes() == hashes(Self.unhashedChanges[index].1), "\(Self.unhashedChanges[index].0)")
  }

  @Test func `names sort by code point, not by letter`() {
    let attributes = ["b", "B", "é", "z"].map { AttributeDescription(name: $0, type: .string) }
    let forward = ManagedObjectModel(entities: [.init(name: "E", attributes: attributes)])
    let backward = ManagedObjectModel(entities: [.init(name: "E", attributes: attributes.reversed())])
    #expect(forward.entityVersionHashesByName == backward.entityVersionHashesByName)
  }

  @Test func `a cycle of parents neither hangs nor crashes`() {
    let model = ManagedObjectModel(entities: [
      .init(name: "A", superentityName: "B"), .init(name: "B", superentityName: "A"),
    ])
    #expect(model.entityVersionHashesByName.count == 2)
  }

  @Test(arguments: [("pages.@count", "count:(pages)"), ("author.name", "author.name"), ("now()", "now()")])
  func `a derivation prints as Core Data prints it`(text: String, printed: String) {
    #expect(text.printedDerivation == printed)
  }

  @Test func `a hash that rests on an unconfirmed rule is named`() {
    let model = ManagedObjectModel(entities: [
      .init(
        name: "Person",
        relationships: [
          .init(name: "friends", destinationEntityName: "Person", inverseName: "friends", maxCount: 0)
        ]),
      .init(name: "Plain", attributes: [.init(name: "a", type: .string)]),
    ])
    #expect(model.unverifiedHashRules == ["Person": [.selfInverse]])
  }
}

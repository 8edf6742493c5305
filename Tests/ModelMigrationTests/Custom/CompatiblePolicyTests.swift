import Foundation
import ManagedModel
import ModelArchives
import ModelMigration
import TestSupport
import Testing

@Suite("Policies that port by another import")
struct CompatiblePolicyTests {
  private static let old = """
    entities:
      Item: {abstract: true, attributes: {title: string, subtitle: string?}}
      Note:
        parent: Item
        attributes:
          tags: {type: transformable?, transformer: NSSecureUnarchiveFromData}
          colour: {type: transformable?, transformer: ColourTransformer}
          picture: {type: transformable?, transformer: NSSecureUnarchiveFromData}
        relationships:
          pages: {toMany: Page, inverse: note, ordered: true}
          readers: {toMany: Reader, inverse: notes}
      Page:
        attributes: {number: integer32 = 0}
        relationships: {note: {to: Note, inverse: pages}}
      Reader:
        attributes: {name: string}
        relationships: {notes: {toMany: Note, inverse: readers}}
    """
  private static let new =
    old.replacing(
      "      colour: {",
      with: "      facts: {type: transformable?, transformer: NSSecureUnarchiveFromData}\n      colour: {"
    ).replacing(
      "subtitle: string?}}", with: "subtitle: string?, shouted: string?, log: string?, origin: string?}}"
    )
    .replacing(
      "readers: {toMany: Reader, inverse: notes}",
      with: "readers: {toMany: Reader, inverse: notes}\n      shelf: {to: Shelf, inverse: notes}"
    ).replacing("      tags:", with: "      readerCount: integer32 = 0\n      tags:")
    .replacing(
      "notes: {toMany: Note, inverse: readers}}",
      with: "notes: {toMany: Note, inverse: readers}, shelves: {toMany: Shelf, inverse: keepers}}")
      + """

        Shelf:
          attributes: {name: string, count: integer32 = 0}
          relationships:
            notes: {toMany: Note, inverse: shelf}
            keepers: {toMany: Reader, inverse: shelves}
      """

  private func mapping(_ policy: String, _ shouted: String) -> String {
    """
    entityMappings:
      NoteToNote:
        source: Note
        destination: Note
        policy: \(policy)
        userInfo: {kind: test}
        attributes: {shouted: '\(shouted)', origin: '"mapping"'}
        relationships: {readers: 'destinationInstances("ReaderToReader", $source.readers)'}
    """
  }

  private func objects() throws -> [ManagedObject] {
    let tags = try NSKeyedArchiver.archivedData(withRootObject: ["x", "y"], requiringSecureCoding: true)
    let picture = try NSKeyedArchiver.archivedData(
      withRootObject: NSLocale(localeIdentifier: "de"), requiringSecureCoding: true)
    var note = ManagedObject(
      "Note", 1,
      values: [
        "title": .string("first"), "tags": .binary(tags), "colour": .binary(Data("neerg".utf8)),
        "picture": .binary(picture),
      ])
    note.toMany["pages"] = [2, 1].map { objectID("Page", $0) }
    note.toMany["readers"] = [objectID("Reader", 1)]
    var pages = ManagedObject("Page", 1, values: ["number": .integer(10)])
    var second = ManagedObject("Page", 2, values: ["number": .integer(20)])
    pages.toOne["note"] = objectID("Note", 1)
    second.toOne["note"] = objectID("Note", 1)
    var reader = ManagedObject("Reader", 1, values: ["name": .string("Ann")])
    reader.toMany["notes"] = [objectID("Note", 1)]
    return [note, pages, second, reader]
  }

  private func trial(
    _ policy: EntityMigrationPolicy.Type, shouted: String = "$source.title"
  ) throws -> CustomTrial {
    var trial = try CustomTrial([Self.old, Self.new], mappings: [mapping(policy.policyName, shouted)])
    trial.custom.policies = PolicyRegistry([policy], transformers: [ColourTransformer.self])
    return trial
  }

  @Test func `each call of policies of real apps compiles, and does what it does there`() throws {
    let store = try objects()
    let call = #"FUNCTION($entityPolicy, "shout:", $source.title)"#
    let found = try trial(EveryCallPolicy.self, shouted: call).run(store)
    let log = found.texts("Note", "log").first?.split(separator: "\n").map(String.init) ?? []
    #expect(
      log == [
        "pages [20, 10]", "readers 1 1", #"tags ["x", "y"]"#, "colour green", "entity Note",
        #"attributes ["colour", "picture", "subtitle", "tags", "title"]"#,
        #"relationships ["pages", "readers"]"#, "type string", "read only true", "user info test",
        "subtitle is null true", "/Note/p1", "same store", "Store.sqlite SQLite",
      ])
    let note = try #require(found["Note"].first)
    #expect(found.texts("Note", "origin") == ["ported"])
    #expect(found.texts("Note", "shouted") == ["FIRST"])
    #expect(note.values["readerCount"] == .integer(1))
    // Bytes that nobody here can decode stay what they were.
    #expect(note.values["picture"] == store.first?.values["picture"])
    guard case .binary(let facts)? = note.values["facts"] else { throw CocoaError(.coderInvalidValue) }
    let decoded = try facts.decodePlainValue() as? [String: Any]
    #expect(decoded?["a"] as? Int == 1)
    #expect((decoded?["b"] as? [Date]) == [Date(timeIntervalSinceReferenceDate: 0)])
    #expect(found.texts("Shelf", "count") == ["1"])
    #expect(found.links("Shelf", "notes") == ["1>1"] && found.links("Shelf", "keepers") == ["1>1"])
  }

  @Test func `objects in memory are those that there are, and settings of fetches change nothing`() throws {
    var trial = try trial(RegisteredObjectsPolicy.self)
    trial.custom.policies.userInfo = ["device": "test"]
    let found = try trial.run(try objects())
    #expect(found.texts("Shelf", "name") == ["main"] && found.links("Shelf", "notes") == ["1>1"])
    #expect(found.texts("Note", "log") == ["1 false"])
    #expect(found.links("Note", "pages") == ["1>1,2"])
  }

  @Test func `a file that imports nothing else compiles, and its methods get an app's types`() throws {
    let call = #"FUNCTION($entityPolicy, "label:for:manager:", $source.title, $source.readers, $manager)"#
    let found = try trial(OneImportPolicy.self, shouted: call).run(try objects())
    #expect(found.texts("Note", "shouted") == ["first 1 Note"])
    #expect(found.texts("Note", "log") == ["[20, 10] 1 Ann [20, 10] 20 1 true"])
    let none = try trial(
      OneImportPolicy.self, shouted: #"FUNCTION($entityPolicy, "shout:", $source.subtitle)"#
    ).run(try objects())
    #expect(none.texts("Note", "shouted") == ["-"])
    let unknown = #expect(throws: DiagnosticsError.self) {
      try trial(OneImportPolicy.self, shouted: #"FUNCTION($entityPolicy, "sing:", $source.title)"#).run(
        try objects())
    }
    #expect(unknown?.diagnostics.first?.message.contains("has no method 'sing:'") == true)
    #expect(unknown?.diagnostics.first?.help.first?.contains("'perform(_:with:)'") == true)
  }

  @Test func `who deletes objects of the source learns how to drop them`() throws {
    let error = #expect(throws: DiagnosticsError.self) { try trial(DeletingPolicy.self).run(try objects()) }
    #expect(refusalCodes(error) == ["MC4303"])
    #expect(error?.diagnostics.first?.help.first?.contains("'groupBy:'") == true)
  }

  @Test func `a fetch that fails ends the migration, also where an error is taken for nothing`() throws {
    let error = #expect(throws: DiagnosticsError.self) {
      try trial(SwallowingPolicy.self).run(try objects())
    }
    #expect(refusalCodes(error) == ["MC1601"])
  }

  @Test func `a cast that gives nil without a word ends the migration`() throws {
    let wrong = #expect(throws: DiagnosticsError.self) { try trial(WrongCastPolicy.self).run(try objects()) }
    #expect(refusalCodes(wrong) == ["MC4302"])
    #expect(
      wrong?.diagnostics.first?.message
        == "the value of 'pages' of 'Note' is an ordered set, and was never read")
    let typed = #expect(throws: DiagnosticsError.self) { try trial(TypedValuePolicy.self).run(try objects()) }
    #expect(
      typed?.diagnostics.first?.message.hasPrefix(
        "the value of 'readers' of 'Note' is a set of objects without an order, but the policy asks for")
        == true,
      "\(String(describing: typed))")
    let unknown = #expect(throws: DiagnosticsError.self) {
      try trial(UnknownClassPolicy.self).run(try objects())
    }
    #expect(
      unknown?.diagnostics.first?.message
        == "the value of 'picture' of 'Note' cannot be decoded: its archive contains an object of the class 'NSLocale'"
    )
  }
}

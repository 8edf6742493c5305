import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// Every code that proposes a mapping: its proposal, taken as it is printed, lets each store through that it refused, and
/// the code is gone. Prints a line for each: code, proposals, applied, gone.
@Suite("Every proposal of every code") struct ProposalTableTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var code: String
    var old: String
    var new: String
    /// Stores, of which some need no proposal: empty ones, most of all.
    var stores: [[ManagedObject]]
    /// Losses that the proposal states.
    var losses: Set<AcceptedLoss> = []
    var testDescription: String { code }
  }

  private static func hut(_ attributes: String, _ more: String = "") -> String {
    "entities:\n  Hut:\n    attributes: {\(attributes)}\n\(more)"
  }

  /// Huts with these values and owners, and three people.
  private static func huts(
    _ values: [[String: AttributeValue]], _ relationship: String? = nil, _ owners: [[Int64]] = []
  ) -> [ManagedObject] {
    var huts = values.enumerated().map { ManagedObject("Hut", Int64($0.offset + 1), values: $0.element) }
    for (index, keys) in owners.enumerated() where index < huts.count {
      let ids = keys.map { objectID("Person", $0) }
      if let relationship { huts[index].toMany[relationship] = ids }
    }
    return huts
      + (relationship == nil ? [] : objects("Person", ["name": .string("x")], [:], ["name": .string("z")]))
  }

  private static let many = ProposalTests.many

  private static let parts = """
    entities:
      Club: {relationships: {places: {toMany: Hut, inverse: club}}}
      Hut: {attributes: {name: string?}, relationships: {club: {to: Club, inverse: places}}}
      Summit: {attributes: {name: string?}}
    """

  private static let one = many.replacing(
    "{toMany: Person, inverse: huts}", with: "{to: Person, inverse: huts}"
  )
  .replacing("owners", with: "owner")
  private static let owned: [ManagedObject] = {
    var huts = objects("Hut", [:], ["name": .string("b")])
    huts[1].toOne["owner"] = objectID("Person", 2)
    return huts + objects("Person", ["name": .string("x")], [:])
  }()

  private static let friends = """
    entities:
      Person:
        attributes: {name: string?}
        relationships: {friends: {toMany: Person, inverse: of}, of: {toMany: Person, inverse: friends}}
    """
  private static let befriended: [ManagedObject] = {
    var people = objects("Person", [:], ["name": .string("b")], [:])
    people[0].toMany["friends"] = [2, 3].map { objectID("Person", $0) }
    people[1].toMany["of"] = [objectID("Person", 1)]
    people[2].toMany["of"] = [objectID("Person", 1)]
    return people
  }()

  private static let odd: [[String: AttributeValue]] = [
    [:], ["name": .string("")], ["name": .string("é\u{1F600}'\"\\")],
  ]

  /// One value of an object that becomes many objects, each with one.
  private static let notes = """
    entities:
      Note: {attributes: {title: string?, image: binary?}}
      Memo: {parent: Note, attributes: {place: string?}}
    """
  private static func attachments(
    _ attributes: String = "image: binary?",
    note: String = "attachments: {toMany: Attachment, inverse: note}",
    back: String = "note: {to: Note, inverse: attachments}"
  ) -> String {
    """
    entities:
      Note: {attributes: {title: string?}, relationships: {\(note)}}
      Memo: {parent: Note, attributes: {place: string?}}
      Attachment: {attributes: {\(attributes)}, relationships: {\(back)}}
    """
  }
  private static let noted: [ManagedObject] = (1...4).map { key in
    ManagedObject(
      key == 4 ? "Memo" : "Note", key,
      values: key == 2 ? [:] : ["image": .binary(Data([UInt8(key)])), "title": .string("t\(key)")])
  }

  static let cases: [Case] = [
    Case(
      code: "MC3101", old: hut("name: string?"), new: hut("name: string"),
      stores: [[], huts(odd), huts([["name": .string("a")]])]),
    Case(
      code: "MC3101", old: hut("name: string?"),
      new: hut("name: string?, beds: integer16, open: boolean, on: date"),
      stores: [[], huts(odd)]),
    Case(
      code: "MC3103", old: hut("name: string?"), new: hut("name: double?"),
      stores: [[], huts([["name": .string("1.5")], [:], ["name": .string("-3")]])]),
    Case(
      code: "MC3105", old: hut("name: string?"),
      new: hut("name: string?", "    uniquenessConstraints: [[name]]\n"),
      stores: [[], huts([["name": .string("a")], ["name": .string("a")], [:], ["name": .string("b")]])]),
    Case(
      code: "MC3107", old: parts,
      new: parts.replacing("Summit: {attributes: {name: string?}}", with: "Summit: {parent: Hut}"),
      stores: [
        [], objects("Hut", ["name": .string("a")], [:]) + objects("Summit", ["name": .string("s")], [:]),
      ]),
    Case(
      code: "MC3108", old: many,
      new: many.replacing("{toMany: Person, inverse: huts}", with: "{to: Person, inverse: huts}"),
      stores: [[], huts(odd, "owners", [[], [2], [1, 2, 3]])], losses: [.droppedData]),
    Case(
      code: "MC3109", old: hut("beds: integer32 = 0"), new: hut("beds: integer16 = 0"),
      stores: [[], huts([["beds": .integer(70_000)], ["beds": .integer(-70_000)], ["beds": .integer(3)]])]),
    Case(
      code: "MC3110", old: hut("name: string?", "  Cabin: {parent: Hut}\n"),
      new: hut("name: string?", "    abstract: true\n  Cabin: {parent: Hut}\n"),
      stores: [[], huts(odd), objects("Cabin", ["name": .string("c")])]),
    Case(
      code: "MC3111", old: one,
      new: one.replacing("{to: Person, inverse", with: "{to: Dog, inverse")
        .replacing(
          "Person:\n    attributes: {name: string?}\n    relationships: {huts",
          with: "Dog:\n    attributes: {name: string?}\n    relationships: {huts")
        + "\n  Person: {attributes: {name: string?}}",
      stores: [[], owned]),
    Case(
      code: "MC3111", old: notes, new: attachments(),
      stores: [[], noted]),
    Case(
      code: "MC3111", old: notes,
      new: attachments(
        "image: binary, mime: string, size: integer32, caption: {type: string?}",
        note: "attachments: {toMany: Attachment, ordered: true}", back: ""),
      stores: [noted]),
    Case(
      code: "MC3116", old: friends,
      new: friends.replacing(
        "inverse: of}, of: {toMany: Person, inverse: friends}", with: "inverse: friends}"),
      stores: [[], befriended]),
    Case(
      code: "MC3202", old: hut("name: string?"),
      new: hut(
        "one: {type: string?, renamingIdentifier: name}, two: {type: string?, renamingIdentifier: name}"),
      stores: [[], huts(odd)]),
  ]

  @Test(arguments: cases) func `is taken as printed, and the code is gone`(_ item: Case) throws {
    var (proposals, applied, gone) = (0, 0, 0)
    for store in item.stores {
      var trial = try CustomTrial([item.old, item.new])
      let plan = try withTemporaryFolder { try trial.plan(try trial.store(store, in: $0)) }
      guard plan.diagnostics.contains(where: { $0.code.description == item.code && $0.severity == .error })
      else {
        // Where no row is affected nothing is refused.
        #expect(store.isEmpty || !plan.isBlocked, "\(plan.diagnostics.map(\.code))")
        continue
      }
      let text = try #require(plan.diagnostics.compactMap(\.proposal?.text).last, "\(plan.diagnostics)")
      proposals += 1
      let reading = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml")
      #expect(reading.diagnostics == [], "\(text)")
      trial.custom = CustomMigrations(mappingModels: [trial.model.name: reading.mappingModels])
      trial.options.acceptedLosses = item.losses
      let outcome = try trial.run(store)
      applied += 1
      #expect(!outcome.codes.contains(item.code), "\(text)")
      if !outcome.codes.contains(item.code) { gone += 1 }
    }
    #expect(proposals > 0 && applied == proposals && gone == proposals)
    print("\(item.code) | \(proposals) | \(applied) | \(gone)")
  }

  @Test func `a value that moves to a new entity is there, with its owner`() throws {
    var trial = try CustomTrial([Self.notes, Self.attachments()])
    let plan = try withTemporaryFolder { try trial.plan(try trial.store(Self.noted, in: $0)) }
    #expect(plan.losses.map(\.count) == [2, 1] || plan.losses.map(\.count) == [3])
    let text = try #require(plan.diagnostics.compactMap(\.proposal?.text).last)
    let mappings = readMappingFile(yaml: Data(text.utf8), file: "V1-V2.yaml").mappingModels
    trial.custom = CustomMigrations(mappingModels: [trial.model.name: mappings])
    let outcome = try trial.run(Self.noted)
    let images = outcome["Attachment"].map { attachment in
      (
        attachment.values["image"],
        attachment.toOne["note"].flatMap { id in
          outcome.objects.first { $0.id == id }?.values["title"]?.text
        }
      )
    }
    #expect(Set(images.map { "\($0.0?.text ?? "") \($0.1 ?? "")" }) == ["AQ== t1", "Aw== t3", "BA== t4"])
    #expect(outcome["Note"].count == 3 && outcome["Memo"].count == 1)
  }
}

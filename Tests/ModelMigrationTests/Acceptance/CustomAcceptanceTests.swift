import Foundation
import ManagedModel
import ModelArchives
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Cases of the literature (`acceptance.md`) that need mapping files, policies or post-processing. A2 and A3 stand in
/// UnCloudNotesTests, A4 in MoodyCustomTests.
@Suite("Acceptance cases with mappings of their own")
struct CustomAcceptanceTests {
  // MARK: A5

  private static let colours = """
    entities:
      Mood: {attributes: {name: string?, colors: {type: transformable?, transformer: ColorsTransformer}}}
    """

  private static func archive(_ colours: [[Int]]) throws -> Data {
    let objects = colours.map { $0.map { NSNumber(value: $0) } as NSArray } as NSArray
    return try NSKeyedArchiver.archivedData(withRootObject: objects, requiringSecureCoding: true)
  }

  @Test func `A5: archived colours become three bytes each`() throws {
    let new = """
      entities:
        Mood:
          attributes:
            name: string?
            colorStorage: binary?
            colors: {type: transformable?, transformer: ColorsTransformer, transient: true}
      """
    let trial = try CustomTrial(
      [Self.colours, new],
      mappings: ["entityMappings:\n  MoodToMood: {source: Mood, destination: Mood, policy: ColoursPolicy}\n"],
      policies: [ColoursPolicy.self])
    let found = try trial.run(
      objects(
        "Mood", ["name": .string("two"), "colors": .binary(try Self.archive([[255, 128, 0], [1, 2, 3]]))],
        ["name": .string("none")]))
    #expect(
      found["Mood"].map { $0.values["colorStorage"] } == [.binary(Data([255, 128, 0, 1, 2, 3])), nil])
    #expect(found.texts("Mood", "name") == ["two", "none"])
  }

  @Test func `A5: another transformer is the same version, or leaves the bytes as they are`() throws {
    let renamed = Self.colours.replacing("ColorsTransformer", with: "OtherTransformer")
    let bytes = try Self.archive([[1, 2, 3]])
    let mood = objects("Mood", ["colors": .binary(bytes)])
    let same = try CustomTrial([Self.colours, renamed])
    #expect(
      same.model.versions[0].entityVersionHashesByName == same.model.versions[1].entityVersionHashesByName)
    try withTemporaryFolder { folder in
      let store = try same.store(mood, in: folder)
      let plan = try same.plan(store)
      #expect(plan.isDone)
    }
    let modified = renamed.replacing("attributes:", with: "versionHashModifier: b, attributes:")
    let found = try CustomTrial([Self.colours, modified]).run(mood)
    #expect(found.plan.mappingModel.entityMappings.map(\.mappingType) == [.transform])
    #expect(found["Mood"].map { $0.values["colors"] } == [.binary(bytes)])
  }

  @Test(arguments: ["", "inferred: false\n"])
  func `A5: numbers that a conversion narrows stop a mapping of ours, and are told of one that an app ships`(
    _ head: String
  ) throws {
    let hut = "entities:\n  Hut: {attributes: {beds: integer32 = 0, note: string?}}\n"
    let trial = try CustomTrial(
      [hut, hut.replacing("integer32", with: "integer16")],
      mappings: [
        head
          + "entityMappings:\n  H: {source: Hut, destination: Hut, attributes: {note: 'concat($source.note, \"!\")'}}\n"
      ])
    try withTemporaryFolder { folder in
      let store = try trial.store(
        objects("Hut", ["beds": .integer(70_000)], ["beds": .integer(7)]), in: folder)
      let plan = try trial.plan(store)
      let found = plan.diagnostics.filter { $0.code == .numericNarrowing }
      #expect(plan.losses.filter { $0.code == .numericNarrowing }.map(\.count) == [1])
      #expect(found.map { $0.severity == .error } == [head.isEmpty], "\(plan.diagnostics)")
      #expect(plan.isBlocked == head.isEmpty)
    }
  }

  // MARK: A7

  private static let books = [
    "entities:\n  Book: {attributes: {title: string}}\n",
    "entities:\n  Book: {attributes: {title: string, normalizedTitle: string?}}\n",
    """
    entities:
      Book:
        attributes: {title: string, normalizedTitle: string?}
        relationships: {words: {toMany: TitleWord, inverse: books}}
      TitleWord:
        attributes: {word: string}
        relationships: {books: {toMany: Book, inverse: words}}
        uniquenessConstraints: [[word]]
    """,
  ]

  private static let normalize = PostProcessingStep(name: "normalizedTitle", version: "V2") { context in
    for book in try context.fetch("Book") {
      let title: String? = book["title"]
      book["normalizedTitle"] = title?.folding(
        options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
  }

  private static let titles = objects(
    "Book", ["title": .string("Étoile")], ["title": .string("Das Boot das")], ["title": .string("L'étoile")])

  @Test func `A7: post-processing fills the new attribute once, in the same swap`() throws {
    let trial = try CustomTrial(Array(Self.books.prefix(2)), steps: [Self.normalize])
    try withTemporaryFolder { folder in
      let store = try trial.store(Self.titles, in: folder)
      try trial.migrate(store)
      let normalized = try store.objects(trial.model.last).map { $0.values["normalizedTitle"]?.text }
      #expect(normalized == ["etoile", "das boot das", "l'etoile"])
      let metadata = try store.read { try $0.readStoreMetadata() }
      #expect(metadata["modelc.postProcessing"] == .array([.string("normalizedTitle")]))
      let bytes = try Data(contentsOf: store.url)
      #expect(try trial.migrate(store).destination == nil)
      #expect(try Data(contentsOf: store.url) == bytes)
    }
  }

  @Test func `A7: what a kill before the swap leaves is version 1, and the way to go on`() throws {
    try withTemporaryFolder { folder in
      let dead = folder.appending(path: "dead")
      let alive = folder.appending(path: "alive")
      try FileManager.default.createDirectory(at: alive, withIntermediateDirectories: true)
      // The folder as it is while the step runs is what a kill would leave of it.
      let dying = PostProcessingStep(name: "dying", version: "V2") { context in
        try Self.normalize.work(context)
        try FileManager.default.copyItem(at: alive, to: dead)
      }
      let trial = try CustomTrial(Array(Self.books.prefix(2)), steps: [dying])
      let store = try trial.store(Self.titles, in: alive)
      let before = try Data(contentsOf: store.url)
      try trial.migrate(store)

      let left = TestStore(at: dead.appending(path: "Store.sqlite"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: dead.path).count > 1)
      let recovery = try recoverStore(at: left.url.path, models: [trial.model])
      #expect(recovery.version == "V1" && !recovery.isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: dead.path) == ["Store.sqlite"])
      #expect(try Data(contentsOf: left.url) == before)
      try CustomTrial(Array(Self.books.prefix(2)), steps: [Self.normalize]).migrate(left)
      let book = try left.objects(trial.model.last).first
      #expect(book?.values["normalizedTitle"] == .string("etoile"))
    }
  }

  @Test func `A7: each word of the titles stands once, and knows its books`() throws {
    let trial = try CustomTrial(
      Self.books,
      mappings: [
        "", "entityMappings:\n  BookToBook: {source: Book, destination: Book, policy: TitleWordPolicy}\n",
      ], policies: [TitleWordPolicy.self], steps: [Self.normalize])
    let found = try trial.run(Self.titles)
    #expect(found.texts("TitleWord", "word") == ["etoile", "das", "boot", "l"])
    #expect(found.links("TitleWord", "books") == ["1>1,3", "2>2", "3>2", "4>3"])
    #expect(found.report.plan.segments.map(\.path) == [["V1", "V2"], ["V2", "V3"]])
  }

  // MARK: A9

  @Test func `A9: a to-one is folded into attributes, and what nobody led to is a loss`() throws {
    let old = """
      entities:
        Person: {attributes: {name: string}, relationships: {pet: {to: Pet, inverse: owner}}}
        Pet: {attributes: {name: string, weight: double?}, relationships: {owner: {to: Person, inverse: pet}}}
      """
    let new = "entities:\n  PersonWithPet: {attributes: {personName: string, petName: string?}}\n"
    var trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          PersonWithPet:
            source: Person
            destination: PersonWithPet
            attributes: {personName: $source.name, petName: $source.pet.name}
        """
      ])
    var pets = objects(
      "Pet", ["name": .string("Rex")], ["name": .string("Stray"), "weight": .double(3)],
      ["name": .string("Tom"), "weight": .double(4)])
    var people = objects(
      "Person", ["name": .string("Ann")], ["name": .string("Bo")], ["name": .string("Cy")])
    for (person, pet) in [(0, 0), (2, 2)] {
      people[person].toOne["pet"] = pets[pet].id
      pets[pet].toOne["owner"] = people[person].id
    }
    let all = people + pets
    let error = #expect(throws: MigrationRefusedError.self) { _ = try trial.run(all) }
    #expect(refusalCodes(error) == ["MC3111", "MC3111"])
    trial.options.acceptedLosses = [.droppedData]
    let found = try trial.run(all)
    #expect(found.texts("PersonWithPet", "personName") == ["Ann", "Bo", "Cy"])
    #expect(found.texts("PersonWithPet", "petName") == ["Rex", "-", "Tom"])
    // The pet without an owner, and the weight of the one whose name goes on.
    let losses = found.plan.losses.map { "\($0.entity).\($0.property ?? "*") \($0.count)" }
    #expect(losses == ["Pet.* 1", "Pet.weight 1"])
  }

  @Test func `A9: a number that is counted once`() throws {
    let old = """
      entities:
        Employee:
          attributes: {name: string}
          relationships: {teamMembers: {toMany: Employee, inverse: manager}, manager: {to: Employee, inverse: teamMembers}}
      """
    let new = old.replacing("name: string", with: "name: string, numberOfTeamMembers: integer32 = 0")
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          EmployeeToEmployee:
            source: Employee
            destination: Employee
            attributes: {numberOfTeamMembers: $source.teamMembers.@count}
        """
      ])
    var people = objects(
      "Employee", ["name": .string("a")], ["name": .string("b")], ["name": .string("c")])
    people[0].toOne["manager"] = people[2].id
    people[1].toOne["manager"] = people[2].id
    let found = try trial.run(people)
    #expect(found.texts("Employee", "numberOfTeamMembers") == ["0", "0", "2"])
    #expect(found.links("Employee", "manager") == ["1>3", "2>3", "3>"])
  }

  // MARK: A13

  @Test func `A13: a purge is counted as a loss, and counts are of what stays`() throws {
    func text(_ attributes: String) -> String {
      """
      entities:
        Mood:
          attributes: {name: string?, markedForDeletionDate: date?}
          relationships: {country: {to: Country, inverse: moods}}
        Country:
          attributes: {name: string?, numberOfMoods: integer64 = 0\(attributes)}
          relationships: {moods: {toMany: Mood, inverse: country}}
      """
    }
    let trial = try CustomTrial(
      [text(""), text(", moodCount: {type: integer64?, derivation: moods.@count}")],
      mappings: [
        """
        entityMappings:
          MoodToMood: {source: Mood, destination: Mood, where: markedForDeletionDate == nil}
          CountryToCountry:
            source: Country
            destination: Country
            attributes: {numberOfMoods: 'destinationInstances("MoodToMood", $source.moods).@count'}
        """
      ])
    var moods = objects(
      "Mood", ["name": .string("a")], ["name": .string("b"), "markedForDeletionDate": .date(1)],
      ["name": .string("c")])
    for (index, country) in [1, 1, 2].enumerated() {
      moods[index].toOne["country"] = objectID("Country", Int64(country))
    }
    let found = try trial.run(moods + objects("Country", [:], [:], [:]))
    #expect(found.texts("Mood", "name") == ["a", "c"])
    #expect(found.texts("Country", "numberOfMoods") == ["1", "1", "0"])
    #expect(found.texts("Country", "moodCount") == ["1", "1", "0"])
    #expect(found.plan.losses.map { "\($0.code) \($0.entity) \($0.count)" } == ["MC4104 Mood 1"])
    #expect(found.plan.entities.first { $0.source == "Mood" }?.rows == 2)
  }

  @Test func `A13: a comparison drops rows without a value, and says so`() throws {
    func text(_ modifier: String) -> String {
      "entities:\n  Person: {versionHashModifier: \(modifier), attributes: {carsOwnedCount: integer16?}}\n"
    }
    var trial = try CustomTrial([text("a"), text("b")])
    // Without a file: the finding stands at no place.
    let mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: [
        CustomEntityMapping(
          name: "P", sourceEntityName: "Person", destinationEntityName: "Person",
          filter: "carsOwnedCount != 2")
      ])
    trial.custom.mappingModels[trial.model.name] = [mapping]
    let found = try trial.run(
      objects("Person", ["carsOwnedCount": .integer(1)], ["carsOwnedCount": .integer(2)], [:]))
    #expect(found["Person"].map(\.id.primaryKey) == [1])
    #expect(found.codes == ["MC1604", "MC4104"])
    #expect(found.plan.losses.map(\.count) == [2])
  }
}

/// An archive of lists of three numbers as as many bytes.
final class ColoursPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    // As with Core Data, the value has been taken out of its archive.
    guard let colours = sInstance.value(forKey: "colors") as? [Any] else { return }
    let numbers = colours.flatMap { $0 as? [Any] ?? [] }.compactMap { $0 as? NSNumber }
      .map { UInt8(truncating: $0) }
    made.first?.setValue(Data(numbers), forKey: "colorStorage")
  }
}

/// One TitleWord for each distinct word of the titles.
final class TitleWordPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    guard let book = made.first, let title: String = sInstance["normalizedTitle"] else { return }
    for word in title.split(whereSeparator: { !$0.isLetter }) {
      let found = try manager.destinationContext.findOrCreate("TitleWord", having: ["word": String(word)])
      if !book.objects(forKey: "words").contains(found) { book.mutableSetValue(forKey: "words").add(found) }
    }
  }
}

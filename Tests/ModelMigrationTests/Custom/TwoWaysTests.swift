import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What compiles to SQL goes as a statement, the rest object by object: the same comes of both.
@Suite("Custom mappings as statements and by objects") struct TwoWaysTests {
  private static let first = """
    entities:
      Author:
        attributes:
          name: string
          nick: string?
          born: date?
          rating: integer32?
          rank: integer16 = 3
          price: decimal?
          ratio: double?
          isActive: boolean = false
          token: binary?
        relationships:
          books: {toMany: Book, inverse: author}
          clubs: {toMany: Club, inverse: members}
          partner: {to: Author, inverse: partnerOf}
          partnerOf: {to: Author, inverse: partner}
      Book:
        attributes:
          title: string
          pages: integer32?
        relationships:
          author: {to: Author, inverse: books}
      Club:
        attributes:
          name: string
        relationships:
          members: {toMany: Author, inverse: clubs}

    """
  private static let second = """
    entities:
      Author:
        attributes:
          name: string?
          a: string?
          b: integer64?
          c: double?
          d: decimal?
          e: date?
          f: boolean?
          rank: integer32 = 3
          rating: integer16?
        relationships:
          books: {toMany: Book, inverse: author}
          clubs: {toMany: Club, inverse: members}
          partner: {to: Author, inverse: partnerOf}
          partnerOf: {to: Author, inverse: partner}
          address: {to: Address, inverse: author}
      Address:
        attributes:
          line: string?
        relationships:
          author: {to: Author, inverse: address}
      Book:
        attributes:
          title: string
          by: string?
        relationships:
          author: {to: Author, inverse: books}
      Club:
        attributes:
          name: string
        relationships:
          members: {toMany: Author, inverse: clubs}

    """

  /// By the type of the destination: what is written there.
  private static let expressions: [String: [String]] = [
    "a": [
      "$source.name", "concat($source.name, \" <\", $source.nick, \">\")", "uppercase:($source.name)",
      "coalesce($source.nick, $source.name, \"none\")", "$source.partner.name",
      "TERNARY($source.rating > 3, \"high\", $source.nick)", "CAST($source.rating, \"NSString\")",
      "trim($source.nick)", "substr($source.name, 1, 2)",
    ],
    "b": [
      "$source.rating", "$source.rating + $source.rank", "$source.rank * 7", "length:($source.name)",
      "$source.books.@count", "$source.rating / $source.rank", "CAST($source.nick, \"NSNumber\")",
      "10 / $source.rating",
    ],
    "c": ["$source.ratio", "$source.ratio * 2", "$source.rank", "sqrt:($source.ratio)", "$source.price"],
    "d": ["$source.price", "$source.price + 1", "$source.rating", "$source.ratio"],
    "e": [
      "$source.born", "now()", "CAST($source.nick, \"NSDate\")",
      "coalesce($source.born, $source.partner.born)",
    ],
    "f": ["$source.isActive", "TERNARY($source.rating != 2, YES, NO)", "$source.rating > 2"],
  ]

  private static let filters: [String?] = [
    nil, nil, "rating != 2", "name BEGINSWITH[c] \"a\" OR nick == nil", "books.@count > 0",
    "partner.rank >= 1",
  ]

  private func custom(_ random: inout Dice) -> CustomMappingModel {
    var attributes: [CustomPropertyMapping] = []
    for (name, choices) in Self.expressions.sorted(by: { $0.key < $1.key }) {
      attributes.append(CustomPropertyMapping(name: name, expression: choices.randomElement(using: &random)))
    }
    let filter = Self.filters.randomElement(using: &random) ?? nil
    var mappings = [
      CustomEntityMapping(
        name: "AuthorToAuthor", sourceEntityName: "Author", destinationEntityName: "Author", filter: filter,
        attributeMappings: attributes,
        relationshipMappings: [
          CustomPropertyMapping(
            name: "address", expression: "destinationInstances(\"AuthorToAddress\", $source)")
        ]),
      CustomEntityMapping(
        name: "AuthorToAddress", sourceEntityName: "Author", destinationEntityName: "Address",
        filter: Bool.random(using: &random) ? filter : nil,
        attributeMappings: [CustomPropertyMapping(name: "line", expression: "$source.nick")],
        relationshipMappings: [
          CustomPropertyMapping(
            name: "author", expression: "destinationInstances(\"AuthorToAuthor\", $source)")
        ]),
    ]
    if Bool.random(using: &random) {
      mappings.append(
        CustomEntityMapping(
          name: "BookToBook", sourceEntityName: "Book", destinationEntityName: "Book",
          filter: Bool.random(using: &random) ? "pages > 100" : nil,
          attributeMappings: [CustomPropertyMapping(name: "by", expression: "$source.author.name")]))
    }
    return CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: Bool.random(using: &random) ? mappings : mappings.reversed())
  }

  private func objects(_ random: inout Dice) -> [ManagedObject] {
    func some<Value>(_ value: @autoclosure () -> Value) -> Value? {
      Int.random(in: 0..<4, using: &random) == 0 ? nil : value()
    }
    var made: [ManagedObject] = []
    let names: [String] = ["Ana", "åsa", "Bo", "", "it's \"x\"", "日本", "12", "2001-01-02"]
    for key in 1...12 {
      var author = ManagedObject("Author", Int64(key))
      author.values["name"] = .string(names[Int.random(in: 0..<names.count, using: &random)])
      author.values["nick"] = some(.string(names[Int.random(in: 0..<names.count, using: &random)]))
      author.values["born"] = some(.date(Double(Int.random(in: -9...9, using: &random)) * 1e6 + 0.5))
      author.values["rating"] = some(.integer(Int64.random(in: 0...5, using: &random)))
      author.values["rank"] = .integer(Int64.random(in: 1...9, using: &random))
      author.values["price"] = some(.decimal(Decimal(Int.random(in: 0...999, using: &random)) / 100))
      author.values["ratio"] = some(.double(Double.random(in: 0...9, using: &random)))
      author.values["isActive"] = .boolean(Bool.random(using: &random))
      if key % 2 == 0 {
        author.toOne["partner"] = ManagedObject.ID(entityName: "Author", primaryKey: Int64(key - 1))
      } else if key < 12 {
        author.toOne["partnerOf"] = ManagedObject.ID(entityName: "Author", primaryKey: Int64(key + 1))
      }
      made.append(author)
    }
    for key in 1...20 {
      var book = ManagedObject("Book", Int64(key), values: ["title": .string("Book \(key)")])
      book.values["pages"] = some(.integer(Int64(key * 17)))
      book.toOne["author"] = some(
        ManagedObject.ID(entityName: "Author", primaryKey: Int64.random(in: 1...12, using: &random)))
      made.append(book)
    }
    for key in 1...3 {
      var club = ManagedObject("Club", Int64(key), values: ["name": .string("Club \(key)")])
      club.toMany["members"] = (1...12).filter { _ in Bool.random(using: &random) }.map {
        ManagedObject.ID(entityName: "Author", primaryKey: Int64($0))
      }
      made.append(club)
    }
    return made
  }

  private struct Outcome: Equatable {
    var objects: [ManagedObject] = []
    var messages: [String] = []
    var counts: [Int] = []
  }

  private func outcome(
    _ store: TestStore, _ model: VersionedModel, _ custom: CustomMigrations
  ) throws -> (Outcome, statements: Int) {
    let run = try MappedRun(store, model, custom, accepting: [.droppedData, .narrowedNumbers])
    let objects = normalized(run.objects, model.last).map { object in
      var object = object
      // One run comes after the other.
      if case .date(let moment)? = object.values["e"], moment > 7e8 { object.values["e"] = .date(7e8) }
      return object
    }
    let outcome = Outcome(
      objects: objects, messages: texts(run.report?.diagnostics ?? run.refusal + run.failure),
      counts: (run.report?.mappings ?? []).flatMap { [$0.taken, $0.carried, $0.made] })
    return (outcome, run.statements)
  }

  @Test func `random mappings give the same objects, or fail with the same message`() throws {
    let model = try writtenModel(Self.first, Self.second)
    let seeds = ProcessInfo.processInfo.environment["MODELC_SEEDS"].flatMap(Int.init) ?? 10
    var (migrated, refused, statements) = (0, 0, 0)
    for seed in 0..<seeds {
      var random = Dice(seed: UInt64(seed))
      let mapping = custom(&random)
      try withTemporaryFolder { folder in
        let store = try TestStore(in: folder, of: model.versions[0], objects: objects(&random))
        let copy = try store.copy(named: "Objects.sqlite")
        var migrations = CustomMigrations(mappingModels: [model.name: [mapping]])
        migrations.sortsLookupsFrom = seed % 2 == 0 ? 0 : .max
        let (one, count) = try outcome(store, model, migrations)
        migrations.usesObjectCopy = true
        let (other, none) = try outcome(copy, model, migrations)
        #expect(none == 0)
        #expect(one == other, "seed \(seed): \(mapping.entityMappings)")
        if one.objects.isEmpty { refused += 1 } else { migrated += 1 }
        statements += count
      }
    }
    #expect(migrated > 0 && refused > 0 && statements > migrated, "\(migrated) \(refused) \(statements)")
  }

  /// What related objects give is looked up in the order of these, in a table that no cache holds, and in that of the rows
  /// elsewhere.
  @Test(arguments: 0..<4)
  func `values of related objects are the same in whichever order they are looked up`(seed: UInt64) throws {
    func text(_ more: String) -> String {
      """
      entities:
        Author:
          attributes: {name: string?, nick: string?}
          relationships:
            books: {toMany: Book, inverse: author}
            partner: {to: Author, inverse: partnerOf}
            partnerOf: {to: Author, inverse: partner}
        Book:
          attributes: {title: string\(more)}
          relationships:
            author: {to: Author, inverse: books}

      """
    }
    let model = try writtenModel(text(""), text(", by: string?, with: string?"))
    let mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      entityMappings: [
        CustomEntityMapping(
          name: "BookToBook", sourceEntityName: "Book", destinationEntityName: "Book",
          attributeMappings: [
            CustomPropertyMapping(
              name: "by", expression: "concat($source.author.name, \" <\", $source.author.nick, \">\")"),
            CustomPropertyMapping(name: "with", expression: "$source.author.partner.nick"),
          ])
      ])
    var random = Dice(seed: seed)
    let objects = objects(&random).compactMap { object -> ManagedObject? in
      var object = object
      object.values = object.values.filter { ["name", "nick", "title"].contains($0.key) }
      return object.id.entityName == "Club" ? nil : object
    }
    var outcomes: [Outcome] = []
    for least: Int64 in [0, .max] {
      try withTemporaryFolder { folder in
        let store = try TestStore(in: folder, of: model.versions[0], objects: objects)
        var migrations = CustomMigrations(mappingModels: [model.name: [mapping]])
        migrations.sortsLookupsFrom = least
        outcomes.append(try outcome(store, model, migrations).0)
      }
    }
    #expect(outcomes[0] == outcomes[1] && !outcomes[0].objects.isEmpty, "\(outcomes)")
  }

  /// Columns change places, come twice, keep their names with other values.
  @Test func `values that only move give the same objects`() throws {
    func model(_ texts: [String], _ numbers: [String]) -> String {
      let attributes = texts.map { "      \($0): string?" } + numbers.map { "      \($0): integer32?" }
      let huts = ["entities:", "  Hut:", "    attributes:"] + attributes
      return (huts + ["  Lodge: {parent: Hut, attributes: {stars: integer16 = 0}}", ""]).joined(
        separator: "\n")
    }
    let seeds = ProcessInfo.processInfo.environment["MODELC_SEEDS"].flatMap(Int.init) ?? 10
    var statements = 0
    for seed in 0..<seeds {
      var random = Dice(seed: UInt64(seed))
      let (texts, numbers) = (["a", "b", "c"], ["m", "n"])
      let newTexts = Array(
        (texts + ["x", "y"]).shuffled(using: &random).prefix(Int.random(in: 3...5, using: &random)))
      let newNumbers = Array(
        (numbers + ["o"]).shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random)))
      let versions = try writtenModel(model(texts, numbers), model(newTexts, newNumbers))
      let pasts = (texts + texts).prefix(newTexts.count).shuffled(using: &random)
      let numberPasts = (numbers + numbers).prefix(newNumbers.count).shuffled(using: &random)
      let moves = Array(zip(newTexts + newNumbers, pasts + numberPasts))
      let attributes = moves.map { CustomPropertyMapping(name: $0.0, expression: "$source.\($0.1)") }
      let mapping = CustomMappingModel(
        sourceVersionName: "V1", destinationVersionName: "V2",
        entityMappings: ["Hut", "Lodge"].map {
          CustomEntityMapping(
            name: $0, sourceEntityName: $0, destinationEntityName: $0, attributeMappings: attributes)
        })
      let huts = (1...9).map { key in
        var hut = ManagedObject(key % 3 == 0 ? "Lodge" : "Hut", Int64(key))
        if hut.id.entityName == "Lodge" { hut.values["stars"] = .integer(1) }
        for name in texts where Bool.random(using: &random) { hut.values[name] = .string("\(name)\(key)") }
        for name in numbers where Bool.random(using: &random) { hut.values[name] = .integer(Int64(key)) }
        return hut
      }
      try withTemporaryFolder { folder in
        let store = try TestStore(in: folder, of: versions.versions[0], objects: huts)
        let copy = try store.copy(named: "Objects.sqlite")
        var migrations = CustomMigrations(mappingModels: [versions.name: [mapping]])
        migrations.sortsLookupsFrom = seed % 2 == 0 ? 0 : .max
        let one = try outcome(store, versions, migrations).0
        migrations.usesObjectCopy = true
        let other = try outcome(copy, versions, migrations).0
        #expect(
          one.objects == other.objects && one.messages == other.messages && !one.objects.isEmpty,
          "seed \(seed): \(moves)\n\(one)\n\(other)")
        // A step of statements alone has no account by mapping.
        if one.counts.isEmpty, !other.counts.isEmpty { statements += 1 }
      }
    }
    #expect(statements * 2 > seeds)
  }

  /// Attachments of notes, of memos and of diaries: what one mapping sets is not another's to empty.
  @Test func `mappings into one entity leave each other's references`() throws {
    func model(_ note: String, _ more: String) -> String {
      "entities:\n  Note: {\(note)}\n  Memo: {parent: Note}\n  Diary: {parent: Note}\n\(more)"
    }
    let old = model("attributes: {title: string?, image: string?}, relationships: {next: {to: Note}}", "")
    let seeds = ProcessInfo.processInfo.environment["MODELC_SEEDS"].flatMap(Int.init) ?? 10
    var (attached, statements) = (0, 0)
    for seed in 0..<seeds {
      var random = Dice(seed: UInt64(seed))
      let side = random.chance(50) ? "to" : "toMany"
      let versions = try writtenModel(
        old,
        model(
          "attributes: {title: string?}, relationships: {attached: {\(side): Attachment, inverse: note}}",
          "  Attachment: {attributes: {image: string?}, relationships: {note: {to: Note, inverse: attached}, next: {to: Note}}}\n"
        ))
      let filters = [nil, "image != nil", "title == 'a'"]
      let mappings = ["Note", "Memo", "Diary"].flatMap { kind in
        [
          CustomEntityMapping(
            name: kind, sourceEntityName: kind, destinationEntityName: kind,
            filter: random.chance(25) ? "title != 'b'" : nil),
          CustomEntityMapping(
            name: "\(kind)Attachment", sourceEntityName: kind, destinationEntityName: "Attachment",
            filter: random.pick(filters) ?? nil,
            attributeMappings: [CustomPropertyMapping(name: "image", expression: "$source.image")],
            relationshipMappings: [
              CustomPropertyMapping(
                name: "note", expression: "destinationInstances(\"\(kind)\", $source)"),
              CustomPropertyMapping(
                name: "next", expression: "destinationInstances(\"\(kind)\", $source.next)"),
            ]),
        ]
      }
      let mapping = CustomMappingModel(
        sourceVersionName: "V1", destinationVersionName: "V2",
        entityMappings: mappings.shuffled(using: &random))
      let kinds = (1...15).map { _ in random.pick(["Note", "Memo", "Diary"]) ?? "Note" }
      let notes = kinds.enumerated().map { index, kind in
        var note = ManagedObject(kind, Int64(index + 1))
        if random.chance(75) { note.values["title"] = random.pick(["a", "b", "c"]).map { .string($0) } }
        if random.chance(75) { note.values["image"] = .string("\(index)") }
        let next = random.number(0...14)
        note.toOne["next"] = ManagedObject.ID(entityName: kinds[next], primaryKey: Int64(next + 1))
        return note
      }
      try withTemporaryFolder { folder in
        let store = try TestStore(in: folder, of: versions.versions[0], objects: notes)
        let copy = try store.copy(named: "Objects.sqlite")
        var migrations = CustomMigrations(mappingModels: [versions.name: [mapping]])
        migrations.sortsLookupsFrom = seed % 2 == 0 ? 0 : .max
        let (one, count) = try outcome(store, versions, migrations)
        migrations.usesObjectCopy = true
        let (other, _) = try outcome(copy, versions, migrations)
        #expect(one == other, "seed \(seed): \(mapping.entityMappings)")
        attached += one.objects.count { $0.id.entityName == "Attachment" && $0.toOne["note"] != nil }
        statements += count
      }
    }
    #expect(attached > seeds && statements > seeds, "\(attached) \(statements)")
  }
}

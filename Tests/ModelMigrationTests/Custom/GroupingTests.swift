import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What groups of objects become one, what a mapping keeps of each, and what is lost.
@Suite("Groups of objects that become one") struct GroupingTests {
  @Test(arguments: [("first", 1), ("last", 2), ("merge", 1)], ["people: {toMany: ", "person: {to: "])
  func `the object that is kept says what a to-one leads to, whatever is told from the other side`(
    _ kept: (keep: String, tag: Int64), _ inverse: String
  ) throws {
    let name = String(inverse.prefix(6))
    let model = """
      entities:
        Person:
          attributes: {mail: string?}
          relationships: {tag: {to: Tag, inverse: \(name)}}
        Tag: {attributes: {name: string?}, relationships: {\(inverse)Person, inverse: tag}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("mail: string?", with: "mail: string?, x: string?")],
      mappings: [
        """
        entityMappings:
          People: {source: Person, destination: Person, groupBy: $source.mail, keep: \(kept.keep)}
        """
      ])
    var people = objects("Person", ["mail": .string("a")], ["mail": .string("a")])
    for (index, key) in [Int64(1), 2].enumerated() { people[index].toOne["tag"] = objectID("Tag", key) }
    var tags = objects("Tag", ["name": .string("one")], ["name": .string("two")])
    if name == "person" {
      for (index, key) in [Int64(1), 2].enumerated() { tags[index].toOne[name] = objectID("Person", key) }
    }
    let found = try trial.run(people + tags)
    #expect(found["Person"].map { $0.toOne["tag"]?.primaryKey } == [kept.tag])
  }

  @Test(arguments: [
    ("first", ["MC3109 beds 1", "MC3118 count 1", "MC3120 beds 1"]), ("last", ["MC3120 beds 1"]),
  ])
  func `only what an object that stays cannot convert is lost by a conversion`(
    _ keep: String, _ losses: [String]
  ) throws {
    let model = "entities:\n  Person: {attributes: {mail: string?, text: string?, beds: integer64 = 0}}\n"
    var trial = try CustomTrial(
      [
        model,
        model.replacing("text: string?", with: "count: integer16?").replacing("integer64", with: "integer16"),
      ],
      mappings: [
        """
        entityMappings:
          People:
            {source: Person, destination: Person, groupBy: $source.mail, keep: \(keep),
             attributes: {count: parseInt($source.text)}}
        """
      ])
    trial.options.acceptedLosses = [.init(.conversionLoss), .init(.numericNarrowing)]
    let mail = AttributeValue.string("a")
    let found = try trial.run(
      objects(
        "Person", ["mail": mail, "text": .string("x"), "beds": .integer(70_000)],
        ["mail": mail, "text": .string("5"), "beds": .integer(7)]))
    #expect(
      found.plan.losses.map { "\($0.code) \($0.property ?? "") \($0.count)" }.sorted()
        .filter { !$0.hasPrefix("MC3120 count") } == losses)
  }

  @Test func `of groups that are merged, a value that is taken counts, and the first that cannot be`() throws
  {
    let model = "entities:\n  Person: {attributes: {mail: string?, text: string?, beds: integer64?}}\n"
    let trial = try CustomTrial(
      [
        model,
        model.replacing("text: string?", with: "count: integer16?").replacing("integer64", with: "integer16"),
      ],
      mappings: [
        """
        entityMappings:
          People:
            {source: Person, destination: Person, groupBy: $source.mail, keep: merge,
             attributes: {count: parseInt($source.text)}}
        """
      ])
    let (a, b) = (AttributeValue.string("a"), AttributeValue.string("b"))
    try withTemporaryFolder { folder in
      let plan = try trial.plan(
        trial.store(
          objects(
            "Person", ["mail": a], ["mail": a, "text": .string("x"), "beds": .integer(7)],
            ["mail": a, "text": .string("5"), "beds": .integer(70_000)],
            ["mail": a, "text": .string("y"), "beds": .integer(80_000)],
            ["mail": b, "beds": .integer(90_000)]), in: folder))
      let losses = plan.losses.map { "\($0.code) \($0.property ?? "") \($0.count)" }
      #expect(losses.filter { !$0.hasPrefix("MC3120") }.sorted() == ["MC3109 beds 1", "MC3118 count 1"])
    }
  }

  /// Songs of one album have one artist, which another mapping makes of them: nothing is lost of it.
  @Test(arguments: [("[$source.album, $source.artist]", 0), ("$source.album", 1)])
  func `objects of a group lead to one that is made of all of them`(keys: String, lost: Int) throws {
    let old = "entities: {Song: {attributes: {album: string?, artist: string?}}}"
    let new = """
      entities:
        Album:
          attributes: {album: string?}
          relationships: {artists: {toMany: Artist, inverse: albums}}
        Artist:
          attributes: {name: string?}
          relationships: {albums: {toMany: Album, inverse: artists}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          SongToArtist:
            source: Song
            destination: Artist
            groupBy: $source.artist
            attributes: {name: $source.artist}
          SongToAlbum:
            source: Song
            destination: Album
            groupBy: \(keys)
            relationships: {artists: 'destinationInstances("SongToArtist", $source)'}
        """
      ])
    let songs = objects(
      "Song", ["album": .string("x"), "artist": .string("A")],
      ["album": .string("x"), "artist": .string("A")], ["album": .string("x"), "artist": .string("B")])
    try withTemporaryFolder { folder in
      let losses = try trial.plan(try trial.store(songs, in: folder)).losses
      #expect(losses.filter { $0.property == "artists" }.map(\.count) == (lost == 0 ? [] : [lost]))
    }
  }

  @Test func `a lookup of what all objects of a group lead to takes the objects of each`() throws {
    let model = """
      entities:
        Person: {attributes: {mail: string?}, relationships: {tags: {toMany: Tag, inverse: person}}}
        Tag: {relationships: {person: {to: Person, inverse: tags}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("mail: string?", with: "mail: string?, x: string?")],
      mappings: [
        """
        entityMappings:
          People:
            {source: Person, destination: Person, groupBy: $source.mail, keep: first,
             relationships: {tags: 'destinationInstances("Tags", $sources.tags)'}}
          Tags: {source: Tag, destination: Tag}
        """
      ])
    var people = objects("Person", ["mail": .string("a")], ["mail": .string("a")])
    var tags = objects("Tag", [:], [:])
    for index in 0...1 {
      people[index].toMany["tags"] = [tags[index].id]
      tags[index].toOne["person"] = people[index].id
    }
    #expect(try trial.run(people + tags).links("Person", "tags") == ["1>1,2"])
  }

  /// With an inverse each tag would say so; without one only the people do.
  @Test(arguments: ["first", "last"], ["$source.tags", "$sources.tags"])
  func `a list that a mapping writes has the members of all objects of a group`(keep: String, path: String)
    throws
  {
    let model = """
      entities:
        Person: {attributes: {mail: string?}, relationships: {tags: {toMany: Tag}}}
        Tag: {attributes: {name: string?}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("mail: string?", with: "mail: string?, x: string?")],
      mappings: [
        """
        entityMappings:
          People:
            {source: Person, destination: Person, groupBy: $source.mail, keep: \(keep),
             relationships: {tags: 'destinationInstances("Tags", \(path))'}}
          Tags: {source: Tag, destination: Tag}
        """
      ])
    var people = objects("Person", ["mail": .string("a")], ["mail": .string("a")])
    for index in people.indices { people[index].toMany["tags"] = [objectID("Tag", Int64(index + 1))] }
    let links = try trial.run(people + objects("Tag", [:], [:])).links("Person", "tags")
    #expect(links == [keep == "first" ? "1>1,2" : "2>1,2"])
  }

  @Test func `what is read of all objects of a group is not lost, nor is its order`() throws {
    let model = """
      entities:
        Hut:
          attributes: {name: string?, beds: integer16 = 0}
          relationships: {visits: {toMany: Visit, inverse: hut, ordered: true}}
        Visit: {relationships: {hut: {to: Hut, inverse: visits}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("name: string?", with: "name: string?, x: string?")],
      mappings: [
        """
        entityMappings:
          Huts:
            {source: Hut, destination: Hut, groupBy: $source.name, keep: first,
             attributes: {beds: $sources.@sum.beds},
             relationships: {visits: 'destinationInstances("Visits", $sources.visits)'}}
          Visits: {source: Visit, destination: Visit}
        """
      ])
    var huts = objects(
      "Hut", ["name": .string("a"), "beds": .integer(3)], ["name": .string("a"), "beds": .integer(4)])
    var visits = objects("Visit", [:], [:])
    for index in 0...1 {
      huts[index].toMany["visits"] = [visits[index].id]
      visits[index].toOne["hut"] = huts[index].id
    }
    let found = try trial.run(huts + visits)
    #expect(found.texts("Hut", "beds") == ["7"] && found.links("Hut", "visits") == ["1>1,2"])
    #expect(found.plan.losses.map { "\($0.code) \($0.property ?? "")" } == [])
  }

  @Test func `a derived attribute of what is merged is computed anew, and not lost`() throws {
    let model = """
      entities:
        Person: {attributes: {mail: string?, text: string?, up: {type: string?, derivation: "uppercase:(text)"}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("text: string?", with: "text: string?, x: string?")],
      mappings: [
        "entityMappings: {People: {source: Person, destination: Person, groupBy: $source.mail, keep: first}}"
      ])
    let people: [[String: AttributeValue]] = ["a", "b"].map {
      ["mail": .string("m"), "text": .string($0), "up": .string($0.uppercased())]
    }
    let found = try trial.run(objects("Person", people[0], people[1]))
    #expect(found.plan.losses.map(\.property) == ["text"] && found.texts("Person", "up") == ["A"])
  }

  /// Images may lie outside of the store's file, and so only objects can be asked for them as keys.
  @Test(arguments: [
    ("$source.mail", "", "MC3120 Person.image 1"), ("$source.mail", "first", "MC3120 Person.image 1"),
    ("$source.mail", "merge", "MC3120 Person.image 1"), ("$source.image", "", "MC3120 Person 3"),
    ("hash($source.image)", "last", "MC3120 Person 3"), ("median:({$source.age, 1})", "", "MC3120 Person 3"),
  ])
  func `large values that are merged are lost, and groups that only objects know may lose some`(
    _ key: String, _ keep: String, _ lost: String
  ) throws {
    let model = """
      entities:
        Person:
          attributes: {mail: string?, age: integer16?, image: {type: binary?, externalStorage: true}}
      """
    let rule = keep.isEmpty ? "" : ", keep: \(keep)"
    let trial = try CustomTrial(
      [model, model.replacing("mail: string?", with: "mail: string?, x: string?")],
      mappings: [
        "entityMappings: {People: {source: Person, destination: Person, groupBy: '\(key)'\(rule)}}"
      ])
    var people = objects("Person", [:], [:], [:], [:])
    for index in people.indices {
      people[index].values["mail"] = .string("a")
      people[index].values["age"] = .integer(2)
      if index < 3 { people[index].values["image"] = .binary(Data([index < 2 ? 1 : 2])) }
    }
    #expect(try losses(trial, people, "MC3120") == [lost])
    #expect(try losses(trial, people) == (keep.isEmpty ? [lost] : []))
    // One object is no group that loses anything.
    #expect(try losses(trial, Array(people.prefix(1))) == [])
  }

  /// An object is in one list of a relationship without an inverse.
  @Test(arguments: ["", ", keep: first"])
  func `lists without an inverse that lose a merged object are counted`(_ rule: String) throws {
    let model = """
      entities:
        Item: {attributes: {title: string?}}
        Person: {attributes: {name: string?}, relationships: {favorites: {toMany: Item}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("title: string?", with: "title: string?, x: string?")],
      mappings: [
        "entityMappings: {Items: {source: Item, destination: Item, groupBy: $source.title\(rule)}}"
      ])
    let items = objects("Item", ["title": .string("a")], ["title": .string("a")])
    func rows(_ first: [Int64], _ second: [Int64]) -> [ManagedObject] {
      var people = objects("Person", [:], [:])
      people[0].toMany["favorites"] = first.map { objectID("Item", $0) }
      people[1].toMany["favorites"] = second.map { objectID("Item", $0) }
      return items + people
    }
    #expect(try losses(trial, rows([1], [2]), "MC3120") == ["MC3120 Person.favorites 1"])
    #expect(try losses(trial, rows([1], [2])).isEmpty == !rule.isEmpty)
    // The list of the one is that of the object that both become.
    #expect(try losses(trial, rows([2], []), "MC3120") == [])
    #expect(try losses(trial, rows([1, 2], []), "MC3120") == [])
  }

  @Test(arguments: [
    ("nullify", "", ["MC3120 House.notes 1", "MC3120 Item.house 1", "MC3120 Tag.houses 1"]),
    ("cascade", "", ["MC3120 House.notes 1", "MC3120 Tag.houses 1"]),
    (
      "nullify", #"things: 'destinationInstances("Items", $sources.things)'"#,
      ["MC3120 House.notes 1", "MC3120 Tag.houses 1"]
    ), ("repoint", "", []),
  ])
  func `links that do not follow the object that stays of a group are counted`(
    _ rule: String, _ written: String, _ lost: [String]
  ) throws {
    let model = """
      entities:
        House:
          attributes: {city: string?}
          relationships:
            {things: {toMany: Item, inverse: house}, tags: {toMany: Tag, inverse: houses}, notes: {toMany: Note}}
        Item: {relationships: {house: {to: House, inverse: things}}}
        Note: {attributes: {text: string?}}
        Tag: {relationships: {houses: {toMany: House, inverse: tags}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("city: string?", with: "city: string?, x: string?")],
      mappings: [
        """
        entityMappings:
          Houses:
            {source: House, destination: House, groupBy: $source.city, keep: first, onDrop: \(rule),
             relationships: {\(written)}}
          Items: {source: Item, destination: Item}
        """
      ])
    var houses = objects("House", ["city": .string("c")], ["city": .string("c")])
    var (items, tags) = (objects("Item", [:], [:]), objects("Tag", [:], [:]))
    let notes = objects("Note", [:], [:])
    for index in 0...1 {
      houses[index].toMany = [
        "things": [items[index].id], "tags": [tags[index].id], "notes": [notes[index].id],
      ]
      items[index].toOne["house"] = houses[index].id
      tags[index].toMany["houses"] = [houses[index].id]
    }
    #expect(try losses(trial, houses + items + tags + notes, "MC3120") == lost)
    #expect(try losses(trial, houses + items + tags + notes) == [])
  }

  /// Two mappings group the houses, and one makes something of `$source` itself.
  @Test func `references without an inverse to merged objects are counted once`() throws {
    let model = """
      entities:
        House:
          attributes: {city: string?}
        Person: {relationships: {home: {to: House}}}
      """
    let sort = """
      city: string?}
          relationships: {sort: {to: Sort, inverse: houses}}
        Sort: {attributes: {city: string?}, relationships: {houses: {toMany: House, inverse: sort}}}
      """
    let trial = try CustomTrial(
      [model, model.replacing("city: string?}", with: sort)],
      mappings: [
        """
        entityMappings:
          Sorts:
            {source: House, destination: Sort, groupBy: $source.city, keep: first, onDrop: nullify,
             attributes: {city: $source.city}}
          Houses:
            {source: House, destination: House, groupBy: $source.city, keep: first, onDrop: nullify,
             relationships: {sort: 'destinationInstances("Sorts", $source)'}}
        """
      ])
    let houses = objects("House", ["city": .string("c")], ["city": .string("c")])
    var people = objects("Person", [:], [:])
    for index in 0...1 { people[index].toOne["home"] = houses[index].id }
    let found = try losses(trial, houses + people, "MC3120")
    #expect(found.filter { $0.contains("Person.home") } == ["MC3120 Person.home 1"])
  }

  /// The objects that had the values go on by another mapping, and stay in the lists.
  @Test func `objects that are made of values lose no list without an inverse`() throws {
    func version(_ item: String, _ more: String) -> String {
      """
      entities:
        Item: {attributes: {title: string?, sort: string?}\(item)}
        Person: {attributes: {name: string?}, relationships: {favorites: {toMany: Item}}}
      \(more)
      """
    }
    let trial = try CustomTrial(
      [
        version("", ""),
        version(
          ", relationships: {shelf: {to: Sort, inverse: items}}",
          "  Sort: {attributes: {name: string?}, relationships: {items: {toMany: Item, inverse: shelf}}}"),
      ],
      mappings: [
        """
        entityMappings:
          Sorts: {source: Item, destination: Sort, groupBy: $source.sort, attributes: {name: $source.sort}}
          Items:
            source: Item
            destination: Item
            relationships: {shelf: 'destinationInstances("Sorts", $source)'}
        """
      ])
    var rows = objects("Item", ["sort": .string("a")], ["sort": .string("a")]) + objects("Person", [:], [:])
    rows[2].toMany["favorites"] = [objectID("Item", 1)]
    rows[3].toMany["favorites"] = [objectID("Item", 2)]
    #expect(try losses(trial, rows) == [])
    let found = try trial.run(rows)
    #expect(found.links("Person", "favorites") == ["1>1", "2>2"])
    #expect(found.links("Sort", "items") == ["1>1,2"])
  }

  @Test func `keys of several parts, numbers by value, text by its bytes`() throws {
    let text = """
      entities:
        Reading: {attributes: {code: integer32?, place: string?, value: double?}}
      """
    let trial = try CustomTrial(
      [text, text.replacing("{attributes", with: "{versionHashModifier: b, attributes")],
      mappings: [
        """
        entityMappings:
          ReadingToReading:
            source: Reading
            destination: Reading
            groupBy: [$source.code / 2.0, $source.place, 'CAST($source.value, "NSString")']
        """
      ])
    func reading(_ code: Int64?, _ place: String?, _ value: Double?) -> [String: AttributeValue] {
      var values: [String: AttributeValue] = [:]
      values["code"] = code.map { .integer($0) }
      values["place"] = place.map { .string($0) }
      values["value"] = value.map { .double($0) }
      return values
    }
    let found = try trial.run(
      objects(
        "Reading", reading(1, "é", 1), reading(1, "e\u{301}", 1), reading(1, "é", 1), reading(2, "é", 1),
        reading(nil, "é", 1), reading(nil, "é", 1), reading(1, "", 1), reading(1, "", 1),
        reading(1, "é", 1.5)))
    #expect(found["Reading"].map(\.id.primaryKey) == [1, 2, 4, 5, 6, 7, 9])
  }
}

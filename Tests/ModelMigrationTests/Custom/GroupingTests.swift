import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What mapping files say in the place of policies that everybody writes.
@Suite("Objects split, merged, extracted, deduplicated")
struct GroupingTests {
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

  @Test(arguments: ["", #"destinationInstances("AuthorToAuthor", $source.author)"#])
  func `references to objects that become one are the same`(author: String) throws {
    let relationships = author.isEmpty ? "" : ", relationships: {author: '\(author)'}"
    let trial = try CustomTrial(
      [Self.library(""), Self.library("    versionHashModifier: \"2\"")],
      mappings: [
        """
        entityMappings:
          AuthorToAuthor: {source: Author, destination: Author, groupBy: $source.name, keep: first}
          BookToBook: {source: Book, destination: Book, groupBy: $source.title, keep: last\(relationships)}
        """
      ])
    // Authors 1, 3 and 6 become one; two books of theirs and one of another become one.
    var found = Self.authors()
    for index in found.indices where found[index].id.entityName == "Book" {
      let key = found[index].id.primaryKey
      found[index].values["title"] = .string([1, 2, 3].contains(key) ? "same" : "B\(key)")
    }
    let losses = try trial.run(found).plan.losses.filter { $0.entity == "Book" }
    #expect(losses.map { "\($0.property ?? "") \($0.count)" } == ["author 1"])
  }

  // MARK: Lookups beside sub-entities

  private static func families(_ version: Int, _ relationship: String, _ inverse: String) -> String {
    """
    entities:
      Parent: {attributes: {name: string?}, relationships: {\(relationship)}}
      Kid: {attributes: {name: string?, x\(version): string?}, relationships: {parent: {to: Parent\(inverse)}}}
      Baby: {parent: Kid}
    """
  }

  /// A parent with a kid, and one with a baby or the same one.
  private func family(_ relationship: String?, sharing parent: Int64) -> [ManagedObject] {
    var found = objects("Parent", ["name": .string("a")], ["name": .string("b")])
    found += [ManagedObject("Kid", 1), ManagedObject("Baby", 2)]
    found[2].toOne["parent"] = objectID("Parent", 1)
    found[3].toOne["parent"] = objectID("Parent", parent)
    if let relationship {
      found[0].toOne[relationship] = objectID("Kid", 1)
      found[1].toOne[relationship] = objectID("Baby", 2)
    }
    return found
  }

  @Test(arguments: ["", #", relationships: {parent: 'destinationInstances("Parents", $source.parent)'}"#])
  func `objects of a sub-entity that a lookup leaves out get their reference in their own turn`(
    _ parent: String
  ) throws {
    let trial = try CustomTrial(
      (1...2).map { Self.families($0, "kids: {toMany: Kid, inverse: parent}", ", inverse: kids") },
      mappings: [
        """
        entityMappings:
          Parents: {source: Parent, destination: Parent, relationships: {kids: 'destinationInstances("Kids", $source.kids)'}}
          Kids: {source: Kid, destination: Kid\(parent)}
          Babies: {source: Baby, destination: Baby\(parent)}

        """
      ])
    let found = try trial.run(family(nil, sharing: 1))
    #expect(found["Kid"].map { $0.toOne["parent"]?.primaryKey } == [1])
    #expect(found["Baby"].map { $0.toOne["parent"]?.primaryKey } == [1])
    #expect((found["Parent"][0].toMany["kids"] ?? []).map(\.primaryKey).sorted() == [1, 2])
  }

  @Test
  func `a one-to-one of which one side asks a mapping of a sub-entity alone is related object by object`()
    throws
  {
    let trial = try CustomTrial(
      (1...2).map { Self.families($0, "kid: {to: Kid, inverse: parent}", ", inverse: kid") },
      mappings: [
        """
        entityMappings:
          Parents: {source: Parent, destination: Parent, relationships: {kid: 'destinationInstances("Babies", $source.kid)'}}
          Babies: {source: Baby, destination: Baby}
          Kids: {source: Kid, destination: Kid}

        """
      ])
    let found = try trial.run(family("kid", sharing: 2))
    #expect(found["Parent"].map { $0.toOne["kid"]?.primaryKey } == [1, 2])
    #expect((found["Kid"] + found["Baby"]).map { $0.toOne["parent"]?.primaryKey } == [1, 2])
  }

  // MARK: Split and merge

  @Test func `an entity is split in two, and references find what their object became`() throws {
    let old = """
      entities:
        Hut:
          attributes: {name: string, beds: integer16 = 0}
          relationships: {visits: {toMany: Visit, inverse: hut}}
        Visit:
          attributes: {text: string?}
          relationships: {hut: {to: Hut, inverse: visits}}
      """
    let new = """
      entities:
        Hut:
          attributes: {name: string, beds: integer16 = 0}
          relationships: {visits: {toMany: Visit, inverse: hut}}
        Shelter:
          attributes: {name: string}
          relationships: {guests: {toMany: Visit, inverse: shelter}}
        Visit:
          attributes: {text: string?}
          relationships: {hut: {to: Hut, inverse: visits}, shelter: {to: Shelter, inverse: guests}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          BigHut: {source: Hut, destination: Hut, where: beds > 9}
          SmallHut: {source: Hut, destination: Shelter, where: beds <= 9}
          VisitToVisit:
            source: Visit
            destination: Visit
            relationships:
              hut: destinationInstances("BigHut", $source.hut)
              shelter: destinationInstances("SmallHut", $source.hut)
        """
      ])
    var visits = objects("Visit", ["text": .string("a")], ["text": .string("b")], [:])
    visits[0].toOne["hut"] = objectID("Hut", 1)
    visits[1].toOne["hut"] = objectID("Hut", 2)
    let huts = objects(
      "Hut", ["name": .string("Alp"), "beds": .integer(40)], ["name": .string("Nook"), "beds": .integer(4)])
    let found = try trial.run(huts + visits)
    #expect(found.texts("Hut", "name") == ["Alp"])
    #expect(found.texts("Shelter", "name") == ["Nook"])
    #expect(found.links("Visit", "hut") == ["1>1", "2>", "3>"])
    #expect(found["Visit"].map { $0.toOne["shelter"]?.entityName } == [nil, "Shelter", nil])
    #expect(found.report.mappings.map(\.carried) == [1, 1, 3])
    #expect(found.plan.losses == [])
  }

  @Test func `two entities become one, and keys that change are told`() throws {
    let old = """
      entities:
        Author:
          attributes: {name: string}
          relationships: {books: {toMany: Book, inverse: author}}
        Editor:
          attributes: {name: string, office: string?}
          relationships: {books: {toMany: Book, inverse: editor}}
        Book:
          attributes: {title: string}
          relationships: {author: {to: Author, inverse: books}, editor: {to: Editor, inverse: books}}
      """
    let new = """
      entities:
        Person:
          attributes: {name: string, role: string, office: string?}
          relationships: {written: {toMany: Book, inverse: author}, edited: {toMany: Book, inverse: editor}}
        Book:
          attributes: {title: string}
          relationships: {author: {to: Person, inverse: written}, editor: {to: Person, inverse: edited}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          AuthorToPerson: {source: Author, destination: Person, attributes: {role: '"author"'}}
          EditorToPerson: {source: Editor, destination: Person, attributes: {role: '"editor"'}}
        """
      ])
    var books = objects("Book", ["title": .string("One")], ["title": .string("Two")])
    books[0].toOne = ["author": objectID("Author", 1), "editor": objectID("Editor", 1)]
    books[1].toOne = ["author": objectID("Author", 2), "editor": objectID("Editor", 1)]
    let people =
      objects("Author", ["name": .string("Ann")], ["name": .string("Bo")])
      + objects("Editor", ["name": .string("Ed"), "office": .string("7")])
    let found = try trial.run(people + books)
    #expect(found.texts("Person", "name") == ["Ann", "Bo", "Ed"])
    #expect(found.texts("Person", "role") == ["author", "author", "editor"])
    #expect(found.texts("Person", "office") == ["-", "-", "7"])
    #expect(found.links("Book", "author") == ["1>1", "2>2"])
    #expect(found.links("Person", "edited") == ["1>", "2>", "3>1,2"])
    // Editor 1 is Person 3 now.
    #expect(found.codes == ["MC6403"])
    let moved = found.report.diagnostics.first { $0.code == .objectURIsChange }
    #expect(moved?.message == "1 object has a new primary key")
  }

  @Test func `one object becomes several, related to one another`() throws {
    let old = """
      entities:
        Photo: {attributes: {name: string, data: binary?, small: binary?}}
      """
    let new = """
      entities:
        Photo:
          attributes: {name: string, data: binary?}
          relationships: {thumbnail: {to: Thumbnail, inverse: photo}}
        Thumbnail:
          attributes: {data: binary}
          relationships: {photo: {to: Photo, inverse: thumbnail, optional: false}}
      """
    let trial = try CustomTrial(
      [old, new],
      mappings: [
        """
        entityMappings:
          PhotoToPhoto: {source: Photo, destination: Photo}
          PhotoToThumbnail:
            source: Photo
            destination: Thumbnail
            where: small != nil
            attributes: {data: $source.small}
            relationships: {photo: 'destinationInstances("PhotoToPhoto", $source)'}
        """
      ])
    let photos = objects(
      "Photo", ["name": .string("a"), "data": .binary(Data([1])), "small": .binary(Data([2]))],
      ["name": .string("b"), "data": .binary(Data([3]))])
    let found = try trial.run(photos)
    #expect(found["Photo"].map { $0.values["data"] } == [.binary(Data([1])), .binary(Data([3]))])
    #expect(found["Thumbnail"].map { $0.values["data"] } == [.binary(Data([2]))])
    #expect(found.links("Photo", "thumbnail") == ["1>1", "2>"])
  }

  // MARK: Extract

  static let wardens = """
    entities:
      Hut: {attributes: {name: string, warden: string?, phone: string?, beds: integer16 = 0}}
    """

  @Test func `an attribute becomes objects of its own, one for each value`() throws {
    let new = """
      entities:
        Hut:
          attributes: {name: string, beds: integer16 = 0}
          relationships: {warden: {to: Warden, inverse: huts}}
        Warden:
          attributes: {name: string, phone: string?}
          relationships: {huts: {toMany: Hut, inverse: warden}}
          uniquenessConstraints: [[name]]
      """
    let trial = try CustomTrial(
      [Self.wardens, new],
      mappings: [
        """
        entityMappings:
          HutToWarden:
            source: Hut
            destination: Warden
            where: warden != nil
            groupBy: $source.warden
            keep: merge
            orderBy: $source.name
            attributes: {name: $source.warden, phone: $source.phone}
          HutToHut:
            source: Hut
            destination: Hut
            relationships: {warden: 'destinationInstances("HutToWarden", $source)'}
        """
      ])
    let huts = objects(
      "Hut", ["name": .string("Z"), "warden": .string("Ann"), "phone": .string("1")],
      ["name": .string("Y"), "warden": .string("Bo")], ["name": .string("X"), "warden": .string("Ann")],
      ["name": .string("W"), "warden": .string("ann")], ["name": .string("V")],
      ["name": .string("U"), "warden": .string("Ann"), "phone": .string("2")])
    let found = try trial.run(huts)
    #expect(Set(found.texts("Warden", "name")) == ["Ann", "Bo", "ann"])
    let ann = try #require(found["Warden"].first { $0.values["name"] == .string("Ann") })
    // In the order of names: U has the first phone that is not nil.
    #expect(ann.values["phone"] == .string("2"))
    #expect(ann.toMany["huts"]?.map(\.primaryKey) == [1, 3, 6])
    #expect(found["Hut"].map { $0.toOne["warden"] == nil } == [false, false, false, false, true, false])
    #expect(found["Hut"].map(\.id.primaryKey) == [1, 2, 3, 4, 5, 6])
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

  // MARK: Deduplicate

  private static func library(_ lines: String) -> String {
    """
    entities:
      Author:
        attributes: {name: string?, born: integer16?, note: string?}
        relationships:
          books: {toMany: Book, inverse: author}
          tags: {toMany: Tag, inverse: authors}
          idols: {toMany: Book, inverse: fans}
    \(lines)
      Book:
        attributes: {title: string}
        relationships: {author: {to: Author, inverse: books}, fans: {toMany: Author, inverse: idols}}
      Tag:
        attributes: {name: string}
        relationships: {authors: {toMany: Author, inverse: tags}}
    """
  }

  /// Ann stands there three times, and two have no name.
  private static func authors() -> [ManagedObject] {
    var authors = objects(
      "Author", ["name": .string("Ann"), "note": .string("a")], ["name": .string("Bo")],
      ["name": .string("Ann"), "born": .integer(1970), "note": .string("c")], [:], [:],
      ["name": .string("Ann"), "born": .integer(1960)])
    authors[0].toMany["tags"] = [objectID("Tag", 1)]
    authors[2].toMany["tags"] = [objectID("Tag", 1), objectID("Tag", 2)]
    let books = (1...6).map { key in
      ManagedObject(
        "Book", key, values: ["title": .string("B\(key)")], toOne: ["author": objectID("Author", key)])
    }
    return authors + books + objects("Tag", ["name": .string("x")], ["name": .string("y")])
  }

  /// Which rule, the order, the objects that stay, what is left of Ann, and who wrote which book afterwards.
  struct Dedupe: Sendable, CustomTestStringConvertible {
    var keep: String
    var orderBy = ""
    var onDrop = ""
    var first = ""
    var authors: [Int64]
    var ann: String
    var books: [Int64?]
    var tags: [Int64] = [1, 2]
    var testDescription: String { "\(keep) \(orderBy) \(onDrop) \(first)" }
  }

  static let dedupes: [Dedupe] = [
    Dedupe(keep: "first", authors: [1, 2, 4, 5], ann: "- a", books: [1, 2, 1, 4, 5, 1]),
    Dedupe(keep: "last", authors: [2, 4, 5, 6], ann: "1960 -", books: [6, 2, 6, 4, 5, 6]),
    Dedupe(keep: "merge", authors: [1, 2, 4, 5], ann: "1970 a", books: [1, 2, 1, 4, 5, 1]),
    // Nils come first.
    Dedupe(
      keep: "last", orderBy: "orderBy: $source.born", authors: [2, 3, 4, 5], ann: "1970 c",
      books: [3, 2, 3, 4, 5, 3]),
    Dedupe(
      keep: "merge", orderBy: "orderBy: $source.born * -1", authors: [1, 2, 4, 5], ann: "1970 a",
      books: [1, 2, 1, 4, 5, 1]),
    Dedupe(
      keep: "first", onDrop: "onDrop: nullify", authors: [1, 2, 4, 5], ann: "- a",
      books: [1, 2, nil, 4, 5, nil], tags: [1]),
    // Whichever side is related first.
    Dedupe(
      keep: "first", first: "BookToBook: {source: Book, destination: Book}", authors: [1, 2, 4, 5],
      ann: "- a", books: [1, 2, 1, 4, 5, 1]),
    Dedupe(
      keep: "last", first: "TagToTag: {source: Tag, destination: Tag}", authors: [2, 4, 5, 6],
      ann: "1960 -", books: [6, 2, 6, 4, 5, 6]),
  ]

  @Test(arguments: dedupes)
  func `duplicates go, and references follow the one that stays`(_ rule: Dedupe) throws {
    let trial = try CustomTrial(
      [
        Self.library(""), Self.library("    uniquenessConstraints: [[name]]\n    versionHashModifier: \"2\""),
      ],
      mappings: [
        """
        entityMappings:
          \(rule.first.isEmpty ? "{}" : rule.first)
          AuthorToAuthor:
            source: Author
            destination: Author
            groupBy: $source.name
            keep: \(rule.keep)
            \(rule.orderBy)
            \(rule.onDrop)
        """.replacing("  {}\n", with: "").replacing("    \n", with: "")
      ])
    let found = try trial.run(Self.authors())
    #expect(found["Author"].map(\.id.primaryKey) == rule.authors)
    let ann = try #require(found["Author"].first { $0.values["name"] == .string("Ann") })
    let facts = ["born", "note"].map { ann.values[$0]?.text ?? "-" }
    #expect(facts.joined(separator: " ") == rule.ann)
    #expect(found["Book"].map { $0.toOne["author"]?.primaryKey } == rule.books)
    #expect((ann.toMany["tags"] ?? []).map(\.primaryKey) == rule.tags)
  }

  @Test(arguments: [
    ("keep: first", ["born 2", "note 1"]), ("keep: last", ["born 1", "note 2"]),
    ("keep: merge", ["born 1", "note 1"]),
  ])
  func `the plan counts what becomes one, and the values that go`(_ keep: String, _ lost: [String]) throws {
    let trial = try CustomTrial(
      [
        Self.library(""), Self.library("    uniquenessConstraints: [[name]]\n    versionHashModifier: \"2\""),
      ],
      mappings: [
        """
        entityMappings:
          AuthorToAuthor: {source: Author, destination: Author, groupBy: $source.name, \(keep)}
        """
      ])
    let found = try trial.run(Self.authors())
    let authors = try #require(found.plan.entities.first { $0.destination == "Author" })
    #expect(authors.rows == 6 && authors.made == found["Author"].count)
    #expect(found.plan.losses.map { "\($0.property ?? "") \($0.count)" } == lost)
    #expect(found.plan.losses.allSatisfy { $0.code.description == "MC3120" && $0.isAcknowledged })
  }

  @Test func `where objects of a group differ, the mapping has to say which stays`() throws {
    let mapping = "entityMappings:\n  A: {source: Author, destination: Author, groupBy: $source.name}"
    let versions = [
      Self.library(""), Self.library("    uniquenessConstraints: [[name]]\n    versionHashModifier: \"2\""),
    ]
    let trial = try CustomTrial(versions, mappings: [mapping])
    #expect {
      try trial.run(Self.authors())
    } throws: {
      refusalCodes($0) == ["MC3120", "MC3120"]
    }
    // Ann is there twice, and says the same.
    let same = objects("Author", ["name": .string("Ann")], ["name": .string("Ann")])
    #expect(try trial.run(same)["Author"].map(\.id.primaryKey) == [1])
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

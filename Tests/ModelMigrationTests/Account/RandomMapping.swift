import Foundation
import ManagedModel
import TestSupport

/// A random custom mapping between two versions of a small library, with the objects to go through it: values that are
/// computed, converted or left out, composites, groups, filters, relationships that stay, lose their order or go.
///
/// Every object has a number of its own, by which it is found again.
struct RandomMapping {
  let model: VersionedModel
  let mapping: CustomMappingModel
  let objects: [ManagedObject]
  /// Destination attribute → the expression that is written for it.
  private(set) var expressions: [String: String] = [:]
  let filter: String?
  let isGrouped: Bool

  private static let choices: [String: [String]] = [
    "a": [
      "$source.name", "concat($source.name, \" <\", $source.nick, \">\")", "$source.home.street",
      "coalesce($source.nick, $source.name)", "trim($source.nick)", "$source.partner.name",
    ],
    "b": [
      "$source.rating", "parseInt($source.nick)", "$source.home.zip", "CAST($source.nick, \"NSNumber\")",
      "$source.rating + $source.rank",
    ],
    "c": ["$source.ratio", "parseDouble($source.nick)", "$source.ratio * 2"],
    "e": ["$source.born", "parseDate($source.nick, \"yyyy-MM-dd\")", "$source.born"],
  ]
  private static let filters: [String?] = [
    nil, nil, nil, "rating != 2", "name BEGINSWITH[c] \"a\" OR nick == nil", "books.@count > 0",
  ]
  /// What a person may say is dropped, of what no mapping may read.
  private static let droppable = [
    "Author.nick", "Author.ratio", "Author.home", "Author.born", "Author.rating", "Author.favourite",
    "Author.drafts", "Author.clubs", "Club.town",
  ]

  init(seed: UInt64) throws {
    var random = Dice(seed: seed &* 31 &+ 5)
    let isBooksOrdered = random.chance(50)
    var links: [String] = ["books: {toMany: Book, inverse: author\(isBooksOrdered ? ", ordered: true" : "")}"]
    let hasClubs = random.chance(70)
    if hasClubs { links.append("clubs: {toMany: Club, inverse: members}") }
    if random.chance(50) { links.append("favourite: {to: Book}") }
    if random.chance(50) {
      links.append("drafts: {toMany: Book\(random.chance(50) ? ", ordered: true" : "")}")
    }
    let home = random.chance(50) ? "home: {type: composite?, composite: Place}" : "spare: string?"
    let members = random.chance(70) ? "{street: string?, zip: integer32?}" : "{street: string?}"
    model = try writtenModel(
      Self.first,
      """
      entities:
        Author:
          attributes:
            number: integer64
            name: string?
            a: string?
            b: integer64?
            c: double?
            e: date?
            rank: integer32 = 3
            rating: integer16?
            \(home)
          relationships:
            partner: {to: Author, inverse: partnerOf}
            partnerOf: {to: Author, inverse: partner}
            \(links.joined(separator: "\n      "))
        Book:
          attributes: {number: integer64, title: string}
          relationships: {author: {to: Author, inverse: books}}
        Club:
          attributes: {number: integer64, name: string, town: string?}
      \(hasClubs ? "    relationships: {members: {toMany: Author, inverse: clubs\(random.chance(50) ? ", ordered: true" : "")}}" : "")
      composites:
        Place: \(members)

      """)
    filter = random.pick(Self.filters) ?? nil
    isGrouped = random.chance(60)
    for (name, choices) in Self.choices.sorted(by: { $0.key < $1.key }) {
      expressions[name] = random.pick(choices)
    }
    var mappings = [
      CustomEntityMapping(
        name: "AuthorToAuthor", sourceEntityName: "Author", destinationEntityName: "Author", filter: filter,
        attributeMappings: expressions.sorted { $0.key < $1.key }.map {
          CustomPropertyMapping(name: $0.key, expression: $0.value)
        })
    ]
    if isGrouped {
      mappings.append(
        CustomEntityMapping(
          name: "ClubToClub", sourceEntityName: "Club", destinationEntityName: "Club",
          groupBy: ["$source.name"],
          keep: random.pick([KeepRule.first, .last, .merge]), orderBy: "$source.number"))
    }
    mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2",
      drops: Self.droppable.filter { _ in random.chance(40) },
      entityMappings: random.chance(50) ? mappings : mappings.reversed())
    objects = Self.objects(&random)
  }

  private static let first = """
    entities:
      Author:
        attributes:
          number: integer64
          name: string
          nick: string?
          born: date?
          rating: integer32?
          rank: integer16 = 3
          ratio: double?
          home: {type: composite?, composite: Place}
        relationships:
          books: {toMany: Book, inverse: author, ordered: true}
          clubs: {toMany: Club, inverse: members}
          partner: {to: Author, inverse: partnerOf}
          partnerOf: {to: Author, inverse: partner}
          favourite: {to: Book}
          drafts: {toMany: Book, ordered: true}
      Book:
        attributes: {number: integer64, title: string}
        relationships: {author: {to: Author, inverse: books}}
      Club:
        attributes: {number: integer64, name: string, town: string?}
        relationships: {members: {toMany: Author, inverse: clubs, ordered: true}}
    composites:
      Place: {street: string?, zip: integer32?}

    """

  private static func objects(_ random: inout Dice) -> [ManagedObject] {
    func id(_ entity: String, _ key: Int) -> ManagedObject.ID {
      ManagedObject.ID(entityName: entity, primaryKey: Int64(key))
    }
    let names = ["Ana", "åsa", "Bo", "", "it's \"x\"", "12", "2001-01-02", "1,5"]
    var made: [ManagedObject] = []
    var drafts = Array(1...20)
    for key in 1...12 {
      var author = ManagedObject("Author", Int64(key), values: ["number": .integer(Int64(key))])
      author.values["name"] = random.pick(names).map { .string($0) }
      if random.chance(75) { author.values["nick"] = random.pick(names).map { .string($0) } }
      if random.chance(75) { author.values["born"] = .date(Double(random.number(0...18) - 9) * 1e6 + 0.5) }
      if random.chance(75) { author.values["rating"] = .integer(Int64(random.number(0...5))) }
      author.values["rank"] = .integer(Int64(random.number(1...9)))
      if random.chance(75) { author.values["ratio"] = .double(Double(random.number(0...90)) / 8) }
      if random.chance(75) { author.values["home.street"] = random.pick(names).map { .string($0) } }
      if random.chance(50) { author.values["home.zip"] = .integer(Int64(random.number(0...9999))) }
      if key % 2 == 0 {
        author.toOne["partner"] = id("Author", key - 1)
      } else if key < 12 {
        author.toOne["partnerOf"] = id("Author", key + 1)
      }
      if random.chance(50) { author.toOne["favourite"] = id("Book", random.number(1...20)) }
      let mine = drafts.filter { _ in random.chance(10) }
      drafts.removeAll { mine.contains($0) }
      author.toMany["drafts"] = mine.reversed().map { id("Book", $0) }
      made.append(author)
    }
    for key in 1...20 {
      var book = ManagedObject(
        "Book", Int64(key), values: ["number": .integer(Int64(100 + key)), "title": .string("Book \(key)")])
      if random.chance(75) {
        let owner = random.number(1...12)
        book.toOne["author"] = id("Author", owner)
        made[owner - 1].toMany["books", default: []].insert(id("Book", key), at: 0)
      }
      made.append(book)
    }
    for key in 1...5 {
      var club = ManagedObject("Club", Int64(key), values: ["number": .integer(Int64(200 + key))])
      club.values["name"] = .string(random.pick(["One", "Two", "Three"]) ?? "One")
      if random.chance(60) { club.values["town"] = random.pick(names).map { .string($0) } }
      club.toMany["members"] = (1...12).filter { _ in random.chance(30) }.reversed().map { id("Author", $0) }
      made.append(club)
    }
    return made
  }
}

import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Objects that stand in a store several times, and those that lead to them.
@Suite("Objects deduplicated") struct DeduplicationTests {
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

  private static let versions = [
    library(""), library("    uniquenessConstraints: [[name]]\n    versionHashModifier: \"2\""),
  ]

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
      Self.versions,
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
      Self.versions,
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
    let trial = try CustomTrial(Self.versions, mappings: [mapping])
    #expect {
      try trial.run(Self.authors())
    } throws: {
      refusalCodes($0) == ["MC3120", "MC3120"]
    }
    // Ann is there twice, and says the same.
    let same = objects("Author", ["name": .string("Ann")], ["name": .string("Ann")])
    #expect(try trial.run(same)["Author"].map(\.id.primaryKey) == [1])
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
}

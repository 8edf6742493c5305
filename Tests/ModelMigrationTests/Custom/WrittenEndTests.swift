import ManagedModel
import ModelMigration
import TestSupport
import Testing

@Suite("The two ends of a relationship in a mapping") struct WrittenEndTests {
  private static func version(_ more: String) -> String {
    """
    entities:
      Author:
        attributes: {name: string?}
        relationships:
          books: {toMany: Book, inverse: author}
          edits: {toMany: Book, inverse: editor}
          mentor: {to: Author, inverse: pupils}
          pupils: {toMany: Author, inverse: mentor}
      Book:
        attributes: {title: string?\(more)}
        relationships: {author: {to: Author, inverse: books}, editor: {to: Author, inverse: edits}}
    """
  }

  private func run(_ path: String, authorsFirst: Bool, byObjects: Bool) throws -> CustomTrial.Outcome {
    let author = "  AuthorToAuthor: {source: Author, destination: Author}\n"
    let book = """
        BookToBook:
          source: Book
          destination: Book
          relationships:
            author: destinationInstances("AuthorToAuthor", $source.\(path))

      """
    var trial = try CustomTrial(
      [Self.version(""), Self.version(", pages: integer32?")],
      mappings: ["entityMappings:\n" + (authorsFirst ? author + book : book + author)])
    trial.custom.usesObjectCopy = byObjects
    trial.options.acceptedLosses = [.droppedData]
    var written = ManagedObject("Book", 1)
    written.toOne = ["author": objectID("Author", 1), "editor": objectID("Author", 2)]
    var authors = objects("Author", [:], [:])
    authors[0].toOne["mentor"] = objectID("Author", 2)
    return try trial.run(authors + [written])
  }

  @Test(arguments: ["editor", "author.mentor"], [false, true])
  func `the one that nobody wrote follows the one that is written`(path: String, authorsFirst: Bool) throws {
    for byObjects in [false, true] {
      let outcome = try run(path, authorsFirst: authorsFirst, byObjects: byObjects)
      #expect(outcome.links("Book", "author") == ["1>2"])
      #expect(outcome.links("Author", "books") == ["1>", "2>1"])
      #expect(outcome.plan.losses.map { "\($0.code) \($0.count)" } == ["MC3111 1"])
    }
  }

  @Test(arguments: [false, true])
  func `whoever is looked up by the object itself is at the other end`(byObjects: Bool) throws {
    let mapping = """
      entityMappings:
        AuthorToAuthor:
          source: Author
          destination: Author
          relationships: {mentor: 'destinationInstances("AuthorToAuthor", $source)'}

      """
    var trial = try CustomTrial([Self.version(""), Self.version(", pages: integer32?")], mappings: [mapping])
    trial.custom.usesObjectCopy = byObjects
    trial.options.acceptedLosses = [.droppedData]
    var authors = objects("Author", [:], [:])
    authors[0].toOne["mentor"] = objectID("Author", 2)
    let outcome = try trial.run(authors)
    #expect(outcome.links("Author", "mentor") == ["1>1", "2>2"])
    #expect(outcome.links("Author", "pupils") == ["1>1", "2>2"])
    #expect(outcome.plan.losses.map { "\($0.code) \($0.count)" } == ["MC3111 1"])
  }

  /// The novel keeps its author, and author 1 edits what the mapping says, be it a star's.
  @Test(arguments: [false, true], [false, true])
  func `what is written of some kinds goes before what the others take over`(
    othersAreListed: Bool, byObjects: Bool
  ) throws {
    func version(_ more: String) -> String {
      Self.version(more) + """

          Novel: {parent: Book}
          Star: {parent: Author}
        """
    }
    let written = """
        AuthorToAuthor:
          source: Author
          destination: Author
          relationships: {edits: 'destinationInstances("NovelToNovel", $source.books)'}
        BookToBook:
          source: Book
          destination: Book
          relationships: {author: 'destinationInstances("AuthorToAuthor", $source.editor)'}

      """
    let others = ["Novel", "Star"].map { "  \($0)To\($0): {source: \($0), destination: \($0)}\n" }.joined()
    var trial = try CustomTrial(
      [version(""), version(", pages: integer32?")],
      mappings: ["entityMappings:\n" + written + (othersAreListed ? others : "")])
    trial.custom.usesObjectCopy = byObjects
    trial.options.acceptedLosses = [.droppedData]
    var (book, novel) = (ManagedObject("Book", 1), ManagedObject("Novel", 2))
    book.toOne = ["author": objectID("Author", 1), "editor": objectID("Author", 2)]
    novel.toOne = ["author": objectID("Author", 1), "editor": objectID("Star", 3)]
    let outcome = try trial.run(
      objects("Author", [:], [:]) + [ManagedObject("Star", 3), book, novel])
    #expect(outcome.links("Book", "author") == ["1>2"])
    #expect(outcome.links("Novel", "author") == ["2>1"])
    #expect(outcome.links("Author", "books") == ["1>2", "2>1"])
    #expect(outcome.links("Novel", "editor") == ["2>1"])
    #expect(outcome.links("Star", "edits") == ["3>"])
  }

  @Test(arguments: [false, true], [false, true])
  func `links that the source has are kept from both ends`(authorsFirst: Bool, byObjects: Bool) throws {
    let outcome = try run("author", authorsFirst: authorsFirst, byObjects: byObjects)
    #expect(outcome.links("Author", "books") == ["1>1", "2>"] && outcome.plan.losses.isEmpty)
  }
}

/// Rules that objects break which come as they are: nothing has to be tried for it.
@Suite("Rows that a custom step leaves as they are") struct UntouchedRuleTests {
  private static let old = """
    entities:
      Hut: {attributes: {name: string?}}
      Lodge: {parent: Hut}
      Man: {attributes: {nick: string?}}
    """

  private func codes(_ new: String, _ more: String = "") throws -> [String] {
    let mapping = """
      entityMappings:
        ManToMan: {source: Man, destination: Man, attributes: {nick: 'uppercase:($source.nick)'}}
      \(more)
      """
    let trial = try CustomTrial(
      [Self.old, Self.old.replacing("Hut: {", with: "Hut: {\(new), ")], mappings: [mapping])
    return try withTemporaryFolder { folder in
      let store = try trial.store(objects("Hut", ["name": .string("a")], ["name": .string("a")]), in: folder)
      return try trial.plan(store).diagnostics.filter { $0.severity == .error }.map(\.code.description)
    }
  }

  /// Their rows are in a table of which others are recreated: all orders go, or each becomes a link.
  @Test(arguments: ["drop: true", "destination: Link"], [false, true])
  func `references to objects that do not go on are empty`(_ becomes: String, byObjects: Bool) throws {
    let old = """
      entities:
        Link: {attributes: {size: integer32?, zeta: string?}}
        Order: {parent: Link, relationships: {men: {toMany: Man, inverse: order}}}
        Man: {attributes: {nick: string?}, relationships: {order: {to: Order, inverse: men}}}
      """
    let mapping = """
      entityMappings:
        LinkToLink: {source: Link, destination: Link, attributes: {size: 'coalesce($source.size, 7)'}}
        OrderPart: {source: Order, \(becomes)}
      """
    var trial = try CustomTrial([old, old.replacing(", zeta: string?", with: "")], mappings: [mapping])
    trial.custom.usesObjectCopy = byObjects
    trial.options.acceptedLosses = [.droppedData]
    var men = objects("Man", [:], [:])
    men[0].toOne["order"] = objectID("Order", 2)
    let outcome = try trial.run(men + [ManagedObject("Link", 1), ManagedObject("Order", 2)])
    #expect(outcome.links("Man", "order") == ["1>", "2>"])
  }

  @Test func `duplicates under a new constraint are refused by the plan`() throws {
    #expect(try codes("uniquenessConstraints: [[name]]") == ["MC3105"])
    let filtered = "  HutToHut: {source: Hut, destination: Hut, where: name != \"a\"}"
    #expect(try codes("uniquenessConstraints: [[name]]", filtered) == [])
  }

  @Test func `objects of an entity that is abstract now are refused by the plan`() throws {
    #expect(try codes("abstract: true") == ["MC3110"])
  }

  /// What man 2 has goes with him.
  @Test(arguments: [
    ("abstract: true", [1, 2], ["MC3110"]), ("abstract: true", [2, 2], []),
    ("uniquenessConstraints: [[name]]", [1, 1], ["MC3105"]), ("uniquenessConstraints: [[name]]", [1, 2], []),
  ])
  func `objects that go with a cascade are not refused, those that stay are`(
    rule: String, men: [Int], codes: [String]
  ) throws {
    let old = """
      entities:
        Hut: {attributes: {name: string?}, relationships: {man: {to: Man, inverse: huts}}}
        Lodge: {parent: Hut}
        Man: {attributes: {nick: string?}, relationships: {huts: {toMany: Hut, inverse: man}}}
      """
    let mapping = "  ManToMan: {source: Man, destination: Man, where: nick != \"a\", onDrop: cascade}"
    let trial = try CustomTrial(
      [old, old.replacing("Hut: {attributes", with: "Hut: {\(rule), attributes")],
      mappings: ["entityMappings:\n" + mapping])
    var all = objects("Hut", ["name": .string("h")], ["name": .string("h")])
    for index in all.indices { all[index].toOne["man"] = objectID("Man", Int64(men[index])) }
    all += objects("Man", ["nick": .string("b")], ["nick": .string("a")])
    try withTemporaryFolder { folder in
      let found = try trial.plan(trial.store(all, in: folder)).diagnostics
      #expect(found.filter { $0.severity == .error }.map(\.code.description) == codes)
    }
  }
}

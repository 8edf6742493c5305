import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelArchives

@Suite("Archived predicates and expressions") struct ArchivedExpressionTests {
  private typealias Expression = ManagedModel.Expression
  private typealias Predicate = ManagedModel.Predicate

  private func archive(_ predicate: Predicate) -> Data {
    var builder = KeyedArchiveBuilder()
    guard case .reference(let root) = builder.archived(predicate) else { return Data() }
    return builder.data(root: root)
  }

  private func read(_ data: Data) throws -> Predicate {
    let root = try #require(KeyedArchive(data).root)
    return try ExpressionUnarchiver(WorkBudget(1_000_000)).predicate(root)
  }

  /// `expressions.md` §4, and what it leaves out.
  @Test(arguments: [
    "age == 32", "age <= 30", "carsOwnedCount != 2 AND carsOwnedCount != nil", "age BETWEEN {23, 28}",
    "age IN {1, 2}", "NOT age == 24", "mayor.age > 30", "ANY residents.age <= 20",
    "SUBQUERY(residents, $x, $x.age >= 36).@count == 0", "ALL residents.age < 25",
    "SELF IN {\"a\"}", "visitors CONTAINS $x", "alpha3Code ==[n] \"ZAF\"", "alpha3Code BEGINSWITH[n] \"Z\"",
    "name ENDSWITH[cd] \"é\"", "alpha3Code LIKE[n] \"?A?\"", "alpha3Code MATCHES[n] \"[AB][FLH](.)\"",
    "markedForDeletionDate == nil", "hidden == TRUE", "TRUEPREDICATE", "FALSEPREDICATE", "songs.@count == 0",
    "songs.@sum.length > 1.5", "a + b * 2 == c ** 2", "TERNARY(a == 1, b, c) == 2",
    "items[FIRST].name == \"x\"",
    "items[0] == items[LAST]", "CAST(seconds, \"NSDate\") > now()", "uppercase:(name) == \"A\"",
    "(a UNION b) == {}", "FUNCTION($manager, \"value:\", a) == 1",
    "$FETCH_SOURCE.alias == authorAlias", "ANYKEY == 3", "uti UTI-EQUALS \"a\"",
    "x == 12345678901234567890.5",
    "(a == 1 OR b == 2) AND (c == 3)", "FETCH($r, $c, YES) == 1",
  ])
  func `of every kind come back as the same text`(_ text: String) throws {
    let predicate = try parsePredicate(text)
    #expect(try read(archive(predicate)).predicateFormat == predicate.predicateFormat)
  }

  /// What `NSPredicate` has no form of its own for comes back in the form that means the same.
  @Test(arguments: [
    ("NONE x == 1", "NOT ANY x == 1"), ("-x == 1", "0 - x == 1"), ("add:to:(a, 1) == 2", "a + 1 == 2"),
    ("x == 1.10", "x == 1.1"), ("castObject:toType:(x, \"NSDate\") == y", "CAST(x, \"NSDate\") == y"),
  ])
  func `without a form of their own mean the same`(_ text: String, _ meaning: String) throws {
    #expect(try read(archive(parsePredicate(text))) == parsePredicate(meaning))
  }

  /// Whatever the tree: reading it and archiving it anew gives the same bytes, so nothing was lost on the way.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `of random trees lose nothing`(_ seed: UInt64) throws {
    var random = RandomSyntax(seed: seed)
    let predicate = random.predicate(4)
    let archived = archive(predicate)
    let back = try read(archived)
    #expect(archive(back) == archived, "\(predicate)")
    #expect(try read(archive(back)) == back)
  }

  @Test func `a model keeps the spelling of its source`() throws {
    var model = ManagedObjectModel(entities: [EntityDescription(name: "E")])
    let texts = ["x=1 and  y='a'", "NONE x.y == 1", "x == 1.10", "no predicate at all (", "x == 1"]
    for (number, text) in texts.enumerated() {
      model.fetchRequestTemplates.append(
        FetchRequestDescription(name: "r\(number)", entityName: "E", predicate: text))
      model.entities[0].fetchIndexes.append(
        FetchIndexDescription(name: "i\(number)", elements: [], partialIndexPredicate: text))
    }
    let rules =
      texts.map { ValidationPredicate(predicate: $0, warning: "w") }
      + [ValidationPredicate(predicate: "SELF > 3", warning: "1550")]
      + [ValidationPredicate(predicate: "SELF >= 3", warning: "1620")]
    model.entities[0].attributes = [
      AttributeDescription(name: "a", type: .integer16, validation: AttributeValidation(predicates: rules))
    ]
    let archive = model.keyedArchive()
    #expect(try archive.unarchiveModel(file: "m") == model)
    #expect(try model.encodedCache().decodeModelCache() == model)
  }

  @Test func `an object of an unknown class is kept and goes back out as it came in`() throws {
    var builder = KeyedArchiveBuilder()
    let own = "AppPredicate"
    guard case .reference(let root) = builder.object(own, [.init("secret", builder.string("s"))]) else {
      return
    }
    let foreign = builder.data(root: root)
    let predicate = try read(foreign)
    #expect(predicate.predicateFormat.hasPrefix("FUNCTION(\"NSKeyedUnarchiver\", "))
    // As text and back, as it goes through a YAML file.
    let parsed = try parsePredicate(predicate.predicateFormat)
    let back = try #require(KeyedArchive(archive(parsed)).root)
    #expect(back.className == "AppPredicate")
    #expect(back.string("secret") == "s")
  }

  @Test func `a value of an unknown class within a predicate is kept too`() throws {
    var builder = KeyedArchiveBuilder()
    let own = "AppValue"
    let constant = builder.constantExpression(builder.object(own, [.init("n", .integer(7))]))
    let comparison = ComparisonPredicate(.evaluatedObject, .equalTo, .evaluatedObject)
    let left = builder.archived(Expression.keyPath("x"))
    guard case .reference(let root) = builder.comparison(left, constant, as: comparison) else { return }
    let data = builder.data(root: root)
    let back = try read(data)
    let again = try #require(KeyedArchive(archive(parsePredicate(back.predicateFormat))).root)
    let value = again.object("NSRightExpression")?.object("NSConstantValue")
    #expect(value?.className == "AppValue")
    #expect(value?.integer("n") == 7)
  }

  @Test func `a predicate within itself is refused`() throws {
    var builder = KeyedArchiveBuilder()
    let place = builder.reserve()
    let list = builder.collection("NSArray", [.reference(place)])
    builder.fill(
      place, as: "NSCompoundPredicate",
      [.init("NSCompoundPredicateType", .integer(0)), .init("NSSubpredicates", list)])
    let data = builder.data(root: place)
    #expect(throws: ArchiveFlaw.self) { try read(data) }
  }

  /// Each level twice the one below: unfolded, it would have 2^60 parts.
  @Test func `a predicate that doubles at every level is refused in time`() throws {
    var builder = KeyedArchiveBuilder()
    var part = builder.archived(Predicate.constant(true))
    for _ in 0..<60 {
      let list = builder.collection("NSArray", [part, part])
      part = builder.object(
        "NSCompoundPredicate",
        [.init("NSCompoundPredicateType", .integer(1)), .init("NSSubpredicates", list)])
    }
    guard case .reference(let root) = part else { return }
    let data = builder.data(root: root)
    #expect(throws: ArchiveFlaw.self) { try read(data) }
  }
}

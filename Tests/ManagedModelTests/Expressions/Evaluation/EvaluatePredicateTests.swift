import Foundation
import ManagedModel
import TestSupport
import Testing

/// A predicate over the objects of ``Town``, and the keys of those that satisfy it in memory.
struct ConditionCase: Sendable, CustomTestStringConvertible {
  var entity: String
  var predicate: String
  var keys: [Int64]

  var testDescription: String { predicate }

  init(_ entity: String, _ predicate: String, _ keys: Int64...) {
    self.entity = entity
    self.predicate = predicate
    self.keys = keys
  }
}

/// The seed corpus.
private let seeds: [ConditionCase] = [
  ConditionCase("Person", "age == 32", 1), ConditionCase("Person", "age <= 30", 2, 3),
  ConditionCase("Person", "carsOwnedCount != 2 AND carsOwnedCount != nil", 3),
  ConditionCase("Person", "age BETWEEN {23, 28}", 3), ConditionCase("Person", "age IN {20, 50}", 2, 4),
  ConditionCase("Person", "NOT age == 24", 1, 2, 4), ConditionCase("City", "mayor.age > 30", 1),
  ConditionCase("City", "ANY residents.age <= 20", 1),
  ConditionCase("City", "(SUBQUERY(residents, $x, $x.age >= 36).@count == 0)", 1, 2),
  ConditionCase("City", "SUBQUERY(residents,$x,$x.age < 36).@count == residents.@count", 1, 2),
  ConditionCase("City", "SUBQUERY(residents,$x,$x.age < 25 AND $x.carsOwnedCount == 2).@count != 0"),
  ConditionCase("City", "ANY residents.age < 25 AND ANY residents.carsOwnedCount == 2", 1),
  ConditionCase("Person", "self IN {$one}", 1),
  ConditionCase("City", "visitors CONTAINS $one AND visitors.@count >= 2", 1),
  ConditionCase("City", "alpha3Code ==[n] 'ZAF'", 1),
  ConditionCase("City", "alpha3Code BEGINSWITH[n] 'ZA'", 1),
  ConditionCase("City", "alpha3Code ENDSWITH[n] 'AF'", 1),
  ConditionCase("City", "alpha3Code CONTAINS[n] 'A'", 1),
  ConditionCase("City", "alpha3Code LIKE[n] '?A?'", 1),
  ConditionCase("City", "alpha3Code MATCHES[n] '[XYZ][ABC](.)'", 1),
  ConditionCase("City", "alpha3Code IN[n] {'ZAF'}", 1), ConditionCase("City", "name BEGINSWITH[cd] 'zur'", 2),
  ConditionCase("City", "founded == NULL", 2), ConditionCase("City", "hidden", 1),
  ConditionCase("City", "TRUEPREDICATE", 1, 2),
  ConditionCase("City", "name contains[dc] $search", 2),
  ConditionCase("Person", "name >= $prefix and name < $next", 1),
  ConditionCase("City", "residents.@count == 0", 2),
  ConditionCase("City", "SUBQUERY(residents, $s, $s.age > 30).@count > 0", 1),
  ConditionCase("City", "sum:(residents.age) == 76", 1),
]

private let traps: [ConditionCase] = [
  // Nil is not 2, in memory; and every other comparison with it is false.
  ConditionCase("Person", "carsOwnedCount != 2", 2, 3, 4),
  ConditionCase("Person", "carsOwnedCount < 5", 1, 3),
  ConditionCase("Person", "NOT carsOwnedCount < 5", 2, 4),
  ConditionCase("Person", "carsOwnedCount == nil", 2, 4),
  ConditionCase("Person", "carsOwnedCount == carsOwnedCount", 1, 2, 3, 4),
  ConditionCase("Person", "name CONTAINS nil"), ConditionCase("Person", "carsOwnedCount BETWEEN {nil, 3}"),
  ConditionCase("Person", "carsOwnedCount IN {nil, 7}", 2, 4), ConditionCase("City", "hidden == TRUE", 1),
  ConditionCase("City", "hidden == FALSE", 2), ConditionCase("City", "hidden == 1", 1),
  ConditionCase("City", "NOT hidden", 2),
  // Aggregates over none.
  ConditionCase("City", "residents.@sum.age == 0", 2), ConditionCase("City", "residents.@max.age == nil", 2),
  ConditionCase("City", "residents.@avg.age == nil", 2), ConditionCase("City", "ALL residents.age > 100", 2),
  ConditionCase("City", "ALL residents.age > 10", 1, 2),
  ConditionCase("City", "NONE residents.age > 100", 1, 2),
  ConditionCase("City", "ANY residents.age > 10", 1), ConditionCase("City", "NOT ANY residents.age > 10", 2),
  ConditionCase("City", "ANY residents.carsOwnedCount == nil", 1),
  ConditionCase("City", "ALL residents.carsOwnedCount > 0", 2),
  ConditionCase("City", "ANY visitors.visited.name == 'Kapstadt'", 1),
  ConditionCase("City", "ANY mayor.age == 32", 1),
  ConditionCase("City", "ALL mayor.age == 1", 2), ConditionCase("City", "NONE mayor.age == 1", 1, 2),
  // Numbers of other types; decimals by their digits.
  ConditionCase("City", "budget == 10.11", 1), ConditionCase("City", "budget > 10.109999999999999", 1),
  ConditionCase("City", "area == 2.5", 1), ConditionCase("City", "area > 2 AND area < 3", 1),
  // Strings by their bytes: the same letter composed otherwise is another one, and capitals come first.
  ConditionCase("City", "name == 'Zu\\u0308rich'"), ConditionCase("City", "name ==[d] 'Zurich'", 2),
  ConditionCase("Person", "name < 'B'", 1), ConditionCase("Person", "name <[cd] 'B'", 1, 2),
  ConditionCase("Person", "name ==[cd] 'ANN'", 1, 2), ConditionCase("Person", "name IN[c] {'bo'}", 4),
  ConditionCase("Person", "name BETWEEN[c] {'a', 'az'}", 1),
  ConditionCase("City", "name LIKE '*sta*'", 1), ConditionCase("City", "name LIKE 'k*'"),
  ConditionCase("City", "name LIKE[c] 'k*t'", 1),
  ConditionCase("City", "name LIKE 'Z\\\\?rich'"), ConditionCase("City", "name MATCHES 'stadt'"),
  ConditionCase("City", "name MATCHES[c] '.*STADT'", 1),
  ConditionCase("City", "name MATCHES[d] 'Zurich'", 2), ConditionCase("City", "'stadt' IN name", 1),
  ConditionCase("City", "name BEGINSWITH ''", 1, 2),
  ConditionCase("City", "id == '6ba7b810-9dad-11d1-80b4-00c04fd430c8'", 1),
  ConditionCase("City", "site BEGINSWITH 'https'", 1),
  ConditionCase("City", "site UTI-EQUALS 'HTTPS://example.org/a/b.html?q=1'", 1),
  ConditionCase("City", "founded > CAST(0, 'NSDate')", 1), ConditionCase("City", "founded < now()"),
  // Values of different kinds are not equal; objects by identity.
  ConditionCase("Person", "age == 'x'"), ConditionCase("Person", "home == governs", 1, 4),
  ConditionCase("Person", "home.mayor == SELF", 1),
  ConditionCase("Person", "SELF IN home.residents", 1, 2, 3), ConditionCase("City", "residents == {}", 2),
]

@Suite struct `Predicates in memory` {
  @Test(arguments: seeds + traps)
  func `A predicate holds for the objects that it is about`(_ condition: ConditionCase) throws {
    let graph = Town.graph()
    let predicate = try parsePredicate(condition.predicate)
    let variables: [String: ExpressionValue] = [
      "one": graph.value("Person", 1), "search": .string("ZUR"), "prefix": .string("A"), "next": .string("B"),
    ]
    let context = Town.context(variables)
    let candidates = Town.objects.filter { $0.id.entityName == condition.entity }.map(\.id.primaryKey)
    let found = try candidates.filter { key in
      try evaluate(predicate, on: graph.value(condition.entity, key), in: context)
    }
    #expect(found == condition.keys)
  }

  @Test(arguments: [
    "age > 'x'", "home > 1", "name > 1", "age CONTAINS 1", "age LIKE 'x'", "age BETWEEN 3 + 4",
    "name <[l] 'x'", "visited > 1",
    "visited.name > 'a'", "name UTI-CONFORMS-TO 'public.text'", "name MATCHES '('", "age > now()",
    "nothing == 1",
  ])
  func `What has no answer is an error`(_ text: String) throws {
    let graph = Town.graph()
    let predicate = try parsePredicate(text)
    let error = #expect(throws: EvaluationError.self) {
      try evaluate(predicate, on: graph.value("Person", 1), in: Town.context())
    }
    #expect(error?.expression != nil)
  }

  @Test func `A regular expression that never ends is stopped, LIKE needs no steps back`() throws {
    let text = String(repeating: "a", count: 60)
    let context = Town.context()
    let pattern = try parsePredicate("SELF MATCHES '(a+)+b'")
    let error = #expect(throws: EvaluationError.self) {
      try evaluate(pattern, on: .string(text), in: context)
    }
    #expect(error?.message.contains("too many steps") == true)
    let like = try parsePredicate("SELF LIKE '\(String(repeating: "*a", count: 40))*b'")
    #expect(try !evaluate(like, on: .string(text), in: context))
  }
}

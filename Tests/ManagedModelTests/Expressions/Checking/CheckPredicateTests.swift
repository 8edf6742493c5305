import ManagedModel
import Testing

@Suite("Predicates against an entity")
struct CheckPredicateTests {
  @Test(arguments: [
    "name BEGINSWITH[cd] 'A' AND area > 2.5", "mayor.age > 30", "ANY residents.age <= 20",
    "residents.@count >= 3 AND residents.@avg.age < 40", "SUBQUERY(residents, $x, $x.age >= 36).@count == 0",
    "SUBQUERY(residents, $x, SUBQUERY($x.friends, $y, $y.age == $x.age).@count > 0).@count > 0",
    "residents CONTAINS $person", "$person IN residents", "self IN {$a, $b}", "mayor == $mayor",
    "mayor == nil",
    "isCapital", "isCapital == 1", "founded < CAST(0, 'NSDate')", "founded BETWEEN {$from, now()}",
    "code == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", "palette == $palette", "position.latitude > 0",
    "name IN {'A', 'B'}", "'A' IN name", "name CONTAINS 'A'", "photo == nil", "residentCount > 3",
    "length:(name) > 3", "objectID == $id", "country.name != 'X'", "ANY residents.name != 'A'",
    "area + 2 * residents.@count > TERNARY(isCapital, 1, 2)", "uppercase:(name) LIKE '?A*'",
  ])
  func `what Core Data can fetch has no findings`(_ text: String) throws {
    #expect(try check(text).isEmpty)
  }

  @Test(arguments: [
    ("nmae == 'A'", "MC1601", "'City' has no key 'nmae'"),
    ("mayor.aeg == 3", "MC1601", "'Person' has no key 'aeg' (in 'mayor.aeg')"),
    ("depth > 3", "MC1601", "'City' has no key 'depth'"),
    (
      "position.lattitude > 3", "MC1601",
      "composite 'Coordinate' has no key 'lattitude' (in 'position.lattitude')"
    ),
    ("name.length > 3", "MC1601", "a string has no key 'length' in a store (in 'name.length')"),
    (
      "SUBQUERY(residents, $x, $x.area > 1).@count > 0", "MC1601", "'Person' has no key 'area' (in '$x.area')"
    ),
    ("residents.age > 3", "MC1602", "'residents.age' is a to-many key path where one value is expected"),
    ("residents == nil", "MC1602", "'residents' is a to-many key path where one value is expected"),
    ("$p == residents", "MC1602", "'residents' is a to-many key path where one value is expected"),
    (
      "label == 'A'", "MC1603",
      "the transient attribute 'City.label' has no column, so a store cannot search it"
    ),
    (
      "adults.@count > 1", "MC1603",
      "the fetched property 'City.adults' has no column, so a store cannot search it"
    ),
    (
      "guests.@count > 1", "MC1603",
      "the transient relationship 'City.guests' has no column, so a store cannot search it"
    ),
    ("name > 3", "MC1605", "'>' cannot compare a string with a number"),
    ("area LIKE 'a'", "MC1605", "'LIKE' cannot compare a number with a string"),
    ("name", "MC1605", "'==' cannot compare a string with a Boolean"),
    ("founded > 3", "MC1605", "'>' cannot compare a date with a number"),
    ("name IN {1, 2}", "MC1605", "'IN' cannot compare a string with a collection, each a number"),
    ("area IN area", "MC1605", "'IN' cannot compare a number with a number"),
    ("mayor > mayor", "MC1605", "'>' cannot compare an object of 'Person' with an object of 'Person'"),
    ("ANY residents.age == 'x'", "MC1605", "'==' cannot compare a number with a string"),
    ("residents.@sum.name > 3", "MC1605", "'@sum' cannot take a string (in 'residents.@sum.name')"),
    ("mayor.@count > 3", "MC1605", "'@count' needs a to-many relationship before it (in 'mayor.@count')"),
    ("name + 1 > 3", "MC1605", "'+' takes numbers, found a string"),
    (
      "photo == $data", "MC1606",
      "'City.photo' may be stored outside the store's file, where predicates cannot see it"
    ),
  ])
  func `what it cannot is refused once`(_ text: String, _ code: String, _ message: String) throws {
    let found = try check(text)
    #expect(found.map(\.code.description) == [code])
    #expect(found.first?.message == message)
    #expect(found.first?.severity == .error)
  }

  @Test(arguments: ["founded > 3", "founded > '2024-05-01'"])
  func `what is compared with a date has a help that says how dates are written`(_ text: String) throws {
    #expect(try check(text).first?.help.first?.contains("CAST(seconds") == true)
  }

  @Test func `a misspelt key has the nearest, a sub-entity's key its owner`() throws {
    #expect(try check("nmae == 'A'").first?.help == ["did you mean 'name'?"])
    #expect(try check("depth > 3").first?.notes == ["its sub-entity 'Port' has that key"])
    #expect(try check("age > 1", entity: "Persn").first?.help == ["did you mean 'Person'?"])
    #expect(try check("residents == nil").first?.help == ["ask how many there are: 'residents.@count == 0'"])
    #expect(try check("residents.age > 3").first?.help == ["ask for any of them: 'ANY residents.age > 3'"])
  }

  @Test(arguments: [
    ("carsOwnedCount != 2", true), ("home.area != 2", true), ("2 != carsOwnedCount", true),
    ("age != 2", false), ("carsOwnedCount != nil", false), ("carsOwnedCount == 2", false),
    ("carsOwnedCount != 2 OR carsOwnedCount == nil", false),
    ("carsOwnedCount != 2 AND carsOwnedCount != nil", false),
    ("SUBQUERY(friends, $f, $f.carsOwnedCount != 2).@count > 0", true),
    ("NOT carsOwnedCount == 2", true), ("NOT (age == 1 OR carsOwnedCount > 2)", true),
    ("NOT carsOwnedCount IN {1, 2}", true), ("NOT carsOwnedCount != 2", false),
    ("NOT (carsOwnedCount == 2 AND carsOwnedCount != nil)", false), ("NOT carsOwnedCount == nil", false),
    ("NOT (NOT carsOwnedCount == 2)", false),
  ])
  func `not-equal on an optional attribute warns, unless nil is thought of`(
    _ text: String, _ warns: Bool
  ) throws {
    let found = try check(text, entity: "Person")
    #expect(found.map(\.code.description) == (warns ? ["MC1604"] : []))
    #expect(found.allSatisfy { $0.severity == .warning && $0.help.count == 2 })
  }

  @Test func `in memory, key-value coding reaches what SQL does not`() throws {
    for text in [
      "name.length > 3", "label == 'A'", "adults.@count > 1", "photo == $data", "residents.age == {1}",
    ] {
      #expect(try check(text, mode: .memory).isEmpty, "\(text)")
    }
    #expect(try check("nmae == 'A'", mode: .memory).map(\.code.description) == ["MC1601"])
  }

  @Test(arguments: [
    ("$source.name", ExpressionType.string), ("$source.mayor", .object(entityName: "Person")),
    ("$source.residents.friends.age", .collection(.number)), ("$source.residents.@max.age", .number),
    ("$source.position", .composite(name: "Coordinate")), ("$source.position.latitude", .number),
    ("$source.country.cities.@distinctUnionOfSets.residents", .collection(.object(entityName: "Person"))),
    ("TERNARY($source.isCapital, $source.area, nil)", .number), ("coalesce($source.founded, now())", .date),
    ("TERNARY($source.isCapital, 1, 'a')", .unknown), ("CAST(1, 'NSDate')", .date),
    ("uppercase:($source.name)", .string), ("$other.name", .unknown), ("SELF", .object(entityName: "City")),
    ("SUBQUERY($source.residents, $x, $x.age > 3)", .collection(.object(entityName: "Person"))),
    ("$source.residents[FIRST].age", .number), ("{1, 2}", .collection(.number)),
    ("FUNCTION($p, 'f:', $source.name)", .unknown),
  ])
  func `an expression has the type of its value`(_ text: String, _ type: ExpressionType) throws {
    let checked = checkExpression(
      try parseExpression(text), forEntity: "City", in: EntityHierarchy(sampleModel),
      variables: ["source": "City"])
    #expect(checked.type == type)
    #expect(checked.diagnostics.isEmpty)
  }

  @Test func `findings carry the subject and the place`() throws {
    let location = SourceLocation(line: 3, column: 4)
    let place = SourceRange(file: "V1.yaml", start: location, end: location)
    let subject = ModelSubject(entity: "City", property: "adults")
    let found = checkPredicate(
      try parsePredicate("nmae == 'A'"), forEntity: "City", in: EntityHierarchy(sampleModel),
      subject: subject,
      at: place)
    #expect(found.map(\.place) == [place])
    #expect(found.map(\.subject) == [subject])
  }

  private func check(
    _ text: String, entity: String = "City", mode: EvaluationMode = .store
  ) throws -> [Diagnostic] {
    checkPredicate(
      try parsePredicate(text), forEntity: entity, in: EntityHierarchy(sampleModel), mode: mode)
  }
}

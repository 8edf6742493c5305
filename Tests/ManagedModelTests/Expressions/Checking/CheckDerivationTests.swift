import ManagedModel
import Testing

@Suite("Derivations")
struct CheckDerivationTests {
  @Test(arguments: [
    ("name", AttributeType.string), ("country.name", .string), ("canonical:(name)", .string),
    ("uppercase:(country.name)", .string), ("lowercase:(name)", .string), ("residents.@count", .integer64),
    ("residents.@sum.age", .integer32), ("residents.age.@sum", .double),
    ("country.cities.@count", .integer16),
    ("now()", .date), ("count:(residents)", .integer64), ("sum:(residents.age)", .integer64),
    ("area", .integer16),
  ])
  func `the forms that a SQL store takes are accepted`(_ text: String, _ type: AttributeType) throws {
    #expect(try check(text, type).isEmpty)
  }

  @Test(arguments: [
    "residents", "residents.age", "name.@count", "mayor.@count", "residents.@avg.age", "residents.@max.age",
    "area + 1", "'x'", "length:(name)", "canonical:('x')", "SUBQUERY(residents, $x, $x.age > 1).@count",
    "residents.friends.@count", "concat(name, label)", "$x", "SELF.name", "name.length", "mayor",
    "sum:(residents)", "FUNCTION(name, 'uppercaseString')",
  ])
  func `every other form is refused`(_ text: String) throws {
    let found = try check(text, .integer64)
    #expect(found.map(\.code.description) == ["MC1211"])
    #expect(found.first?.help.isEmpty == false)
  }

  @Test(arguments: [
    ("nmae", AttributeType.string, "'d' is derived from 'nmae', which 'City' does not have"),
    ("country.nmae", .string, "'d' is derived from 'nmae', which 'Country' does not have"),
    ("resident.@count", .integer64, "'d' is derived from 'resident', which 'City' does not have"),
    ("label", .string, "'d' is derived from 'label', which is transient"),
    ("guests.@count", .integer64, "'d' is derived from 'guests', which is transient"),
    ("residentCount", .integer64, "'d' is derived from 'residentCount', which is itself derived"),
    ("name", .integer64, "'d' is integer64, but 'name' is string"),
    ("canonical:(area)", .string, "'d' is string, but 'canonical:' takes a string; 'area' is double"),
    ("canonical:(name)", .date, "'d' is date, but 'canonical:' gives a string"),
    ("residents.@count", .string, "'d' is string, but '@count' gives a number"),
    ("residents.@sum.name", .integer64, "'d' is integer64, but '@sum' takes numbers, and 'name' is string"),
    ("now()", .double, "'d' is double, but 'now()' gives a date"),
  ])
  func `a source that is missing, not stored or of another type is refused`(
    _ text: String, _ type: AttributeType, _ message: String
  ) throws {
    let found = try check(text, type)
    #expect(found.map(\.code.description) == ["MC1212"])
    #expect(found.first?.message == message)
    #expect(found.first?.subject == ModelSubject(entity: "City", property: "d", key: "derivation"))
  }

  private func check(_ text: String, _ type: AttributeType) throws -> [Diagnostic] {
    checkDerivation(
      try parseExpression(text),
      of: AttributeDescription(name: "d", type: type, isOptional: true, derivationExpression: text),
      inEntity: "City", in: EntityHierarchy(sampleModel))
  }
}

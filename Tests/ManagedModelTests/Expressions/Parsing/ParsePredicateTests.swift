import ManagedModel
import Testing

@Suite("Reading predicates")
struct ParsePredicateTests {
  @Test(arguments: [
    ("age == 32", "age == 32"),
    ("age = 32", "age == 32"),
    ("age <= 30", "age <= 30"),
    ("age =< 30 or age => 40", "age <= 30 OR age >= 40"),
    ("carsOwnedCount != 2 AND carsOwnedCount != nil", "carsOwnedCount != 2 AND carsOwnedCount != nil"),
    ("carsOwnedCount <> 2 && carsOwnedCount <> NULL", "carsOwnedCount != 2 AND carsOwnedCount != nil"),
    ("age BETWEEN {23, 28}", "age BETWEEN {23, 28}"),
    ("1 between { low , low + 2 }", "1 BETWEEN {low, low + 2}"),
    ("$INPUT BETWEEN { $LOWER, $UPPER }", "$INPUT BETWEEN {$LOWER, $UPPER}"),
    ("age IN {19, 20, 21}", "age IN {19, 20, 21}"),
    ("NOT age == 24", "NOT age == 24"),
    ("! age == 24", "NOT age == 24"),
    ("mayor.age > 30", "mayor.age > 30"),
    ("ANY residents.age <= 20", "ANY residents.age <= 20"),
    ("some residents.age <= 20", "ANY residents.age <= 20"),
    ("ALL residents.age <= 20", "ALL residents.age <= 20"),
    ("NONE residents.age <= 20", "NONE residents.age <= 20"),
    ("NOT ANY residents.age <= 20", "NOT ANY residents.age <= 20"),
    (
      "(SUBQUERY(residents, $x, $x.age >= 36).@count == 0)",
      "SUBQUERY(residents, $x, $x.age >= 36).@count == 0"
    ),
    (
      "SUBQUERY(residents,$x,$x.age < 36).@count == residents.@count",
      "SUBQUERY(residents, $x, $x.age < 36).@count == residents.@count"
    ),
    (
      "SUBQUERY(residents,$x,$x.age < 25 AND $x.carsOwnedCount == 2).@count != 0",
      "SUBQUERY(residents, $x, $x.age < 25 AND $x.carsOwnedCount == 2).@count != 0"
    ),
    (
      "ANY residents.age < 25 AND ANY residents.carsOwnedCount == 2",
      "ANY residents.age < 25 AND ANY residents.carsOwnedCount == 2"
    ),
    ("self IN {$a, $b}", "SELF IN {$a, $b}"),
    (
      "visitors CONTAINS $person AND visitors.@count >= 3",
      "visitors CONTAINS $person AND visitors.@count >= 3"
    ),
    ("alpha3Code ==[n] \"ZAF\"", "alpha3Code ==[n] \"ZAF\""),
    ("alpha3Code BEGINSWITH[n] 'Z'", "alpha3Code BEGINSWITH[n] \"Z\""),
    ("alpha3Code ENDSWITH[n] 'F'", "alpha3Code ENDSWITH[n] \"F\""),
    ("alpha3Code CONTAINS[n] 'A'", "alpha3Code CONTAINS[n] \"A\""),
    ("alpha3Code LIKE[n] \"?A?\"", "alpha3Code LIKE[n] \"?A?\""),
    ("alpha3Code MATCHES[n] \"[AB][FLH](.)\"", "alpha3Code MATCHES[n] \"[AB][FLH](.)\""),
    ("alpha3Code IN[n] {'ZAF', 'AFG'}", "alpha3Code IN[n] {\"ZAF\", \"AFG\"}"),
    ("name BEGINSWITH [ DC ] 'a'", "name BEGINSWITH[cd] \"a\""),
    ("title contains[dc] $searchValue", "title CONTAINS[cd] $searchValue"),
    ("markedForDeletionDate == NULL", "markedForDeletionDate == nil"),
    ("hidden", "hidden == TRUE"),
    (
      "hidden AND NOT (deletable OR ANY owners.active)",
      "hidden == TRUE AND (NOT (deletable == TRUE OR ANY owners.active == TRUE))"
    ),
    ("TRUEPREDICATE", "TRUEPREDICATE"),
    ("falsepredicate or YES == no", "FALSEPREDICATE OR TRUE == FALSE"),
    (
      "normalizedTitle >= $prefix and normalizedTitle < $nextPrefix",
      "normalizedTitle >= $prefix AND normalizedTitle < $nextPrefix"
    ),
    ("songs.@count == 0", "songs.@count == 0"),
    ("SUBQUERY(songs, $s, $s.length > 600).@count > 0", "SUBQUERY(songs, $s, $s.length > 600).@count > 0"),
    ("humanName == $humanName", "humanName == $humanName"),
    ("parent.parentName == $parentName", "parent.parentName == $parentName"),
    ("image != nil", "image != nil"),
    ("type UTI-CONFORMS-TO 'public.image'", "type UTI-CONFORMS-TO \"public.image\""),
    ("type uti-equals 'public.image'", "type UTI-EQUALS \"public.image\""),
    ("#size > 5 && folder.size < 3 && $f.#size != 1", "#size > 5 AND folder.#size < 3 AND $f.#size != 1"),
    ("((((a)) == (1)))", "a == 1"),
    ("(a + b) * 2 == (3)", "(a + b) * 2 == 3"),
    ("tags UNION $more CONTAINS 'x'", "tags UNION $more CONTAINS \"x\""),
    ("timeIntervalSinceReferenceDate >= 1.5e3", "timeIntervalSinceReferenceDate >= 1.5e3"),
  ])
  func `what Core Data's books and models write is read and printed in canonical form`(
    _ text: String, _ canonical: String
  ) throws {
    let predicate = try parsePredicate(text)
    #expect(predicate.predicateFormat == canonical)
    #expect(try parsePredicate(canonical) == predicate)
  }

  @Test func `NOT binds closer than AND, AND closer than OR`() throws {
    let a = comparison("a"), b = comparison("b"), c = comparison("c")
    #expect(try parsePredicate("NOT a == 1 AND b == 1 OR c == 1") == .or([.and([.not(a), b]), c]))
    #expect(try parsePredicate("a == 1 OR b == 1 AND c == 1") == .or([a, .and([b, c])]))
    #expect(try parsePredicate("(a == 1 OR b == 1) AND c == 1") == .and([.or([a, b]), c]))
    #expect(try parsePredicate("a == 1 AND b == 1 AND c == 1") == .and([a, b, c]))
    #expect(try parsePredicate("a == 1 AND (b == 1 AND c == 1)") == .and([a, .and([b, c])]))
  }

  @Test func `a modifier and options are part of the comparison`() throws {
    let expected = ComparisonPredicate(
      .keyPath("tags", "name"), .beginsWith, .constant(.string("a")), modifier: .none,
      options: [.caseInsensitive, .diacriticInsensitive])
    #expect(try parsePredicate("NONE tags.name BEGINSWITH[cd] 'a'") == .comparison(expected))
  }

  @Test func `a bare key is a comparison with TRUE`() throws {
    let expected = ComparisonPredicate(.keyPath("hidden"), .equalTo, .constant(.boolean(true)))
    #expect(try parsePredicate("hidden") == .comparison(expected))
    #expect(try parsePredicate("(hidden)") == .comparison(expected))
  }

  @Test func `long conjunctions are no deep ones`() throws {
    let text = Array(repeating: "a == 1", count: 20_000).joined(separator: " AND ")
    guard case .and(let operands) = try parsePredicate(text) else {
      Issue.record("not a conjunction")
      return
    }
    #expect(operands.count == 20_000)
  }

  private func comparison(_ key: String) -> Predicate {
    .comparison(ComparisonPredicate(.keyPath(key), .equalTo, .constant(.integer(1))))
  }
}

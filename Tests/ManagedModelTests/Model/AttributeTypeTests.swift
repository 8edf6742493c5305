import Foundation
import Testing

@testable import ManagedModel

@Suite("Attribute types") struct AttributeTypeTests {
  /// `NSAttributeType`: the version hash and the archive contain these numbers.
  @Test func `numbers are Core Data's`() {
    #expect(
      AttributeType.allCases.map(\.rawValue) == [
        0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1800, 2000, 2100,
      ])
  }

  @Test(arguments: AttributeType.allCases)
  func `a name leads back to its type, and belongs to no other`(type: AttributeType) {
    let others = AttributeType.allCases.filter { $0 != type }
    #expect(AttributeType(name: type.name) == type)
    #expect(others.allSatisfy { $0.name != type.name && !$0.traits.otherNames.contains(type.name) })
    #expect(type.traits.otherNames.allSatisfy { $0 == $0.lowercased() && AttributeType(name: $0) == nil })
  }

  @Test func `no other word is a type`() {
    #expect(["", "String", "int", "integer16 ", "Integer 16"].allSatisfy { AttributeType(name: $0) == nil })
  }

  /// Lightweight migration converts numbers among each other, Booleans into integers and back, nothing else.
  @Test func `what converts, converts in both directions`() {
    let numbers: Set<AttributeType> = [.integer16, .integer32, .integer64, .decimal, .double, .float]
    let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]
    var wrong: [String] = []
    for old in AttributeType.allCases {
      for new in AttributeType.allCases {
        let isExpected =
          numbers.isSuperset(of: [old, new])
          || old == .boolean && integers.contains(new) || new == .boolean && integers.contains(old)
        if old.converts(to: new) != isExpected || new.converts(to: old) != isExpected {
          wrong.append("\(old) \(new)")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    (AttributeType.integer16, [Int64(-32768), 32767], [Int64(-32769), 32768, .min, .max]),
    (.integer32, [-2_147_483_648, 2_147_483_647], [-2_147_483_649, 2_147_483_648]),
    (.integer64, [.min, .max], []), (.decimal, [.min, .max], []), (.string, [.max], []),
  ])
  func `an integer type has room for its range`(type: AttributeType, inside: [Int64], outside: [Int64]) {
    #expect(inside.allSatisfy(type.holds) && !outside.contains(where: type.holds))
  }

  @Test func `texts, and what is spelled as one`() {
    #expect(AttributeType.allCases.filter(\.isText) == [.string, .uri])
    #expect(AttributeType.allCases.filter(\.isSpelled) == [.string, .uuid, .uri])
    #expect(AttributeType.allCases.filter(\.isInteger) == [.integer16, .integer32, .integer64])
  }

  /// Texts of every kind; a schema for editors that refuses what the reader takes would be wrong.
  static let texts = [
    "0", "-1", "+5", "1.10", ".5", "1.", "2e9", "0.0", "1e-4", "yes", "No", "TRUE", "false", "1",
    "2001-01-01",
    "2001-01-01T00:00:00Z", "tomorrow", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
    "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
    "https://example.org/ä", "aGk=", "AAAA", "a\nb", "\n", " ", "32768", "9223372036854775807",
    "-9223372036854775808",
  ]

  @Test(arguments: AttributeType.allCases)
  func `the form of a default is never narrower than what is read`(type: AttributeType) throws {
    let form = try type.traits.literalForm.map { try Regex($0) }
    let refused = try Self.texts.filter { text in
      guard AttributeValue(parsing: text, as: type) != nil else { return false }
      return try form?.wholeMatch(in: text) == nil
    }
    #expect(refused == [])
  }

  @Test(arguments: AttributeType.allCases)
  func `a type of numbers has a scalar, a form and words for its defaults`(type: AttributeType) {
    let traits = type.traits
    #expect((traits.literalForm == nil) == (traits.valuesInWords == nil))
    #expect(!traits.isNumeric || (traits.emptyExpression == "0" && traits.className?.hasPrefix("NS") == true))
    #expect((traits.integerRange == nil) || (traits.hasScalar && traits.columnType == "INTEGER"))
    #expect((traits.xcodeName == nil) == (type == .undefined))
  }
}

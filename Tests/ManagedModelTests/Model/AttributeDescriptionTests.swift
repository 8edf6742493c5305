import Foundation
import ManagedModel
import Testing

@Suite("Attributes and relationships") struct AttributeDescriptionTests {
  static let defaults: [(DefaultValue?, AttributeType, AttributeValue?)] = [
    (nil, .string, nil), ("", .string, .string("")), ("7", .integer16, .integer(7)),
    ("1.10", .double, .double(1.1)),
    ("70000", .integer16, nil), ("soon", .date, nil), (.archived(Data([1])), .transformable, nil),
    (.evaluated(.unknown), .string, nil), (.text("x"), .composite, nil),
  ]

  @Test(arguments: defaults)
  func `a default is a value of the type or none`(
    stated: DefaultValue?, type: AttributeType, value: AttributeValue?
  ) {
    #expect(AttributeDescription(name: "a", type: type, defaultValue: stated).typedDefaultValue == value)
  }

  @Test func `what an app evaluates is one value for as long as the program runs`() throws {
    func value(_ text: EvaluatedDefault, _ type: AttributeType) -> AttributeValue? {
      AttributeDescription(name: "a", type: type, defaultValue: .evaluated(text)).typedDefaultValue
    }
    let date = try #require(value(.launchDate, .date)), uuid = try #require(value(.uuid, .uuid))
    #expect(date.isValue(of: .date) && uuid.isValue(of: .uuid))
    #expect(value(.launchDate, .date) == date && value(.uuid, .uuid) == uuid)
  }

  @Test func `only a new date and a new UUID are another one each time`() {
    let found = AttributeType.allCases.compactMap { type in
      EvaluatedDefault(ofNew: type).map { "\(type.name) \($0.swiftType ?? "-")" }
    }
    #expect(found == ["date Date", "uuid UUID"])
    #expect(EvaluatedDefault.unknown.swiftType == nil && DefaultValue.evaluated(.uuid).text == nil)
    #expect(DefaultValue("x").text == "x" && DefaultValue.archived(Data()).text == nil)
  }

  @Test func `the canonical name is the renaming identifier, else the name`() {
    let names = [
      AttributeDescription(name: "b", type: .string, renamingIdentifier: "a").canonicalName,
      AttributeDescription(name: "b", type: .string, renamingIdentifier: "").canonicalName,
      RelationshipDescription(name: "b", destinationEntityName: "E", renamingIdentifier: "c").canonicalName,
      EntityDescription(name: "B", renamingIdentifier: "A").canonicalName,
      EntityDescription(name: "B").canonicalName,
    ]
    #expect(names == ["a", "", "c", "A", "B"])
  }

  /// Core Data's rule.
  @Test(arguments: [(1, false), (0, true), (2, true), (-1, true), (Int.max, true)])
  func `whatever has no maximum of exactly one is to-many`(count: Int, isToMany: Bool) {
    #expect(
      RelationshipDescription(name: "r", destinationEntityName: "E", maxCount: count).isToMany == isToMany)
  }

  @Test func `delete rules have Core Data's numbers`() {
    #expect(
      DeleteRule.allCases.map { "\($0.rawValue) \($0.name)" } == [
        "0 noAction", "1 nullify", "2 cascade", "3 deny",
      ])
  }

  @Test func `a rule about the cases of an enum lists them again`() {
    let values = ["", "a", "two words, and more", "it's \"so\"", "a\\b", "two\nlines\ttab\r", "é 😀"]
    let rule = AttributeValidation.among(values.map { $0.expressionLiteral() }, of: "Kind")
    #expect(rule.listedValues == values)
    #expect(AttributeValidation.among(["\u{1}".expressionLiteral()], of: "Kind").listedValues == nil)
  }

  @Test func `a validation with any rule is not empty`() {
    let rules = [
      AttributeValidation(minimum: ""), .init(maximum: "1"), .init(minimumLength: 0), .init(maximumLength: 0),
      .init(regularExpression: ""), .init(predicates: [.init(predicate: "", warning: "")]),
    ]
    #expect(AttributeValidation().isEmpty && rules.allSatisfy { !$0.isEmpty })
  }
}

import Foundation
import ManagedModel
import Testing

@Suite("Attribute values as text")
struct AttributeValueTests {
  @Test(arguments: [
    ("0", AttributeType.integer16, AttributeValue.integer(0)),
    ("0.0", .integer64, .integer(0)),
    ("-32768", .integer16, .integer(-32768)),
    ("9223372036854775807", .integer64, .integer(.max)),
    ("1.10", .double, .double(1.1)),
    ("YES", .boolean, .boolean(true)),
    ("0", .boolean, .boolean(false)),
    ("2001-01-01", .date, .date(0)),
    ("2001-01-01T00:00:01Z", .date, .date(1)),
    ("2001-01-01T02:00:00+02:00", .date, .date(0)),
    ("1970-01-01T00:00:00Z", .date, .date(-978_307_200)),
    ("-3600.5", .date, .date(-3600.5)),
    ("2024-02-29", .date, .date(730_857_600)),
    ("https://example.org/a", .uri, .uri("https://example.org/a")),
    ("aGk=", .binary, .binary(Data("hi".utf8))),
  ])
  func `text of each type is read`(text: String, type: AttributeType, expected: AttributeValue) {
    #expect(AttributeValue(parsing: text, as: type) == expected)
  }

  @Test(arguments: [
    ("32768", AttributeType.integer16), ("1.5", .integer32), ("0x10", .integer32),
    ("9223372036854775808", .integer64),
    ("inf", .double), ("nan", .double), ("1e999", .double), ("1e39", .float), ("1 ", .double),
    ("maybe", .boolean),
    ("2023-02-29", .date), ("2023-13-01", .date), ("tomorrow", .date), ("not-a-uuid", .uuid),
    ("1,5", .decimal),
    ("***", .binary), ("", .integer16),
  ])
  func `text that is no value of its type is refused`(text: String, type: AttributeType) {
    #expect(AttributeValue(parsing: text, as: type) == nil)
  }

  @Test(arguments: [
    (AttributeValue.date(0), AttributeType.date), (.date(464_441_952.529884), .date), (.date(-1e12), .date),
    (.double(0.1), .double), (.integer(-5), .integer32), (.boolean(true), .boolean),
    (.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))), .uuid),
    (.binary(Data([0, 255])), .binary),
  ])
  func `text reads back to the same value`(value: AttributeValue, type: AttributeType) {
    #expect(AttributeValue(parsing: value.text, as: type) == value)
  }

  @Test func `a decimal keeps its digits`() {
    let value = AttributeValue(parsing: "0.1000000000000000000001", as: .decimal)
    #expect(value?.text == "0.1000000000000000000001")
  }
}

import Foundation
import ManagedModel
import ModelCommands
import Testing

@Suite("JSON")
struct JSONValueTests {
  @Test func `members keep their order, levels are two spaces, empty lists stay on their line`() {
    let value: JSONValue = [
      "zoo": [1, -2, []], "a": ["x": nil, "y": true], "empty": [:], "path": "a/b",
    ]
    #expect(
      value.prettyPrinted
        == """
        {
          "zoo": [
            1,
            -2,
            []
          ],
          "a": {
            "x": null,
            "y": true
          },
          "empty": {},
          "path": "a/b"
        }
        """)
    #expect(value.compact == #"{"zoo":[1,-2,[]],"a":{"x":null,"y":true},"empty":{},"path":"a/b"}"#)
    #expect(JSONValue.object([]).prettyPrinted == "{}")
  }

  @Test func `strings are escaped as JSON demands and no further`() {
    #expect(JSONValue.string("\"\\/\n\r\t\u{0}\u{1F}é😀").compact == #""\"\\/\n\r\t\u0000\u001fé😀""#)
  }

  @Test(arguments: [(0.25, "0.25"), (1e300, "1e+300"), (-0.0, "-0.0"), (.infinity, "null"), (.nan, "null")])
  func `numbers are exact, and those that JSON cannot say are null`(_ number: Double, _ text: String) {
    #expect(JSONValue.number(number).compact == text)
  }

  @Test func `every scalar and number survives another reader`() throws {
    let texts = (0..<0x300).compactMap { Unicode.Scalar(UInt32($0)).map(String.init) } + ["\u{2028}", "😀"]
    let value = JSONValue(texts)
    for text in [value.prettyPrinted, value.compact] {
      #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == texts)
    }
    let numbers = [0.1, 1e-7, 2.2250738585072014e-308, 1.7976931348623157e308, 123_456_789.123]
    let written = JSONValue.array(numbers.map { .number($0) }).compact
    #expect(try JSONDecoder().decode([Double].self, from: Data(written.utf8)) == numbers)
  }
}

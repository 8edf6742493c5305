import Foundation
import ManagedModel
import StoreFixtures
import TestSupport
import Testing

@Suite struct `Texts for expressions` {
  @Test(arguments: [
    "[a-z]+", "\\d{4}-\\d{2}-\\d{2}", "(?:foo|ba[rz])+", "[A-Z0-9._%+-]+@[A-Z0-9.-]+\\.[A-Z]{2,}",
    "^#[0-9a-fA-F]{6}$",
    "(?i)yes|no", "\\p{Lu}\\p{Ll}*", "[^\\n]+", "a?b*c+", "\\+?[0-9]{7,15}", "[\\w-]{3,}", "(?<year>\\d\\d)x",
    ".{3,8}", "[]a]+", "\\w+\\s\\w+", "x{2}y{1,}?", "(a(b(c|d))?){2}", "[a-c-]{2}",
  ])
  func `Every row matches the expression, and rows differ`(pattern: String) throws {
    var attribute = AttributeDescription(name: "s", type: .string)
    attribute.validation.regularExpression = pattern
    let model = ManagedObjectModel(entities: [EntityDescription(name: "A", attributes: [attribute])])
    try withFixture(of: model, .rows(20)) { db, _, file throws in
      let texts = try allObjects(in: db, model: model, at: file).compactMap { $0.values["s"]?.text }
      #expect(texts.count == 20)
      let expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z")
      for text in texts {
        let whole = NSRange(location: 0, length: text.utf16.count)
        #expect(expression.firstMatch(in: text, range: whole) != nil, "'\(text)'")
      }
      #expect(Set(texts).count > 1 || pattern == "x")
    }
  }
}

import Foundation
import ManagedModel
import TestSupport
import Testing

@Suite("Predicates and expressions of genuine models", .needsFixtures)
struct GenuineTextTests {
  @Test func `every predicate of a genuine model is read`() throws {
    let texts = try attributeValues(
      ["predicateString", "partialIndexPredicate"], inFiles: { $0 == "contents" })
    #expect(!texts.isEmpty)
    for text in texts {
      let predicate = try parsePredicate(text)
      #expect(try parsePredicate(predicate.predicateFormat) == predicate)
    }
  }

  @Test func `every derivation and source key path of a genuine model is read`() throws {
    var texts = try attributeValues(["derivationExpression"], inFiles: { $0 == "contents" })
    texts += try matches(#/name="sourcekeypath" type="string">([^<]*)</#, inFiles: { $0 == "xcmapping.xml" })
    #expect(!texts.isEmpty)
    for text in texts {
      let expression = try parseExpression(text)
      #expect(expression.description == text)
    }
  }

  @Test func `every source filter of a genuine mapping model is read`() throws {
    let texts = try matches(
      #/name="sourcefilterpredicatestring" type="string">([^<]*)</#, inFiles: { $0 == "xcmapping.xml" })
    #expect(!texts.isEmpty)
    for text in texts { #expect(throws: Never.self) { try parsePredicate(text) } }
  }

  private func attributeValues(_ names: [String], inFiles isWanted: (String) -> Bool) throws -> [String] {
    try names.flatMap { name in
      try matches(Regex("\\b\(name)=\"([^\"]*)\"", as: (Substring, Substring).self), inFiles: isWanted)
    }
  }

  private func matches(
    _ pattern: some RegexComponent<(Substring, Substring)>, inFiles isWanted: (String) -> Bool
  ) throws -> [String] {
    let walker = FileManager.default.enumerator(at: Fixtures.root, includingPropertiesForKeys: nil)
    var found: [String] = []
    while let url = walker?.nextObject() as? URL {
      guard isWanted(url.lastPathComponent), let text = try? String(contentsOf: url, encoding: .utf8) else {
        continue
      }
      found += text.matches(of: pattern).map { unescaped(String($0.output.1)) }
    }
    return found.filter { !$0.isEmpty }
  }

  private func unescaped(_ text: String) -> String {
    [("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&#10;", "\n"), ("&amp;", "&")]
      .reduce(text) { $0.replacing($1.0, with: $1.1) }
  }
}

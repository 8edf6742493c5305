import Foundation
import TestSupport
import Testing

@testable import ManagedModel
@testable import ModelFormats

@Suite struct JSONSchemaTests {
  @Test func `every key of the language has a shape and a description, and nothing else has one`() {
    var described = Set(describedKeys.keys)
    for keyed in documents.flatMap(\.shape.keyedShapes) {
      let words = describedKeys[keyed.name]
      #expect(words != nil, "\(keyed.name)")
      #expect(words?.summary.isEmpty == false)
      #expect(Set(keyed.keys.map(\.name)) == Set(words?.keys.keys.map { $0 } ?? []), "\(keyed.name)")
      for key in keyed.keys { #expect(!key.shape.hasGap, "'\(key.name)' of \(keyed.name) has no shape") }
      described.remove(keyed.name)
    }
    #expect(described == [])
  }

  @Test func `the same bytes come every time`() {
    #expect(jsonSchemas().map(\.text) == jsonSchemas().map(\.text))
    #expect(
      jsonSchemas().map(\.name) == [
        "model.schema.json", "versions.schema.json", "mapping.schema.json", "modelc.schema.json",
      ])
  }

  @Test func `the schemas beside the sample are those of this modelc`() throws {
    for schema in jsonSchemas() {
      let file = Self.models.appending(path: "Schemas/\(schema.name)")
      #expect(
        try String(contentsOf: file, encoding: .utf8) == schema.text, "run 'modelc export --as json-schema'")
    }
  }

  @Test func `the form of names is the rule of names, for every pair of ASCII characters`() throws {
    // '$' of NSRegularExpression also stands before a last line end; that of JSON Schema does not.
    let form = try NSRegularExpression(pattern: legalNameForm.dropLast() + "\\z")
    func fits(_ name: String) -> Bool {
      form.firstMatch(in: name, range: NSRange(location: 0, length: name.utf16.count)) != nil
    }
    for first in 0..<128 as Range<UInt8> {
      for second in 0..<129 as Range<UInt8> {
        let name = String(decoding: second == 128 ? [first] : [first, second], as: UTF8.self)
        #expect(fits(name) == name.isLegalName, "\(first) \(second)")
      }
    }
    for name in ["Größe", "数", "_", "a1"] { #expect(fits(name)) }
  }

  static let models = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Models")
}

extension ValueShape {
  fileprivate var hasGap: Bool {
    switch self {
    case .unstated: true
    case .list(let element), .named(let element, _): element.hasGap
    case .either(let shapes): shapes.contains(where: \.hasGap)
    case .text, .pattern, .literal, .optionalLiteral, .flag, .integer, .words, .keys: false
    }
  }
}

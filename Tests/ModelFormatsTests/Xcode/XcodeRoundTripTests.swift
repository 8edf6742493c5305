import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite(.needsFixtures) struct XcodeRoundTripTests {
  private static let models = Fixtures.all(withExtension: "xcdatamodel")

  @Test func `every genuine model is equal in meaning after XML, YAML and XML again`() throws {
    var (equal, sameHashes, sameBytes) = (0, 0, 0)
    for url in Self.models {
      let contents = try Data(contentsOf: url.appending(path: "contents"))
      let model = try #require(readXcodeModel(contents: contents, file: "contents").model)
      let yaml = readModel(yaml: Data(writeModel(model).utf8), file: "V1.yaml")
      let (text, diagnostics) = writeXcodeModel(try #require(yaml.model))
      #expect(yaml.diagnostics == [] && diagnostics == [], "\(url.path)")
      let written = Data(text.utf8)
      let (before, after) = (try XcodeDocument(contents), try XcodeDocument(written))
      if before == after { equal += 1 } else { Issue.record("\(url.path)\n\(before)\n---\n\(after)") }
      let again = readXcodeModel(contents: written, file: "contents").model
      if again?.entityVersionHashesByName == model.entityVersionHashesByName { sameHashes += 1 }
      if written == contents { sameBytes += 1 }
    }
    print("XML → YAML → XML: \(equal) of \(Self.models.count) equal in meaning,", terminator: " ")
    print("\(sameHashes) with the same hashes, \(sameBytes) with the same bytes")
    #expect(Self.models.count >= 159)
    #expect(equal == Self.models.count)
    #expect(sameHashes == Self.models.count)
  }
}

import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelFormats

/// What a version repeats of the one before it is not read again, which nobody may notice.
@Suite("Xcode's versions are read as if each stood alone") struct RepeatedEntityTests {
  private func alone(_ package: URL, _ version: String) throws -> XcodeReading {
    let url = package.appending(path: "\(version).xcdatamodel/contents")
    return readXcodeModel(contents: try Data(contentsOf: url), file: url.relativePath, repeating: nil)
  }

  @Test(.needsFixtures, arguments: Fixtures.all(withExtension: "xcdatamodeld"))
  func `every genuine version`(_ package: URL) throws {
    let model = try #require(readXcodeModelPackage(at: package).model)
    for version in model.versions {
      let reading = try alone(package, version.name)
      #expect(version.model == reading.model)
      #expect(version.entityVersionHashesByName == reading.model?.entityVersionHashesByName)
      for entity in version.model.entities {
        let subject = ModelSubject(entity: entity.name, property: entity.attributes.first?.name)
        #expect(version.sourceMap?[subject] == reading.sourceMap[subject])
      }
    }
  }

  private static let entities = [
    #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#,
    #"<entity name="B" parentEntity="A"/>"#,
    #"<entity name="C"><attribute name="y" attributeType="Strnig"/></entity>"#,
    #"<entity name="D"><attribute name="z" attributeType="Date" colour="red"/></entity>"#,
  ]

  private func document(_ entities: [String]) -> Data {
    Data("<model type=\"m\">\n\(entities.joined(separator: "\n"))\n</model>\n".utf8)
  }

  @Test func `entities are repeated in any order, and one that is changed is read`() throws {
    let sound = [0, 1].map { Self.entities[$0] }
    let first = readXcodeModel(contents: document(sound), file: "V1", repeating: nil)
    let texts = try #require(first.texts)
    #expect(texts.entries.count == 2)
    let changed = [
      sound[1], sound[0].replacing("String", with: "Date"), sound[1].replacing("\"B\"", with: "\"E\""),
    ]
    for list in [[sound[0], sound[1]], [sound[1], sound[0]], changed, [sound[0] + sound[1]], [sound[0]]] {
      let contents = document(list)
      let repeating = readXcodeModel(contents: contents, file: "V2", repeating: texts)
      let whole = readXcodeModel(contents: contents, file: "V2", repeating: nil)
      #expect(repeating.model == whole.model)
      #expect(repeating.model != nil && repeating.diagnostics.isEmpty)
      let places = repeating.model?.entities.map { repeating.sourceMap[ModelSubject(entity: $0.name)] }
      #expect(places == whole.model?.entities.map { whole.sourceMap[ModelSubject(entity: $0.name)] })
    }
    let again = readXcodeModel(contents: document(sound), file: "V2", repeating: texts)
    #expect(again.isRepeated == [true, true])
    #expect(
      readXcodeModel(contents: document(changed), file: "V2", repeating: texts).isRepeated.contains(false))
  }

  @Test func `an entity with a finding is told in each version, at its place there`() throws {
    let first = readXcodeModel(
      contents: document([Self.entities[0], Self.entities[3]]), file: "V1", repeating: nil)
    let texts = try #require(first.texts)
    #expect(texts.entries.map(\.entity.name) == ["A"])
    let second = readXcodeModel(
      contents: document([Self.entities[0], "", Self.entities[3]]), file: "V2", repeating: texts)
    #expect(second.diagnostics.map(\.code.description) == ["MC0206"])
    #expect(second.diagnostics.first?.place?.start.line == 4)
    #expect(first.diagnostics.first?.place?.start.line == 3)
    let broken = readXcodeModel(contents: document([Self.entities[2]]), file: "V3", repeating: texts)
    #expect(broken.model == nil && broken.texts == nil)
  }

  @Test func `what is repeated counts as much as what is read`() throws {
    let many = (0..<300).map {
      "<entity name=\"E\($0)\">\(String(repeating: "<userInfo/>", count: 100))</entity>"
    }
    let first = readXcodeModel(contents: document(many), file: "V1", repeating: nil)
    let texts = try #require(first.texts)
    let twice = many + many.map { $0.replacing("\"E", with: "\"F") }
    let second = readXcodeModel(contents: document(twice), file: "V2", repeating: texts)
    #expect(second.diagnostics.map(\.code.description) == ["MC0204"])
  }
}

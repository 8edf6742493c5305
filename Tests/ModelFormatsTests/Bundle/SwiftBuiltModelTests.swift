import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import Testing

@Suite("A model built in Swift")
struct SwiftBuiltModelTests {
  let built = ManagedObjectModel(
    versionIdentifiers: ["1"],
    entities: [
      EntityDescription(
        name: "Note",
        attributes: [
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "stars", type: .integer16, defaultValue: "0"),
        ],
        relationships: [
          RelationshipDescription(
            name: "tags", destinationEntityName: "Tag", inverseName: "notes", maxCount: 0)
        ]),
      EntityDescription(
        name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "notes", destinationEntityName: "Note", inverseName: "tags", maxCount: 0)
        ]),
    ])

  let written = """
    identifiers: ["1"]
    entities:
      Note:
        attributes: {title: string, stars: integer16 = 0}
        relationships:
          tags: {toMany: Tag, inverse: notes}
      Tag:
        attributes: {name: string}
        relationships:
          notes: {toMany: Note, inverse: tags}
    """

  @Test func `copies in an app whose versions have one name are told apart by what differs`() {
    var other = built
    other.entities[0].attributes[1].isOptional = true
    func model(_ version: ManagedObjectModel) -> VersionedModel {
      VersionedModel(
        name: "Notes", versions: [ModelVersion(name: "Notes 2", model: version)],
        currentVersionName: "Notes 2")
    }
    let found = AppBuild.differingCopies(among: [
      (path: "A.app/Notes.momd", model: model(built)),
      (path: "A.app/PlugIns/W.appex/Notes.momd", model: model(other)),
    ])
    #expect(found.map { $0.message.hasPrefix("'Notes 2' of 'A.app/PlugIns/") } == [true])
    #expect(found.first?.notes.first?.message.contains("Note.stars") == true, "\(found)")
  }

  @Test func `equals the one that was read, in value, hashes, fingerprint and compiled bytes`() throws {
    let reading = readModel(yaml: Data(written.utf8), file: "V1.yaml")
    #expect(reading.diagnostics.isEmpty)
    let model = try #require(reading.model)
    #expect(model == built)
    #expect(model.entityVersionHashesByName == built.entityVersionHashesByName)
    #expect(model.fingerprint == built.fingerprint)
    #expect(model.keyedArchive() == built.keyedArchive())
  }

  @Test func `passes the same checks and fails them alike`() throws {
    #expect(checkModel(built).allSatisfy { $0.severity == .information })
    var broken = built
    broken.entities[0].relationships[0].inverseName = "missing"
    let read = readModel(
      yaml: Data(written.replacing("inverse: notes", with: "inverse: missing").utf8), file: "V1.yaml")
    #expect(!checkModel(broken).isEmpty)
    #expect(checkModel(broken) == checkModel(try #require(read.model)))
  }
}

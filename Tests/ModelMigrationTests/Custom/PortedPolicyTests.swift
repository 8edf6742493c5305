import Foundation
import ManagedModel
import TestSupport
import Testing

@Suite("Policies as they are written for Core Data")
struct PortedPolicyTests {
  private static let old = """
    entities:
      Note:
        attributes: {body: string, folder: string?}
        relationships: {attachments: {toMany: Attachment, inverse: note}}
      Attachment:
        attributes: {image: binary?, date: date?}
        relationships: {note: {to: Note, inverse: attachments}}
    """
  private static let new = """
    entities:
      Note:
        attributes: {body: string, identifier: uuid}
        relationships: {pictures: {toMany: Picture, inverse: note}, folder: {to: Folder, inverse: notes}}
      Folder:
        attributes: {name: string}
        relationships: {notes: {toMany: Note, inverse: folder}}
      Picture:
        attributes: {image: binary?, date: date?, size: integer32 = 0, caption: string, kind: {type: string, default: png}}
        relationships: {note: {to: Note, inverse: pictures}}
    """
  private static let mapping = """
    entityMappings:
      NoteToNote: {source: Note, destination: Note, policy: App.NoteToNotePolicy}
      AttachmentToPicture:
        source: Attachment
        destination: Picture
        policy: AttachmentToPicturePolicy
        attributes: {date: "coalesce($source.date, CAST(0, 'NSDate'))"}
        relationships: {note: 'destinationInstances("NoteToNote", $source.note)'}
    """

  private func store() -> [ManagedObject] {
    var attachments = objects(
      "Attachment", ["image": .binary(Data([1, 2, 3])), "date": .date(5)], [:])
    for index in attachments.indices { attachments[index].toOne["note"] = objectID("Note", Int64(index + 1)) }
    let notes = objects(
      "Note", ["body": .string("a long body"), "folder": .string("work")],
      ["body": .string("short"), "folder": .string("work")],
      ["body": .string("third"), "folder": .string("home")])
    return notes + attachments
  }

  @Test func `they compile with another import, and do what they did`() throws {
    let trial = try CustomTrial(
      [Self.old, Self.new], mappings: [Self.mapping],
      policies: [NoteToNotePolicy.self, AttachmentToPicturePolicy.self])
    let found = try trial.run(store())
    #expect(found.texts("Picture", "caption") == ["a long b", "short"])
    #expect(found.texts("Picture", "size") == ["3", "0"])
    #expect(found.texts("Picture", "kind") == ["png", "png"])
    #expect(found["Picture"].map { $0.values["date"] } == [.date(5), .date(0)])
    #expect(found.links("Picture", "note") == ["1>1", "2>2"])
    #expect(found.texts("Folder", "name") == ["work", "home"])
    #expect(found.links("Folder", "notes") == ["1>1,2", "2>3"])
    #expect(Set(found.texts("Note", "identifier")).count == 3)
  }

  @Test func `what is set in the property of another mapping holds for that one`() throws {
    let trial = try CustomTrial(
      [Self.old, Self.new],
      mappings: [Self.mapping.replacing("App.NoteToNotePolicy", with: "NeighborPolicy")],
      policies: [NeighborPolicy.self, AttachmentToPicturePolicy.self])
    let found = try trial.run(store())
    #expect(found["Picture"].map { $0.values["date"] } == [.date(7), .date(7)])
  }

  @Test func `what cannot be made ends the migration, though nothing throws`() throws {
    let trial = try CustomTrial(
      [Self.old, Self.new],
      mappings: [Self.mapping.replacing("App.NoteToNotePolicy", with: "MistakenPolicy")],
      policies: [MistakenPolicy.self, AttachmentToPicturePolicy.self])
    let error = #expect(throws: DiagnosticsError.self) { _ = try trial.run(store()) }
    #expect(refusalCodes(error) == ["MC1601"])
    #expect(error?.diagnostics.first?.help == ["did you mean 'Note'?"])
  }
}

import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// Cases A2 and A3: notes whose images become attachments, and attachments that become images of a known size.
@Suite("UnCloudNotes by its own mapping models", .needsFixtures) struct UnCloudNotesTests {
  static let folder =
    "kodecocodes+cdt-materials/06-versioning-and-migration/projects/final/UnCloudNotes"

  private static func version(_ number: Int) -> String {
    number == 1 ? "UnCloudNotesDataModel" : "UnCloudNotesDataModel v\(number)"
  }

  private func project() throws -> (model: VersionedModel, custom: CustomMigrations) {
    let package = Fixtures.url("\(Self.folder)/UnCloudNotesDataModel.xcdatamodeld")
    let model = try #require(readXcodeModelPackage(at: package).model)
    let mappings = try ["v2_to_v3", "v3_to_v4"].map { step in
      let name = "UnCloudNotesMappingModel_\(step).xcmappingmodel"
      return try readXcodeMappingModel(at: Fixtures.url("\(Self.folder)/\(name)")).mappingModel
    }
    let custom = CustomMigrations(
      mappingModels: [model.name: mappings],
      policies: PolicyRegistry([AttachmentToImageAttachmentMigrationPolicyV3toV4.self]))
    return (model, custom)
  }

  /// Three notes, two with an image, which here is its width and height.
  private func notes(dateOfSecond date: Double? = 200) -> [ManagedObject] {
    let bodies = ["short", String(repeating: "👩‍👩‍👧 ", count: 60), "no image"]
    return bodies.enumerated().map { index, body in
      var values: [String: AttributeValue] = [
        "body": .string(body), "title": .string("Note \(index)"), "displayIndex": .integer(Int64(index)),
        "dateCreated": .date(100),
      ]
      if index < 2 { values["image"] = .binary(Data([UInt8(index + 3), 7])) }
      if index == 1 { values["dateCreated"] = date.map { .date($0) } }
      return ManagedObject("Note", Int64(index + 1), values: values)
    }
  }

  /// - Parameter stops: the versions to which the store goes, each with a command of its own.
  private func migrate(
    _ notes: [ManagedObject], from first: Int = 2, to stops: Int...
  ) throws -> [String: [ManagedObject]] {
    let (model, custom) = try project()
    let old = try #require(model.version(named: Self.version(first)))
    let new = try #require(model.version(named: Self.version(stops.last ?? first)))
    return try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: old, objects: notes)
      let before = try Data(contentsOf: store.url)
      do {
        for stop in stops {
          _ = try migrateStore(
            at: store.url.path, models: [model],
            options: MigrationOptions(targetVersion: Self.version(stop), keepsBackup: false), custom: custom)
        }
      } catch {
        let after = try Data(contentsOf: store.url)
        #expect(after == before)
        throw error
      }
      return Dictionary(grouping: try store.objects(new.model)) { $0.id.entityName }
    }
  }

  @Test func `each note with an image has one attachment`() throws {
    let found = try migrate(notes(), to: 3)
    #expect(found["Note"]?.count == 3)
    let attachments = found["Attachment"] ?? []
    #expect(attachments.map { $0.toOne["note"]?.primaryKey } == [1, 2])
    #expect(attachments.map { $0.values["image"] } == [.binary(Data([3, 7])), .binary(Data([4, 7]))])
    #expect(attachments.map { $0.values["dateCreated"] } == [.date(100), .date(200)])
  }

  @Test func `an image without a date is refused, and the store is as it was`() throws {
    let error = #expect(throws: MigrationRefusedError.self) {
      _ = try migrate(notes(dateOfSecond: nil), to: 3)
    }
    let missing = error?.plan.diagnostics.filter { $0.severity == .error } ?? []
    #expect(missing.map(\.code.description) == ["MC3101"] && missing[0].message.contains("1 "), "\(missing)")
  }

  @Test func `attachments become images with their size and the note's beginning`() throws {
    let found = try migrate(notes(), to: 4)
    #expect(found["Note"]?.count == 3)
    #expect(found["Attachment"] == nil)
    let images = found["ImageAttachment"] ?? []
    #expect(images.map { $0.values["width"] } == [.double(3), .double(4)])
    #expect(images.map { $0.values["height"] } == [.double(7), .double(7)])
    // Eighty characters as a reader counts them: a family is one.
    let caption = String(String(repeating: "👩‍👩‍👧 ", count: 60).prefix(80))
    #expect(images.map { $0.values["caption"] } == [.string("short"), .string(caption)])
    #expect(images.map { $0.toOne["note"]?.primaryKey } == [1, 2])
  }

  @Test func `without an image its size is the default`() throws {
    let attachments = (1...2).map { key in
      ManagedObject(
        "Attachment", key,
        values: [
          "dateCreated": .date(1), "image": .binary(key == 1 ? Data([5, 6]) : Data("no image".utf8)),
        ], toOne: ["note": ManagedObject.ID(entityName: "Note", primaryKey: 1)])
    }
    var note = notes()[2]
    note.id.primaryKey = 1
    let found = try migrate([note] + attachments, from: 3, to: 4)
    let images = found["ImageAttachment"] ?? []
    #expect(images.map { $0.values["width"] } == [.double(5), .double(0)])
    #expect(images.map { $0.values["height"] } == [.double(6), .double(0)])
    #expect(images.map { $0.values["caption"] } == [.string("no image"), .string("no image")])
    #expect(
      found["Note"]?.first?.toMany["attachments"]?.map(\.entityName) == [
        "ImageAttachment", "ImageAttachment",
      ])
  }

  @Test func `from version 1 to 4 at once is the same as step by step`() throws {
    let notes = notes().map { note in
      var note = note
      note.values["image"] = nil
      return note
    }
    let once = try migrate(notes, from: 1, to: 4)
    let stepwise = try migrate(notes, from: 1, to: 2, 3, 4)
    #expect(once == stepwise)
    #expect(Set(once.keys) == ["Note"])
    #expect(once["Note"]?.map { $0.values["title"]?.text } == ["Note 0", "Note 1", "Note 2"])
    // With images on the way.
    let (first, second) = (try migrate(self.notes(), to: 4), try migrate(self.notes(), to: 3, 4))
    #expect(first == second)
  }
}

/// What the app's own policy does, with an image of two bytes.
final class AttachmentToImageAttachmentMigrationPolicyV3toV4: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let made = try manager.destinationContext.insert("ImageAttachment")
    for property in mapping.attributeMappings {
      guard let name = property.value.sourceName else { continue }
      made.setValue(sInstance.value(forKey: name), forKey: property.name)
    }
    if let image = sInstance["image"] as Data?, image.count == 2 {
      made.setValue(Double(image[0]), forKey: "width")
      made.setValue(Double(image[1]), forKey: "height")
    }
    let body = sInstance.value(forKeyPath: "note.body") as? String ?? ""
    made.setValue(String(body.prefix(80)), forKey: "caption")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}

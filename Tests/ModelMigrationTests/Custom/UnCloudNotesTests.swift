import Foundation
import ManagedModel
import ModelFormats
import ModelMapping
import ModelMigration
import TestSupport
import Testing

/// Cases A2 and A3: notes whose images become attachments, and attachments that become images of a known size.
@Suite("UnCloudNotes by its own mapping models", .needsFixtures) struct UnCloudNotesTests {
  static let folder =
    "kodecocodes+cdt-materials/06-versioning-and-migration/projects/final/UnCloudNotes"

  private static func version(_ number: Int) -> String { "UnCloudNotesDataModel v\(number)" }

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

  private func migrate(
    _ notes: [ManagedObject], to number: Int
  ) throws -> [String: [ManagedObject]] {
    let (model, custom) = try project()
    let old = try #require(model.version(named: Self.version(2)))
    let new = try #require(model.version(named: Self.version(number)))
    return try withTemporaryFolder { folder in
      let store = try TestStore(in: folder, of: old, objects: notes)
      let before = try Data(contentsOf: store.url)
      do {
        _ = try migrateStore(
          at: store.url.path, models: [model],
          options: MigrationOptions(
            targetVersion: new.name, allowedLosses: ["MC3111"], keepsBackup: false), custom: custom)
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
    let error = #expect(throws: MigrationValidationError.self) {
      _ = try migrate(notes(dateOfSecond: nil), to: 3)
    }
    #expect(error?.diagnostics.contains { $0.cocoaCode == 1570 } == true, "\(error?.diagnostics ?? [])")
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
    if let image = sInstance.value(forKey: "image") as? Data, image.count == 2 {
      made.setValue(Double(image[0]), forKey: "width")
      made.setValue(Double(image[1]), forKey: "height")
    }
    let body = sInstance.value(forKeyPath: "note.body") as? String ?? ""
    made.setValue(String(body.prefix(80)), forKey: "caption")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }
}

/// LoopKit's mapping model, of which Xcode kept 22 entity mappings, on its genuine store's two versions.
@Suite("LoopKit's mapping model", .needsFixtures) struct LoopKitMappingTests {
  @Test func `it fits its two versions`() throws {
    let folder = "LoopKit+LoopKit/LoopKit/Persistence"
    let model = try #require(
      readXcodeModelPackage(at: Fixtures.url("\(folder)/Model.xcdatamodeld")).model)
    let imported = try readXcodeMappingModel(at: Fixtures.url("\(folder)/Modelv1v4.xcmappingmodel"))
    let mapping = imported.mappingModel
    let source = try #require(model.version(named: mapping.sourceVersionName))
    let destination = try #require(model.version(named: mapping.destinationVersionName))
    let (resolved, diagnostics) = resolveMappingModel([mapping], from: source, to: destination)
    #expect(!diagnostics.hasErrors, "\(diagnostics.filter { $0.severity == .error })")
    let insulin = try #require(resolved.mappings(toEntity: "CachedInsulinDeliveryObject").first)
    // Two attributes of the source stand for one name; each is asked for by its own.
    #expect(
      insulin.propertyMapping(named: "programmedTempBasalRate")?.value.sourceName == "programmedTempBasalRate"
    )
    #expect(
      resolved.mappings(toEntity: "CachedCarbObject").map(\.sourceEntityName) == [
        "CachedCarbObject", "DeletedCarbObject",
      ])
    #expect(resolved.entityMappings.compactMap(\.policyName).count == 2)
    // Without their policies, planning says which are missing.
    let unregistered = resolveMappingModel([mapping], from: source, to: destination, policyNames: [])
    #expect(unregistered.diagnostics.filter { $0.code == .unknownPolicy }.count == 2)
  }
}

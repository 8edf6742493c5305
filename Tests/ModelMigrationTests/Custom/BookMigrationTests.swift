import Foundation
import GRDB
import ManagedModel
import ModelArchives
import ModelFormats
import ModelMigration
import ReleaseChecks
import TestSupport
import Testing

@Suite("BookMigration, with its own policies", .needsFixtures)
struct BookMigrationTests {
  private static let base = "hwaxxer+BookMigration/BookMigration"

  /// A book of the store of 2013, as it was.
  private struct Book: Hashable {
    var title: String
    var author: String
    var file: String
    var isOwned: Bool
  }

  @Test func `both mappings and both policies carry its store from the first version to the third`() throws {
    try withTemporaryFolder { folder in
      let store = TestStore(at: try Fixtures.copyStore("\(Self.base)/Model1.sqlite", into: folder))
      let model = try #require(
        readXcodeModelPackage(at: Fixtures.url("\(Self.base)/Model.xcdatamodeld")).model)
      let books = try store.read(books)
      #expect(books.count == 4)
      let report = try migrateStore(
        at: store.url.path, models: [model],
        options: MigrationOptions(targetVersion: "Model3", acceptedLosses: [.droppedData]),
        custom: CustomMigrations(
          mappingModels: [model.name: try mappings()],
          policies: PolicyRegistry([
            BookMigration.MHWBookToBookPolicy.self, BookMigration.MHWUserToUserPolicy.self,
          ])))
      #expect(report.plan.segments.count == 2)
      let objects = try store.objects(model.last)
      func all(_ entity: String) -> [ManagedObject] { objects.filter { $0.id.entityName == entity } }
      let byID = Dictionary(objects.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      #expect(all("Book").compactMap { $0.values["title"]?.text }.sorted() == books.map(\.title).sorted())
      #expect(Set(all("Author").compactMap { $0.values["name"]?.text }) == Set(books.map(\.author)))
      let written = all("Author").flatMap { author in
        (author.toMany["books"] ?? []).map {
          "\(author.values["name"]?.text ?? "") \(byID[$0]?.values["title"]?.text ?? "")"
        }
      }
      #expect(written.sorted() == books.map { "\($0.author) \($0.title)" }.sorted())
      // A file for each book that somebody has, with the URL that the book had.
      let files = try all("File").map { file -> String in
        #expect(file.toOne["user"] != nil)
        return
          "\(file.toOne["book"].flatMap { byID[$0]?.values["title"]?.text } ?? "") \(try url(file.values["fileURL"]))"
      }
      #expect(files.sorted() == books.filter(\.isOwned).map { "\($0.title) \($0.file)" }.sorted())
      #expect(all("User").map { $0.values["userId"] } == [.integer(1), .integer(1), .integer(1)])
    }
  }

  /// Nothing in the project says what its migration manager does: the mapping of users is first.
  @Test(arguments: [true, false])
  func `two mapping models of a step are no list of their own accord`(hasPolicy: Bool) throws {
    try withTemporaryFolder { folder in
      let store = try Fixtures.copyStore("\(Self.base)/Model1.sqlite", into: folder)
      let model = try #require(
        readXcodeModelPackage(at: Fixtures.url("\(Self.base)/Model.xcdatamodeld")).model)
      var custom = try Project(at: Fixtures.url(Self.base)).customMigrations(for: [model])
      if !hasPolicy {
        custom.mappingModels[model.name] = custom.mappingModels[model.name]?.map { mapping in
          var mapping = mapping
          for index in mapping.entityMappings.indices { mapping.entityMappings[index].policyName = nil }
          return mapping
        }
      }
      let plan = try planMigration(ofStoreAt: store.path, models: [model], custom: custom)
      let found = plan.diagnostics.filter { $0.code.description == "MC4112" }
      #expect(found.map(\.severity) == [hasPolicy ? .error : .warning])
      #expect(found.first?.notes.first?.message.contains("Model2_to_Model3.xcmappingmodel', then '") == true)
    }
  }

  /// As the app has them: of the two for one step that of users first, so that books find them. Its policy for users is
  /// named by no mapping of the published project; here it is.
  private func mappings() throws -> [CustomMappingModel] {
    try ["Model1_to_Model2", "Model2_to_Model3_User", "Model2_to_Model3"].map { name in
      var mapping = try readXcodeMappingModel(at: Fixtures.url("\(Self.base)/\(name).xcmappingmodel"))
        .mappingModel
      for index in mapping.entityMappings.indices
      where mapping.entityMappings[index].sourceEntityName == "User" && name.hasSuffix("_User") {
        mapping.entityMappings[index].policyName = "MHWUserToUserPolicy"
        mapping.entityMappings[index].userInfo = ["modelVersion": "3"]
      }
      return mapping
    }
  }

  private func books(_ db: Database) throws -> [Book] {
    try Row.fetchAll(db, sql: "SELECT ZTITLE, ZAUTHORNAME, ZFILEURL, ZUSER FROM ZBOOK").map { row in
      let data: Data = row[2]
      return Book(
        title: row[0], author: row[1], file: try url(.binary(data)), isOwned: row[3] != nil)
    }
  }

  private func url(_ value: AttributeValue?) throws -> String {
    guard case .binary(let data)? = value else { return "none" }
    return try (data.decodePlainValue() as? String) ?? "no text"
  }
}

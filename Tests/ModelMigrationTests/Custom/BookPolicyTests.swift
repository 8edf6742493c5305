import Foundation
import GRDB
import ManagedModel
import ModelFormats
import ModelMigration
import TestSupport
import Testing

/// What the user info of issue 4's mappings asks of the policy that they name.
final class MHWBookToBookPolicy: EntityMigrationPolicy {
  private var files: [(book: ManagedObject, source: ManagedObject)] = []

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard mapping.userInfo["modelVersion"] == "2" else {
      return try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
    // One book for each title; one author for each name.
    let context = manager.destinationContext
    let title: String = sInstance["title"] ?? ""
    let book: ManagedObject
    if let known = try context.first("Book", having: ["title": title]) {
      book = known
      manager.associate(sourceInstance: sInstance, withDestinationInstance: book, for: mapping)
    } else {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      book = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
    }
    if let name: String = sInstance["authorName"] {
      let author = try context.findOrCreate("Author", having: ["name": name])
      author.mutableSetValue(forKey: "books").add(book)
    }
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    guard mapping.userInfo["modelVersion"] == "3" else { return }
    // A file for each user who has the book.
    for source in manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    {
      for user in source.objects(forKey: "users") {
        let users = manager.destinationInstances(forEntityMappingName: "UserToUser", sourceInstances: [user])
        let file = EntityDescription.insertNewObject(
          forEntityName: "File", into: manager.destinationContext)
        file.setValue(source.value(forKey: "fileURL"), forKey: "fileURL")
        file.setValue(dInstance, forKey: "book")
        file.setValue(users.first, forKey: "user")
      }
    }
  }
}

@Suite("Issue 4's mappings, from the genuine store of 2013", .needsFixtures)
struct BookPolicyTests {
  @Test func `books are told apart by title, authors by name, and files belong to users`() throws {
    let base = "objcio+issue-4-core-data-migration/BookMigration"
    try withTemporaryFolder { folder in
      let store = TestStore(at: try Fixtures.copyStore("\(base)/Model1.sqlite", into: folder))
      let model = try #require(readXcodeModelPackage(at: Fixtures.url("\(base)/Model.xcdatamodeld")).model)
      let mappings = try ["Model1_to_Model2", "Model2_to_Model3", "Model2_to_Model3_User"].map {
        try readXcodeMappingModel(at: Fixtures.url("\(base)/\($0).xcmappingmodel")).mappingModel
      }
      let before = try store.read { db in
        try Row.fetchOne(
          db,
          sql: """
            SELECT (SELECT COUNT(DISTINCT IFNULL(ZTITLE, '')) FROM ZBOOK), (SELECT COUNT(DISTINCT ZAUTHORNAME) FROM ZBOOK),
              (SELECT COUNT(*) FROM ZUSER),
              (SELECT COUNT(*) FROM (SELECT DISTINCT IFNULL(ZTITLE, ''), ZUSER FROM ZBOOK WHERE ZUSER IS NOT NULL))
            """)
      }
      let report = try migrateStore(
        at: store.url.path, models: [model],
        options: MigrationOptions(targetVersion: "Model3", acceptedLosses: [.droppedData]),
        custom: CustomMigrations(
          mappingModels: [model.name: mappings], policies: PolicyRegistry([MHWBookToBookPolicy.self])))
      #expect(report.plan.segments.count == 2)
      let after = try store.read { db in
        try Row.fetchOne(
          db,
          sql: """
            SELECT (SELECT COUNT(*) FROM ZBOOK), (SELECT COUNT(*) FROM ZAUTHOR), (SELECT COUNT(*) FROM ZUSER),
              (SELECT COUNT(*) FROM ZFILE WHERE ZBOOK IS NOT NULL AND ZUSER IS NOT NULL)
            """)
      }
      #expect(after.map { Array($0.databaseValues) } == before.map { Array($0.databaseValues) })
      #expect((after.flatMap { Int.fromDatabaseValue($0[3]) } ?? 0) > 0)
    }
  }
}

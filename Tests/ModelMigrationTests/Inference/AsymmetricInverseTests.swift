import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

/// Inverses that do not agree, as genuine stores have them: each side is a column of its own, and nothing keeps the two
/// in step.
@Suite("Inverses that do not agree") struct AsymmetricInverseTests {
  /// - Parameter back: what the inverse of `Hut.owner` says is its own inverse.
  private func version(_ name: String, back: String?, beds: Bool) -> ModelVersion {
    func toOne(_ name: String, _ destination: String, _ inverse: String?) -> RelationshipDescription {
      RelationshipDescription(
        name: name, destinationEntityName: destination, inverseName: inverse, isOptional: true, maxCount: 1)
    }
    var hut = EntityDescription(
      name: "Hut", relationships: [toOne("owner", "Man", "hut"), toOne("guest", "Man", nil)])
    if beds {
      hut.attributes = [.init(name: "beds", type: .integer16, isOptional: false, defaultValue: .text("2"))]
    }
    let man = EntityDescription(name: "Man", relationships: [toOne("hut", "Hut", back)])
    return ModelVersion(name: name, model: ManagedObjectModel(entities: [hut, man]), origin: .xcode)
  }

  @Test(arguments: [nil, "guest", "hut"], [RouteRequest.clone, .inPlace])
  func `each side goes on as it is`(back: String?, route: RouteRequest) throws {
    let versions = [version("V1", back: back, beds: false), version("V2", back: back, beds: true)]
    #expect(
      checkModel(of: versions[0]).contains { $0.code.description == "MC1302" && $0.severity == .warning })
    let model = VersionedModel(name: "M", versions: versions, currentVersionName: "V2")
    func id(_ entity: String, _ key: Int64) -> ManagedObject.ID { .init(entityName: entity, primaryKey: key) }
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: versions[0],
        objects: [
          ManagedObject("Hut", 1), ManagedObject("Hut", 2), ManagedObject("Man", 1), ManagedObject("Man", 2),
        ])
      // The two sides contradict each other.
      try store.write { db in
        try db.execute(sql: "UPDATE ZHUT SET ZOWNER = 1, ZGUEST = 2 WHERE Z_PK = 1")
        try db.execute(sql: "UPDATE ZMAN SET ZHUT = 2 WHERE Z_PK = 1")
      }
      try store.migrate(model, route: route)
      let objects = try store.objects(versions[1].model)
      #expect(
        objects.first { $0.id == id("Hut", 1) }?.toOne == ["owner": id("Man", 1), "guest": id("Man", 2)])
      #expect(objects.first { $0.id == id("Man", 1) }?.toOne == ["hut": id("Hut", 2)])
      let findings = try store.read { db in
        try verifyStore(db, name: "s", path: store.url.path, among: [model]).findings
      }
      #expect(findings.filter { $0.diagnostic.severity == .error }.isEmpty)
    }
  }
}

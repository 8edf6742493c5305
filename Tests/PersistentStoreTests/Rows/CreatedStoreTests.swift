import Foundation
import GRDB
import ManagedModel
import ModelFormats
import PersistentStore
import TestSupport
import Testing

@Suite struct `Created stores` {
  @Test func `The file is set up as Core Data sets it up`() throws {
    try withNewStore(of: SampleModels.hiking) { db, _, _ throws in
      #expect(try Int.fetchOne(db, sql: "PRAGMA page_size") == 4096)
      #expect(try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 2)
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      #expect(
        try db.readPhysicalSchema().tables.suffix(3).map(\.sql) == [
          SystemTable.primaryKey, SystemTable.metadata, SystemTable.modelCache,
        ])
    }
  }

  @Test(arguments: [419, 637, 1044, 1344])
  func `Every generation of Core Data can be imitated`(framework: Int) throws {
    try withNewStore(of: SampleModels.hiking, frameworkVersion: framework, objects: Hike.objects) {
      db, _, _ in
      let names = try db.readPhysicalSchema().tables.map(\.name)
      #expect(names.contains("Z_MODELCACHE") == (framework > 519))
      #expect(try db.readStoreMetadata().frameworkVersion == framework)
      let (_, diagnostics) = try db.readPhysicalSchema().bound(to: SampleModels.hiking)
      #expect(diagnostics == [])
    }
  }

  @Test(.needsOracle, arguments: ["hiking", "everyType", "genuine"])
  func `The independent oracle finds nothing wrong`(name: String) throws {
    let cases: [(ManagedObjectModel, [ManagedObject])] =
      switch name {
      case "hiking": [(SampleModels.hiking, Hike.objects)]
      case "everyType": [(SampleModels.everyType, [Everything.object])]
      default:
        try GenuineStore.withModelCache.filter { _ in Fixtures.arePresent }.map { (try $0.model(), []) }
      }
    for (model, objects) in cases {
      try withTemporaryFolder { folder in
        let file = folder.appending(path: "New.sqlite")
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db throws in
          _ = try createStore(
            in: db, version: ModelVersion(name: "V1", model: model),
            objects: objects)
        }
        try queue.close()
        try Oracle.expectSound([file], isStrict: true)
      }
    }
  }

  @Test(.needsFixtures, .needsOracle)
  func `A store of every genuine model binds to it and satisfies the oracle`() throws {
    let packages = Fixtures.all(withExtension: "xcdatamodeld")
    try withTemporaryFolder { folder in
      var files: [URL] = []
      for package in packages {
        for version in readXcodeModelPackage(at: package).model?.versions ?? [] {
          let file = folder.appending(path: "\(UUID().uuidString).sqlite")
          let queue = try DatabaseQueue(path: file.path)
          try queue.writeWithoutTransaction { db throws in
            let schema = try createStore(in: db, version: version)
            let (bound, diagnostics) = try db.readPhysicalSchema().bound(to: version.model)
            #expect(diagnostics == [], "\(package.path) \(version.name)")
            #expect(bound.tables.map(\.columns) == schema.tables.map(\.columns))
            #expect(bound.joinTables == schema.joinTables)
          }
          try queue.close()
          // The oracle does not know composites: no genuine store shows them.
          if version.model.composites.isEmpty { files.append(file) }
        }
      }
      #expect(files.count > 100)
      try Oracle.expectSound(files, isStrict: true)
    }
  }
}

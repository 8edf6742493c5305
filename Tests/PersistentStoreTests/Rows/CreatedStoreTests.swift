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
        try readPhysicalSchema(db).tables.suffix(3).map(\.sql) == [
          SystemTable.primaryKey, SystemTable.metadata, SystemTable.modelCache,
        ])
    }
  }

  @Test(arguments: [419, 637, 1044, 1344])
  func `Every generation of Core Data can be imitated`(framework: Int) throws {
    try withNewStore(of: SampleModels.hiking, frameworkVersion: framework, objects: Hike.objects) {
      db, _, _ in
      let names = try readPhysicalSchema(db).tables.map(\.name)
      #expect(names.contains("Z_MODELCACHE") == (framework > 519))
      #expect(try readStoreMetadata(db).frameworkVersion == framework)
      let (_, diagnostics) = bindSchema(try readPhysicalSchema(db), to: SampleModels.hiking)
      #expect(diagnostics == [])
    }
  }

  @Test(
    .enabled(if: Oracle.isPresent, "python3 or ../shared/tools/oracle.py is absent"),
    arguments: ["hiking", "everyType", "genuine"])
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
        let (status, output) = try Oracle.check([file])
        #expect(status == 0, "\(output)")
        #expect(output.contains("1 stores, 0 wrong"))
      }
    }
  }

  @Test(.needsFixtures, .enabled(if: Oracle.isPresent, "python3 or ../shared/tools/oracle.py is absent"))
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
            let (bound, diagnostics) = bindSchema(try readPhysicalSchema(db), to: version.model)
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
      let (status, output) = try Oracle.check(files)
      #expect(
        status == 0, "\(output.split(separator: "\n").filter { !$0.hasPrefix("ok") }.joined(separator: "\n"))"
      )
      #expect(output.contains("\(files.count) stores, 0 wrong"))
    }
  }

  @Test func `A file that holds something is refused`() throws {
    try withNewStore(of: SampleModels.everyType) { db, _, _ throws in
      let error = #expect(throws: DiagnosticsError.self) {
        try createStore(
          in: db, version: ModelVersion(name: "V1", model: SampleModels.everyType))
      }
      #expect(error?.diagnostics.map(\.code) == [.storeWriteFailed])
    }
  }
}

/// The independent check of `../shared/tools/oracle.py`.
enum Oracle {
  static let script = Fixtures.root.deletingLastPathComponent().appending(path: "tools/oracle.py")
  static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/root/.pyenv/shims/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static var isPresent: Bool { python != nil && FileManager.default.fileExists(atPath: script.path) }

  static func check(_ stores: [URL]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = [script.path, "--strict"] + stores.map(\.path)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@testable import ModelMigration

/// A photo of its own for each person, in a file where it is large.
@Suite("Merging stores with large values and one-to-one relationships") struct MergeLargeValueTests {
  private static let model = modelOf(
    """
    Person
      name: string
      photo -> Photo.person
    Photo
      data: binary?, external
      person -> Person.photo
    """)

  private func store(_ name: String, in folder: URL, _ people: [(String, UInt8, Int)]) throws -> TestStore {
    let store = try TestStore(
      name, in: folder, of: ModelVersion(name: "V1", model: Self.model), usesWAL: false,
      objects: people.enumerated().flatMap { index, person -> [ManagedObject] in
        let (id, photo) = (
          ManagedObject.ID(entityName: "Person", primaryKey: Int64(index + 1)),
          ManagedObject.ID(entityName: "Photo", primaryKey: Int64(index + 1))
        )
        return [
          ManagedObject(
            "Person", id.primaryKey, values: ["name": .string(person.0)], toOne: ["photo": photo]),
          ManagedObject("Photo", photo.primaryKey, toOne: ["person": id]),
        ]
      })
    let folder = URL(filePath: ExternalFolder.support.path(ofStoreAt: store.url.path)).appending(
      path: "_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try store.write { db in
      for (index, person) in people.enumerated() {
        let data = Data(repeating: person.1, count: person.2)
        let file = UUID().uuidString
        let isLarge = person.2 > 1_000
        if isLarge { try data.write(to: folder.appending(path: file)) }
        try db.execute(
          sql: "UPDATE ZPHOTO SET ZDATA = ? WHERE Z_PK = ?",
          arguments: [isLarge ? Data([2]) + Data(file.utf8) + Data([0]) : Data([1]) + data, index + 1])
      }
    }
    return store
  }

  private func merge(_ old: TestStore, into new: TestStore, _ rules: MergeRules) throws -> MergeReport {
    var options = MigrationOptions()
    options.keepsBackup = false
    return try rules.merge(
      storeAt: old.url.path, into: new.url.path, models: [versionedModel([Self.model])], options: options)
  }

  private func photos(_ store: TestStore) throws -> [String] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql:
          "SELECT p.ZNAME, f.ZDATA FROM ZPERSON p JOIN ZPHOTO f ON f.Z_PK = p.ZPHOTO AND f.ZPERSON = p.Z_PK ORDER BY 1"
      )
    }.map { row in
      let (name, cell) = (String.fromDatabaseValue(row[0]) ?? "", Data.fromDatabaseValue(row[1]) ?? Data())
      let file = String(decoding: cell.dropFirst().dropLast(), as: UTF8.self)
      let data =
        cell.first == 2 ? try readExternalData(file, ofStoreAt: store.url.path) ?? Data() : cell.dropFirst()
      return "\(name) \(data.first ?? 0) \(data.count)"
    }
  }

  @Test func `values in files are compared, and go along`() throws {
    try withTemporaryFolder { folder in
      let size = 300_000
      let old = try store("Old.sqlite", in: folder, [("A", 1, size), ("B", 2, size), ("C", 3, 10)])
      let new = try store("New.sqlite", in: folder, [("B", 2, size), ("A", 9, size)])
      let rules = MergeRules(match: ["Person": ["name"], "Photo": ["person"]])
      #expect(try merge(old, into: new, rules).entities.map(\.added) == [1, 1])
      #expect(try photos(new) == ["A 9 \(size)", "B 2 \(size)", "C 3 10"])
      // The photo of A is another one, that of B the same.
      var replacing = rules
      replacing.existing = ["Photo": .replace]
      #expect(try merge(old, into: new, replacing).entities.map(\.changed) == [0, 1])
      #expect(try photos(new) == ["A 1 \(size)", "B 2 \(size)", "C 3 10"])
      #expect(try merge(old, into: new, replacing).hasChanges == false)
    }
  }

  @Test func `what is only filled keeps its own file, though both have one of that name`() throws {
    try withTemporaryFolder { folder in
      let size = 300_000
      let new = try store("New.sqlite", in: folder, [("A", 1, size)])
      let old = try new.copy(named: "Old.sqlite")
      let files = ExternalFolder.support.path(ofStoreAt: old.url.path)
      try FileManager.default.copyItem(
        atPath: ExternalFolder.support.path(ofStoreAt: new.url.path), toPath: files)
      let data = URL(filePath: files).appending(path: "_EXTERNAL_DATA")
      for name in try FileManager.default.contentsOfDirectory(atPath: data.path) {
        try Data(repeating: 9, count: size).write(to: data.appending(path: name))
      }
      let rules = MergeRules(match: ["Person": ["name"], "Photo": ["person"]], existingElsewhere: .fill)
      _ = try merge(old, into: new, rules)
      #expect(try photos(new) == ["A 1 \(size)"])
      // Where the value is nil, the other store's file comes along.
      try new.write { try $0.execute(sql: "UPDATE ZPHOTO SET ZDATA = NULL") }
      try FileManager.default.removeItem(atPath: ExternalFolder.support.path(ofStoreAt: new.url.path))
      _ = try merge(old, into: new, rules)
      #expect(try photos(new) == ["A 9 \(size)"])
    }
  }

  @Test func `a value whose file is missing makes no object another one, and replaces nothing`() throws {
    try withTemporaryFolder { folder in
      let size = 300_000
      let new = try store("New.sqlite", in: folder, [("A", 1, size), ("B", 2, size)])
      // Without the folder of large values, as when a store's file alone is copied.
      let old = try new.copy(named: "Old.sqlite")
      let rules = MergeRules(match: ["Person": ["name"], "Photo": ["data"]])
      let report = try merge(old, into: new, rules)
      #expect(!report.hasChanges)
      #expect(report.diagnostics.map(\.code) == [.externalDataMissing])
      // Of a file that is nowhere.
      let cell = Data([2]) + Data(UUID().uuidString.utf8) + Data([0])
      try old.write { try $0.execute(sql: "UPDATE ZPHOTO SET ZDATA = ?", arguments: [cell]) }
      let replacing = MergeRules(
        match: ["Person": ["name"], "Photo": ["person"]], existingElsewhere: .replace)
      #expect(try merge(old, into: new, replacing).hasChanges == false)
      #expect(try photos(new) == ["A 1 \(size)", "B 2 \(size)"])
      try new.write { try $0.execute(sql: "UPDATE ZPHOTO SET ZDATA = NULL") }
      let filling = MergeRules(match: replacing.match, existingElsewhere: .fill)
      #expect(try merge(old, into: new, filling).hasChanges == false)
      #expect(try photos(new) == ["A 0 0", "B 0 0"])
    }
  }

  @Test func `a second photo of one person is refused, not dropped`() throws {
    try withTemporaryFolder { folder in
      let old = try store("Old.sqlite", in: folder, [("A", 1, 300_000)])
      let new = try store("New.sqlite", in: folder, [("A", 9, 300_000)])
      let bytes = try Data(contentsOf: new.url)
      let error = #expect(throws: DiagnosticsError.self) {
        try merge(old, into: new, MergeRules(match: ["Person": ["name"]]))
      }
      #expect(error?.diagnostics.map(\.code) == [.partnerTaken])
      #expect(try Data(contentsOf: new.url) == bytes)
    }
  }
}

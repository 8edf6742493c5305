import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import PersistentStore

/// A store with one file of external data, and another store that is to have its values.
struct ExternalDataTrial {
  static let name = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
  let folder: URL
  let store: URL
  let output: URL

  init(in folder: URL) throws {
    self.folder = folder
    store = folder.appending(path: "Diary.sqlite")
    output = folder.appending(path: "New.sqlite")
    try makeStore(at: store)
    try FileManager.default.createDirectory(at: files(of: store), withIntermediateDirectories: true)
    try Data("large".utf8).write(to: files(of: store).appending(path: Self.name))
  }

  func files(of store: URL) -> URL {
    let stem = store.deletingPathExtension().lastPathComponent
    return store.deletingLastPathComponent().appending(path: ".\(stem)_SUPPORT/_EXTERNAL_DATA")
  }

  /// What puts values into the folder of a store.
  static func work(for store: String, like original: String) throws -> MigratedExternalData {
    try MigratedExternalData(
      forStoreAt: store, like: StoreFile(path: original), seed: "V1/V2", isNew: store != original)
  }

  /// Puts one value, large enough for a file of its own.
  static func put(_ number: Int64, into work: MigratedExternalData, bytes: Int = 150_000) throws -> String? {
    let id = ManagedObject.ID(entityName: "Note", primaryKey: number)
    return try work.store(Data(repeating: UInt8(number), count: bytes), of: id, property: "image")
  }
}

@Suite("External data that a work takes along or makes")
struct ExternalDataTests {
  @Test func `files with Core Data's names go along, links and other files do not`() throws {
    try withTemporaryFolder { folder in
      let trial = try ExternalDataTrial(in: folder)
      let source = trial.files(of: trial.store)
      try Data("other".utf8).write(to: source.appending(path: "notes.txt"))
      try FileManager.default.createSymbolicLink(
        at: source.appending(path: UUID().uuidString), withDestinationURL: trial.store)
      let work = try ExternalDataTrial.work(for: trial.output.path, like: trial.store.path)
      try work.copyFiles(ofStoreAt: trial.store.path)
      #expect(try listing(of: folder).contains { $0.hasSuffix(".external") })
      work.keep()
      #expect(try listing(of: folder) == [".Diary_SUPPORT", ".New_SUPPORT", "Diary.sqlite"])
      #expect(try listing(of: trial.files(of: trial.output)) == [ExternalDataTrial.name])
      // Another store's folder is not written to.
      let second = try ExternalDataTrial.work(for: trial.output.path, like: trial.store.path)
      #expect(codes { try second.copyFiles(ofStoreAt: trial.store.path) } == ["MC6003"])
      second.discard()
      #expect(try listing(of: trial.files(of: trial.output)) == [ExternalDataTrial.name])
    }
  }

  @Test(arguments: ["support", "data"])
  func `a folder that is a link is neither read nor written`(which: String) throws {
    try withTemporaryFolder { folder in
      let trial = try ExternalDataTrial(in: folder)
      let support = folder.appending(path: ".Diary_SUPPORT")
      let place = which == "support" ? support : support.appending(path: "_EXTERNAL_DATA")
      let elsewhere = folder.appending(path: "elsewhere")
      try FileManager.default.moveItem(at: place, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: elsewhere)
      let before = try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path).sorted()
      #expect(
        codes { _ = try readExternalData(ExternalDataTrial.name, ofStoreAt: trial.store.path) } == ["MC5308"])
      let copy = try ExternalDataTrial.work(for: trial.output.path, like: trial.store.path)
      #expect(codes { try copy.copyFiles(ofStoreAt: trial.store.path) } == ["MC5308"])
      copy.discard()
      let work = try ExternalDataTrial.work(for: trial.store.path, like: trial.store.path)
      #expect(codes { _ = try ExternalDataTrial.put(1, into: work) } == ["MC5308"])
      work.discard()
      #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path).sorted() == before)
      #expect(try listing(of: folder) == [".Diary_SUPPORT", "Diary.sqlite", "elsewhere"])
    }
  }

  @Test func `a store without large values has no folder to copy`() throws {
    try withTemporaryFolder { folder in
      let trial = try ExternalDataTrial(in: folder)
      try FileManager.default.removeItem(at: trial.files(of: trial.store))
      let work = try ExternalDataTrial.work(for: trial.output.path, like: trial.store.path)
      try work.copyFiles(ofStoreAt: trial.store.path)
      work.keep()
      #expect(try listing(of: folder) == [".Diary_SUPPORT", "Diary.sqlite"])
    }
  }

  @Test func `what is discarded leaves the files that were there`() throws {
    try withTemporaryFolder { folder in
      let trial = try ExternalDataTrial(in: folder)
      let before = try listing(of: folder)
      for isNew in [true, false] {
        let store = isNew ? trial.output : trial.store
        let work = try ExternalDataTrial.work(for: store.path, like: trial.store.path)
        #expect(try ExternalDataTrial.put(1, into: work) != nil)
        #expect(try ExternalDataTrial.put(2, into: work, bytes: 1000) == nil)
        #expect(try listing(of: trial.files(of: store)).count == (isNew ? 1 : 2))
        work.discard()
        #expect(try listing(of: folder) == before)
        #expect(try listing(of: trial.files(of: trial.store)) == [ExternalDataTrial.name])
      }
    }
  }

  /// A signal that comes later would remove the folder of another store that then has the name.
  @Test(arguments: [true, false])
  func `a new store that fails leaves no folder to be removed`(isFree: Bool) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "New.sqlite").path
      if !isFree { try Data().write(to: folder.appending(path: ".New_SUPPORT")) }
      let writer = ExternalDataWriter(storeAt: store, uuid: UUID())
      let id = ManagedObject.ID(entityName: "Note", primaryKey: 1)
      let isWritten = (try? writer.store(Data(count: 150_000), of: id, property: "image")) != nil
      #expect(isWritten == isFree)
      writer.discard()
      let support = ExternalFolder.support.path(ofStoreAt: store)
      #expect(FileManager.default.fileExists(atPath: support) != isFree)
      #expect(!UnfinishedFiles.paths.withLock { $0.contains(support) })
    }
  }

  @Test func `a second migration of the kind leaves the first one's files alone`() throws {
    try withTemporaryFolder { folder in
      let trial = try ExternalDataTrial(in: folder)
      let first = try ExternalDataTrial.work(for: trial.store.path, like: trial.store.path)
      let kept = try #require(try ExternalDataTrial.put(1, into: first))
      first.keep()
      let second = try ExternalDataTrial.work(for: trial.store.path, like: trial.store.path)
      let name = try #require(try ExternalDataTrial.put(1, into: second))
      #expect(name != kept)
      second.discard()
      #expect(try listing(of: trial.files(of: trial.store)) == [ExternalDataTrial.name, kept].sorted())
    }
  }
}

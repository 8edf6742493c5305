import Foundation
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite("Whose a store is, and who may read it, stays", .needsPython) struct AttributesTests {
  private func permissions(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
  }

  private func python(_ script: String, _ path: String) throws -> String {
    try OtherProcess.text(of: Python.run(["-c", "import os, sys; " + script, path]))
  }

  #if os(Linux)
    @Test(arguments: ["WAL", "DELETE"])
    func `extended attributes stay`(mode: String) throws {
      try withTemporaryFolder(isOnDisk: true) { folder in
        let store = folder.appending(path: "s.sqlite")
        try makeStore(at: store, journalMode: mode)
        let answer = try python("os.setxattr(sys.argv[1], 'user.tag', b'red')", store.path)
        // Not every file system keeps any.
        guard answer.isEmpty else { return }
        let replacement = try StoreReplacement(path: store.path)
        _ = try replacement.beginClone()
        let backup = try #require(try replacement.commit(backupVersion: "V1"))
        for path in [store.path, backup.path] {
          #expect(try python("print(os.getxattr(sys.argv[1], 'user.tag').decode())", path) == "red")
        }
      }
    }

    @Test func `a resting connection of another program is seen`() throws {
      try withTemporaryFolder { folder in
        let store = folder.appending(path: "s.sqlite")
        try makeStore(at: store)
        let other = try OtherProcess(holding: store, ["SELECT count(*) FROM ZNOTE"])
        let names = try listing(of: folder)
        let finding = try refusal { _ = try StoreReplacement(path: store.path) }
        #expect(finding.code.description == "MC5305")
        #expect(finding.notes.contains { $0.message.contains("python3") })
        #expect(try listing(of: folder) == names)
        let forced = try StoreReplacement(path: store.path, ignoresIdleConnections: true)
        _ = try forced.beginClone(keepsBackup: false)
        _ = try forced.commit(backupVersion: nil)
        other.end()
        #expect(codes { try StoreReplacement(path: store.path).cancel() } == [])
      }
    }

    /// As a program does that another started, until it is loaded: it holds its parent's files.
    @Test func `a program that lets go of the store at once is waited for`() throws {
      try withTemporaryFolder { folder in
        let store = folder.appending(path: "s.sqlite")
        try makeStore(at: store)
        let other = try OtherProcess(holding: store, ["SELECT count(*) FROM ZNOTE"], seconds: 0.3)
        try StoreReplacement(path: store.path).cancel()
        other.end()
      }
    }
  #endif

  @Test(arguments: ["WAL", "DELETE"])
  func `no part of it can be read by others while it is replaced`(mode: String) throws {
    try withTemporaryFolder { folder in
      let store = folder.appending(path: "s.sqlite")
      try makeStore(at: store, journalMode: mode)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.path)
      func expectPrivate() throws {
        for name in try listing(of: folder) {
          #expect(try permissions(folder.appending(path: name).path) & 0o077 == 0, "\(name)")
        }
      }
      let replacement = try StoreReplacement(path: store.path)
      _ = try replacement.beginClone()
      replacement.willPerform = { _ in try expectPrivate() }
      _ = try replacement.commit(backupVersion: "V1")
      try expectPrivate()
    }
  }

  @Test func `the folders of external data are as private as they were`() throws {
    try withTemporaryFolder { folder in
      let data = folder.appending(path: ".A_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      let name = UUID().uuidString
      try Data("large".utf8).write(to: data.appending(path: name))
      for (path, mode) in [(data.path, 0o700), (data.deletingLastPathComponent().path, 0o750)] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: data.appending(path: name).path)
      let store = folder.appending(path: "A.sqlite")
      try makeStore(at: store)
      let work = try MigratedExternalData(
        forStoreAt: folder.appending(path: "B.sqlite").path, like: StoreFile(path: store.path), seed: "",
        isNew: true)
      try work.copyFiles(ofStoreAt: store.path)
      work.keep()
      let copy = folder.appending(path: ".B_SUPPORT").path
      #expect(try permissions(copy) == 0o750)
      #expect(try permissions(copy + "/_EXTERNAL_DATA") == 0o700)
      #expect(try permissions(copy + "/_EXTERNAL_DATA/\(name)") == 0o600)
    }
  }
}

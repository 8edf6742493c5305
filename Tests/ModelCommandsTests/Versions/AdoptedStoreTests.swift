import Foundation
import GRDB
import ManagedModel
import ModelCommands
import PersistentStore
import TestSupport
import Testing

/// What is adopted of a store can be compiled, copied and changed.
@Suite("Adopted stores have a second version") struct AdoptedStoreTests {
  /// Adopts, compiles, begins a change and a copy, and compiles both.
  ///
  /// - Returns: false for a store without a model cache, of which there is nothing to adopt.
  private func hasSecondVersion(_ store: String, in folder: URL) -> Bool {
    let place = ["-C", folder.path, "-q"]
    let code = ModelcCommand.run(["adopt", store] + place)
    if code == 3 { return false }
    #expect(code == 0, "\(store)")
    for arguments in [
      ["compile"], ["version", "new", "Second", "--extends"], ["compile"],
      ["version", "new", "Third", "--current"], ["compile"], ["check"],
    ] { #expect(ModelcCommand.run(arguments + place) == 0, "\(arguments) \(store)") }
    return true
  }

  /// Every third; with `MODELC_SEEDS` all.
  @Test(.needsFixtures) func `every genuine store that carries its model`() throws {
    let stores = Fixtures.all(withExtension: "sqlite") + Fixtures.all(withExtension: "moody")
    var adopted = 0
    for (index, store) in stores.enumerated() where Fixtures.areWhole || index % 3 == 0 {
      try withTemporaryFolder { folder in
        let path = store.path.dropFirst(Fixtures.root.path.count + 1)
        let copy = try Fixtures.copyStore(String(path), into: folder)
        adopted += hasSecondVersion(copy.path, in: folder.appending(path: "P")) ? 1 : 0
      }
    }
    print("adopted stores: \(adopted) of \(stores.count)")
    #expect(adopted >= (Fixtures.areWhole ? 17 : 5))
  }

  /// As Apple's own stores have them: indexes over `entity`, two of one name, a log larger than the store; names of 300
  /// characters and of other scripts, in a folder that nothing can be written to, with blanks in its name.
  @Test func `a model with what only Apple's models have`() throws {
    let long = String(repeating: "n", count: 300)
    func index(_ name: String, _ properties: String...) -> FetchIndexDescription {
      FetchIndexDescription(name: name, elements: properties.map { FetchIndexElement(property: $0) })
    }
    let entity = EntityDescription(
      name: "Ort",
      attributes: ["identifier", long, "名前"].map {
        AttributeDescription(name: $0, type: .string, isOptional: true)
      },
      fetchIndexes: [
        index("identifier", "entity", "identifier"), index("identifier", "identifier"),
        index(long, long, "名前"),
      ], compoundIndexes: [["identifier", "entity"]])
    try withTemporaryFolder { folder in
      let closed = folder.appending(path: "read only")
      try FileManager.default.createDirectory(at: closed, withIntermediateDirectories: true)
      let store = closed.appending(path: "a store.sqlite").path
      let queue = try DatabaseQueue(path: store)
      let version = ModelVersion(name: "V1", model: ManagedObjectModel(entities: [entity]))
      try queue.writeWithoutTransaction { db in
        try createStore(in: db, version: version)
        let row =
          "INSERT INTO ZORT (Z_PK, Z_ENT, Z_OPT, ZIDENTIFIER) VALUES (?, 1, 1, hex(randomblob(40000)))"
        for key in 1...20 { try db.execute(sql: row, arguments: [key]) }
      }
      // With the connection open its log stays.
      let size = try FileManager.default.attributesOfItem(atPath: store + "-wal")[.size] as? Int ?? 0
      let own = try FileManager.default.attributesOfItem(atPath: store)[.size] as? Int ?? 0
      #expect(size > own)
      func allow(_ permissions: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      }
      for name in ["", "-wal"] { try allow(0o400, store + name) }
      try allow(0o500, closed.path)
      defer { try? allow(0o700, closed.path) }
      #expect(hasSecondVersion(store, in: folder.appending(path: "Ein Projekt")))
      try queue.close()
    }
  }
}

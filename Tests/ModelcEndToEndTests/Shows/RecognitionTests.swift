import Foundation
import TestSupport
import Testing

@Suite("Inspect recognises every genuine store by its hashes", .needsFixtures)
struct RecognitionTests {
  @Test(arguments: GenuineModel.stores)
  func `exactly the version that the store's app had`(_ store: GenuineModel.Store) throws {
    try Workplace.with(store.package) { place in
      let path = try place.copyStore(store.path)
      let before = try place.snapshot()
      let run = try place.modelc("inspect", path, "-C", "T", "--format", "json")
      expectSuccess(run)
      #expect(run.stderr.isEmpty)
      let record = try run.decoded(as: InspectionRecord.self)
      #expect(record.versions == [store.version])
      #expect(record.recognisedBy == "hashes")
      #expect(record.store == path)
      #expect(record.nearest.isEmpty)

      let genuine = try versionHashes(of: Fixtures.url(store.path)).mapValues(\.hexadecimal)
      #expect(Dictionary(uniqueKeysWithValues: record.entities.map { ($0.name, $0.hash) }) == genuine)
      #expect(record.metadata.hashes == genuine)
      let counts = try rowCounts(of: Fixtures.url(store.path))
      #expect(record.entities.reduce(0) { $0 + $1.rows } == counts.values.reduce(0, +))
      #expect(try place.snapshot() == before)

      let text = try place.modelc("inspect", path, "-C", "T")
      expectSuccess(text)
      #expect(text.stdout.hasPrefix("\(path): \(store.version) of "), "\(text)")
    }
  }

  @Test func `without a model a store still tells what it holds`() throws {
    try withTemporaryFolder { folder in
      let path = try Workplace(folder: folder).copyStore(GenuineModel.moody.stores[0].path)
      let run = try Modelc.run("inspect", path, "--format", "json", in: folder)
      expectSuccess(run)
      let record = try run.decoded(as: InspectionRecord.self)
      #expect(record.versions == [])
      #expect(record.recognisedBy == "none")
      #expect(record.uuid == "374C5961-3E41-43E5-915C-383EA914074C")
      #expect(record.entities.first { $0.name == "Mood" }?.rows == 4)
    }
  }

  @Test func `a store of another app is inspected with the nearest version and what differs`() throws {
    try Workplace.with(GenuineModel.bookmarks.package) { place in
      let path = try place.copyStore(GenuineModel.bookmarks.stores[3].path)
      // Without its own version the store comes nearest to its neighbours.
      try place.replace("  - BookmarksModel 4\n", with: "", in: "T/Models/BookmarksModel/versions.yaml")
      let run = try place.modelc("inspect", path, "-C", "T", "--format", "json")
      expectSuccess(run)
      let record = try run.decoded(as: InspectionRecord.self)
      #expect(record.versions == [])
      let nearest = try #require(record.nearest.first)
      #expect(!nearest.differing.isEmpty)
      #expect(["BookmarksModel 3", "BookmarksModel 5"].contains(nearest.version))
    }
  }
}

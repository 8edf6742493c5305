import Foundation
import TestSupport
import Testing

@Suite("Several models in one project", .needsFixtures)
struct SeveralModelsTests {
  /// Moody, Bookmarks and LoopKit's Model in one project, and a store of each.
  private func withModels(_ body: (_ place: Workplace, _ stores: [String]) throws -> Void) throws {
    let models: [GenuineModel] = [.moody, .bookmarks, .loopKit]
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let packages = models.map { Fixtures.url($0.package).path }
      expectSuccess(try Modelc.run(["adopt", "-C", "T"] + packages, in: folder))
      try body(place, models.map { try place.copyStore($0.stores[$0.stores.count - 1].path) })
    }
  }

  @Test func `a store finds its model by its hashes`() throws {
    try withModels { place, stores in
      let run = try Modelc.run(["inspect", "-C", "T", "--format", "json"] + stores, in: place.folder)
      expectSuccess(run)
      let records = try run.decoded(as: [InspectionRecord].self)
      #expect(records.map(\.versions) == [["Moody 5"], ["BookmarksModel 5"], ["Model"]])
      expectSuccess(try place.modelc("migrate", stores[1], "-C", "T"))
    }
  }

  @Test func `with --model it is held against that one only`() throws {
    try withModels { place, stores in
      expectRefusal(try place.modelc("plan", stores[1], "-C", "T", "--model", "Moody"), "MC5102", exit: 3)
      expectSuccess(try place.modelc("plan", stores[1], "-C", "T", "--model", "BookmarksModel"))
      let unknown = try place.modelc("plan", stores[1], "-C", "T", "--model", "Bookmarks")
      expectRefusal(unknown, "MC0009", exit: 2)
      #expect(unknown.stderr.contains("models there: BookmarksModel, Model, Moody"))
    }
  }

  @Test func `compile takes all of them, or the ones that are named`() throws {
    try withModels { place, _ in
      let all = try place.modelc("compile", "-C", "T", "--format", "json")
      #expect(
        try all.decoded(as: [BundleRecord].self).map(\.bundle) == [
          "T/Build/BookmarksModel.momd", "T/Build/Model.momd", "T/Build/Moody.momd",
        ])
      let one = try place.modelc("compile", "Moody", "-C", "T", "-o", "Out", "--format", "json")
      #expect(try one.decoded(as: BundleRecord.self).bundle == "Out/Moody.momd")
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.url("Out").path) == ["Moody.momd"])
    }
  }

  @Test func `a version of another model is no target`() throws {
    try withModels { place, stores in
      let run = try place.modelc("plan", stores[1], "-C", "T", "--to", "Moody 6")
      expectRefusal(run, "MC2101", exit: 2)
      #expect(run.stderr.contains("BookmarksModel 6"))
      #expect(!run.stderr.contains("Moody 5"))
    }
  }
}

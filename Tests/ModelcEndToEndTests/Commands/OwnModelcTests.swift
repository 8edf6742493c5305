import Foundation
import TestSupport
import Testing

/// A package outside this repository that depends on it by path and brings its own policy along.
///
/// It builds everything anew, which takes minutes: `.ci/run` asks for it, plain `swift test` does not.
@Suite(
  "A modelc of one's own",
  .enabled(
    if: ProcessInfo.processInfo.environment["MODELC_OWN_PACKAGE"] != nil, "MODELC_OWN_PACKAGE is not set"))
struct OwnModelcTests {
  @Test func `a package that init writes builds, and runs with its own policy`() throws {
    let modelc = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      expectSuccess(try place.modelc("demo", "Demo"))
      expectSuccess(try place.modelc("init", "P", "--sample", "--modelc", modelc.path))
      let place_ = "P/Migrations/Policies"
      try place.write(Self.policy, to: "\(place_)/RegionPolicy.swift")
      try place.replace("= []", with: "= [RegionPolicy.self]", in: "\(place_)/policies.swift")
      try FileManager.default.moveItem(
        at: place.url("Demo/Diary.sqlite.V1.backup"), to: place.url("Diary.sqlite"))
      let run = try runSwift(
        "run", "--package-path", "P", "project-modelc", "migrate", "Diary.sqlite", "-C", "P", in: folder)
      #expect(run.code == 0, "\(run.text)")
      let names = try withStore(place.url("Diary.sqlite")) { db in
        try rows("SELECT ZNAME FROM ZREGION ORDER BY ZNAME", in: db)
      }
      #expect(names == ["ALPS", "ENGADIN", "TICINO", "VALLAIS"])
    }
  }

  private static let policy = """
    import ModelMigration

    final class RegionPolicy: EntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let made = manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        guard let name = sInstance["areaName"] as String?, let trail = made.first else { return }
        trail["inRegion"] = try manager.destinationContext.findOrCreate(
          "Region", having: ["name": name.uppercased()])
      }
    }

    """
}

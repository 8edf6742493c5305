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

  /// From MC4201 in an app's repository to a check that has the policies, by nothing but what is printed.
  @Test(.needsFixtures) func `the printed mend of a policy that is not there builds as it is written`() throws
  {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FileManager.default.copyItem(
        at: Fixtures.url("objcio+issue-4-core-data-migration/BookMigration"),
        to: folder.appending(path: "My App"))
      let check = try place.modelc("check", "--level", "path")
      #expect(check.code == 0 && check.stdout.contains("MC4201"), "\(check)")
      #expect(check.stdout.contains("init --policies` writes"), "\(check)")
      let before = try place.snapshot(".").names
      let run = try place.modelc("init", "--policies")
      expectSuccess(run)
      let tools = place.url("Tools").path
      let added = try place.snapshot(".").names.filter { !before.contains($0) }
      #expect(added.allSatisfy { place.url($0).path.hasPrefix(tools) || $0.hasPrefix("Tools") }, "\(added)")
      // The command that is printed, as it is printed.
      let line = try #require(run.stderr.split(separator: "\n").first { $0.contains("swift run") })
      let words = line.split(separator: " ").map(String.init)
      #expect(words.first == "swift" && words.last == "check", "\(line)")
      let arguments = Array(words.dropFirst())
      let unported = try runSwift(arguments + ["--level", "path"], in: folder)
      #expect(unported.code == 0, "\(unported.text)")
      #expect(unported.text.contains("MC4201") && unported.text.contains("not ported"), "\(unported.text)")
      let plan = try runSwift(
        Array(arguments.dropLast()) + ["plan", "My App/Model1.sqlite", "--to", "Model2"], in: folder)
      #expect(plan.code != 0 && plan.text.contains("MC4201"), "\(plan.text)")
      for name in ["MHWBookToBookPolicy", "MHWUserToUserPolicy"] {
        let file = "Tools/Migrations/Sources/Policies/\(name).swift"
        guard FileManager.default.fileExists(atPath: place.url(file).path) else { continue }
        try place.replace(
          ": UnportedPolicy {",
          with: ": NSEntityMigrationPolicy {\n  static private var known: [UUID: NSManagedObject] = [:]\n",
          in: file)
      }
      let ported = try runSwift(arguments + ["--level", "path"], in: folder)
      #expect(ported.code == 0 && !ported.text.contains("MC4201"), "\(ported.text)")
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

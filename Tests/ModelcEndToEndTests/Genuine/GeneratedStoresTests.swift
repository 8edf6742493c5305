import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite("Stores generated from every version of every genuine model", .needsFixtures)
struct GeneratedStoresTests {
  static let packages = Fixtures.all(withExtension: "xcdatamodeld").filter(hasSeveralVersions).map {
    String($0.path.dropFirst(Fixtures.root.path.count + 1))
  }

  private static func hasSeveralVersions(_ package: URL) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: package.path)
    return (names ?? []).filter { $0.hasSuffix(".xcdatamodel") }.count > 1
  }

  /// What stands against a way although losses are accepted; every other way is open.
  ///
  /// MC3101, MC3102: something new is required and nothing tells its value. MC3106: a relationship leads to objects
  /// in another table. MC3202: two properties claim one renaming identifier.
  static let refusals = [
    "Model → Modelv4": ["MC3202"],
    "Moody → Moody 6": ["MC3102"], "Moody 2 → Moody 3": ["MC3102"],
    "SubstrateDataModel_v3 → SubstrateDataModel_v4": ["MC3106"],
    "SubstrateDataModel → SubstrateDataModel_v8": ["MC3106"],
    "MultiassetUserDataModel_v10 → MultiassetUserDataModel_v11": ["MC3101"],
  ]

  @Test(.needsOracle, arguments: packages)
  func `each goes to the next version and the first to the last, or is refused`(_ package: String) throws {
    let model = try #require(readXcodeModelPackage(at: Fixtures.url(package)).model)
    let versions = model.versions
    let ways =
      Array(zip(versions, versions.dropFirst()))
      + Array(zip(versions.prefix(1), versions.dropFirst(2).suffix(1)))
    try withTemporaryFolder { folder in
      var migrated: [URL] = []
      for (version, target) in ways {
        let way = "\(version.name) → \(target.name)"
        let store = folder.appending(path: "\(way)/s.sqlite")
        try FileManager.default.createDirectory(
          at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        try writeGeneratedStore(of: version, to: store)
        let outcome = try migrate(store, of: model, to: target.name, allowing: ["MC3111"])
        #expect(outcome == Outcome(Self.refusals[way] ?? []), "\(model.name): \(way)")
        if outcome == .migrated { migrated.append(store) }
      }
      #expect(!ways.isEmpty)
      if !migrated.isEmpty { try Oracle.expectSound(migrated) }
    }
  }
}

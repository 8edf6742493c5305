import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// Single steps are tried by `EveryStepTests`, on every route.
@Suite("Stores generated from the first version of every genuine model", .needsFixtures)
struct GeneratedStoresTests {
  static let packages = Fixtures.all(withExtension: "xcdatamodeld").filter(hasSeveralVersions).map {
    String($0.path.dropFirst(Fixtures.root.path.count + 1))
  }

  private static func hasSeveralVersions(_ package: URL) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: package.path)
    return (names ?? []).filter { $0.hasSuffix(".xcdatamodel") }.count > 2
  }

  /// What stands against a way although losses are accepted; every other way is open.
  ///
  /// MC3102: a new relationship is required and nothing tells where it leads. MC3106: one leads to objects in another
  /// table.
  static let refusals = [
    "Moody → Moody 6": ["MC3102"], "SubstrateDataModel → SubstrateDataModel_v8": ["MC3106"],
  ]

  @Test(.needsOracle) func `go to the last version, or are refused`() throws {
    try withTemporaryFolder { folder in
      var migrated: [URL] = []
      for (index, package) in Self.packages.enumerated() {
        let model = try #require(readXcodeModelPackage(at: Fixtures.url(package)).model)
        let (first, last) = try (#require(model.versions.first), #require(model.versions.last))
        let way = "\(first.name) → \(last.name)"
        let store = folder.appending(path: "\(index)/s.sqlite")
        try FileManager.default.createDirectory(
          at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
        try writeGeneratedStore(of: first, to: store)
        let outcome = try migrate(store, of: model, to: last.name, allowing: ["MC3111"])
        #expect(outcome == Outcome(Self.refusals[way] ?? []), "\(model.name): \(way)")
        if outcome == .migrated { migrated.append(store) }
      }
      #expect(migrated.count > 3)
      try Oracle.expectSound(migrated)
    }
  }
}

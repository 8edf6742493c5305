import Foundation
import TestSupport
import Testing

@Suite(
  "Every genuine store goes to every later version of its model, or is refused for a reason", .needsFixtures)
struct GenuineStoresTests {
  /// What is refused, and with which code; everything else migrates.
  static let refused: [String: [String: Outcome]] = [:]

  @Test(.needsOracle, arguments: GenuineModel.stores)
  func `plan, migration and judge agree`(_ store: GenuineModel.Store) throws {
    try Workplace.with(store.package) { place in
      let model = URL(filePath: store.package).deletingPathExtension().lastPathComponent
      let versions = try place.versions(of: model)
      let own = try #require(versions.firstIndex(of: store.version))
      var migrated: [URL] = []
      for target in versions[(own + 1)...] {
        let path = try place.copyStore(store.path, into: "to \(target)")
        let outcome = try place.migrate(path, to: target)
        print("OUTCOME \(store.version) → \(target): \(outcome)")
        if outcome == .migrated { migrated.append(place.url(path)) }
      }
      if !migrated.isEmpty { try Oracle.expectSound(migrated) }
    }
  }
}

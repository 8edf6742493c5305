import Foundation
import ManagedModel
import PersistentStore
import SwiftDataModels
import TestSupport
import Testing

/// Genuine source beside the stores that SwiftData made of it.
@Suite("Hashes from Swift source", .readsSwift, .needsFixtures)
struct SwiftDataFixtureTests {
  private func read(_ path: String) throws -> VersionedModel {
    let (model, diagnostics) = SwiftReading().readSource(at: Fixtures.url(path))
    #expect(!diagnostics.hasErrors, "\(diagnostics)")
    return try #require(model)
  }

  private func hashes(ofStore path: String) throws -> [String: VersionHash] {
    try withTemporaryFolder { folder in
      let connection = try openStore(Fixtures.copyStore(path, into: folder).path, among: [])
      defer { try? connection.close() }
      return try connection.read { try $0.readStoreMetadata().versionHashes }
    }
  }

  @Test(
    "FreezeRay: the first two schemas have the hashes and checksums of all four stores",
    arguments: [("1.0.0", "App-1_0_0"), ("2.0.0", "App-2_0_0")])
  func freezeRay(_ version: String, _ store: String) throws {
    let app = "TrinsicVentures+FreezeRay/FreezeRayTestApp"
    let model = try read("\(app)/FreezeRayTestApp")
    let own = try #require(model.version(named: version))
    for folder in ["FreezeRay", "FreezeRayTestApp/FreezeRay"] {
      let stored = try hashes(ofStore: "\(app)/\(folder)/Fixtures/\(version)/\(store).sqlite")
      #expect(stored == own.entityVersionHashesByName)
      #expect(stored.versionChecksum == own.versionChecksum)
    }
    #expect(model.versions.map(\.name) == ["1.0.0", "2.0.0", "3.0.0"])
    #expect(model.gateFindings.isEmpty)
  }

  @Test("CartKit: without the two properties that came later, all three entities have the store's hashes")
  func cartKit() throws {
    let source = "Karim-ezzedine+CartKit/Sources/CartKitStorageSwiftData"
    let stored = try hashes(
      ofStore:
        "Karim-ezzedine+CartKit/Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite"
    )
    #expect(stored.count == 3)
    let today = try #require(try read(source).versions.last).entityVersionHashesByName
    #expect(
      stored.keys.filter { stored[$0] == today[$0] }.sorted() == ["CartItemModel", "CartItemModifierModel"])
    try withTemporaryFolder { folder in
      let copy = folder.appending(path: "Sources")
      for file in [
        "Models/CartModel", "Models/CartItemModel", "Models/CartItemModifierModel",
        "Schema/CartKitSwiftDataSchema",
      ] {
        let url = Fixtures.url("\(source)/\(file).swift")
        let text = try String(contentsOf: url, encoding: .utf8)
        let place = copy.appending(path: "\(file).swift")
        try FileManager.default.createDirectory(
          at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let kept = lines.filter {
          !$0.hasSuffix("var sessionId: String?") && !$0.hasSuffix("var promotionKindsJSON: Data?")
        }
        try kept.joined(separator: "\n").write(to: place, atomically: true, encoding: .utf8)
      }
      let model = try #require(SwiftReading().readSource(at: copy).model)
      #expect(model.versions.last?.entityVersionHashesByName == stored)
      #expect(model.versions.last?.versionChecksum == stored.versionChecksum)
    }
  }

  @Test("kado: four schemas in extensions and files of their own, three stages, no finding")
  func kado() throws {
    let model = try read("scastiel+kado/Packages/KadoCore/Sources")
    #expect(model.versions.map(\.name) == ["1.0.0", "2.0.0", "3.0.0", "4.0.0"])
    #expect(
      model.versions.map(\.typeName) == ["KadoSchemaV1", "KadoSchemaV2", "KadoSchemaV3", "KadoSchemaV4"])
    #expect(model.stages.count == 3)
    #expect(model.gateFindings.isEmpty)
    let habit = try #require(model.versions.last?.model.entities.first { $0.name == "HabitRecord" })
    #expect(habit.attributes.first { $0.name == "icon" }?.defaultValue == "circle")
    #expect(habit.relationships.first?.inverseName == "habit")
  }

  @Test("pindrop: old schemas list live types, by name; what the file does not hold is said once")
  func pindrop() throws {
    let (model, diagnostics) = SwiftReading(platform: .macOS).readSource(
      at: Fixtures.url("watzon+pindrop/Pindrop/Models"))
    let findings = try #require(model).gateFindings.filter { $0.code == .liveType }
    let text = findings.map(\.message).joined(separator: "\n")
    for name in ["WordReplacement", "VocabularyWord", "Note", "PromptPreset", "TrainingContribution"] {
      #expect(text.contains("'\(name)'"))
    }
    #expect(model?.versions.count == 12)
    #expect(diagnostics.count { $0.code == .unknownInSource } == 2)
  }
}

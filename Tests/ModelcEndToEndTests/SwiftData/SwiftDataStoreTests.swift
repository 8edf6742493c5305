import Foundation
import ManagedModel
import TestSupport
import Testing

/// Apps' own source as the model of their own stores.
@Suite("Stores and Swift source", .needsSwiftData, .needsFixtures)
struct SwiftDataStoreTests {
  /// A workplace with a copy of a fixture's folder.
  private func with(_ source: String, as name: String, _ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      try FileManager.default.copyItem(at: Fixtures.url(source), to: place.url(name))
      for case let url as URL in FileManager.default.enumerator(
        at: place.url(name), includingPropertiesForKeys: nil)
        ?? .init()
      { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path) }
      try body(place)
    }
  }

  @Test(.needsOracle) func `FreezeRay's store of 1.0.0 becomes 2.0.0, by the schema's number or its type`()
    throws
  {
    let app = "TrinsicVentures+FreezeRay/FreezeRayTestApp"
    try with("\(app)/FreezeRayTestApp", as: "App") { place in
      for version in ["2.0.0", "AppSchemaV2"] {
        let store = try Fixtures.copyStore(
          "\(app)/FreezeRay/Fixtures/1.0.0/App-1_0_0.sqlite", into: place.folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
        let before = try Data(contentsOf: store)
        expectSuccess(
          try place.modelc("migrate", store.lastPathComponent, "--models", "App", "--to", version))
        let verified = try place.modelc("verify", store.lastPathComponent, "--models", "App")
        #expect(verified.code == 0 && verified.stdout.contains("2.0.0 of App"), "\(verified)")
        try Oracle.expectSound([store])
        let backup = place.url("App-1_0_0.sqlite.1.0.0.backup")
        #expect(try Data(contentsOf: backup) == before)
        try FileManager.default.removeItem(at: backup)
        try FileManager.default.removeItem(at: store)
      }
    }
  }

  @Test func `CartKit's drift: inspect names both properties, and check knows that they are inferred`() throws
  {
    let source = "Karim-ezzedine+CartKit/Sources/CartKitStorageSwiftData"
    let path = "\(source)/Models/CartModel.swift"
    try Repository.with { repository in
      try FileManager.default.copyItem(
        at: Fixtures.url(source), to: repository.folder.appending(path: "Cart"))
      let today = try String(contentsOf: Fixtures.url(path), encoding: .utf8)
      let before = today.lines.filter {
        !$0.hasSuffix("var sessionId: String?") && !$0.hasSuffix("var promotionKindsJSON: Data?")
      }.joined(separator: "\n")
      let file = repository.folder.appending(path: "Cart/Models/CartModel.swift")
      try FileManager.default.removeItem(at: file)
      try repository.write(before, to: "Cart/Models/CartModel.swift")
      try repository.commit("as it was released")
      let store = try Fixtures.copyStore(
        "Karim-ezzedine+CartKit/Tests/CartKitStorageSwiftDataTests/LegacySwiftData/CartKitSwiftData_v1.sqlite",
        into: repository.folder
      ).lastPathComponent
      let released = try repository.modelc("inspect", store, "--against", "Cart")
      #expect(released.code == 0 && released.stdout.contains("all hashes are equal"), "\(released)")

      try repository.write(today, to: "Cart/Models/CartModel.swift")
      let drifted = try repository.modelc("inspect", store, "--against", "Cart")
      #expect(drifted.code == 1, "\(drifted)")
      let inspected = try repository.modelc("inspect", store, "--models", "Cart")
      for run in [drifted, inspected] {
        #expect(
          run.stdout.contains("CartModel.sessionId") && run.stdout.contains("CartModel.promotionKindsJSON"),
          "\(run)")
      }
      let check = try repository.modelc("check", "--models", "Cart", "--against", "HEAD")
      #expect(check.code == 0 && !check.stdout.contains("error["), "\(check)")
    }
  }

  @Test(.needsOracle) func `kado: three steps are planned, and a store of each version takes its way`() throws
  {
    try with("scastiel+kado/Packages/KadoCore/Sources", as: "Kado") { place in
      let versions = ["1.0.0", "2.0.0", "3.0.0", "4.0.0"]
      for (version, next) in zip(versions, versions.dropFirst()) {
        let store = "\(version).sqlite"
        expectSuccess(
          try place.modelc("fixture", version, "-o", store, "--rows", "40", "--models", "Kado"))
        if version == "1.0.0" {
          let plan = try place.modelc("plan", store, "--models", "Kado", "--chain", "stepwise")
          #expect(plan.code == 0 && plan.stdout.contains("1.0.0 → 2.0.0 → 3.0.0 → 4.0.0"), "\(plan)")
        }
        for target in [next, "4.0.0"] where target > version {
          expectSuccess(try place.modelc("migrate", store, "--models", "Kado", "--to", target))
          expectSuccess(try place.modelc("verify", store, "--models", "Kado"))
        }
      }
      try Oracle.expectSound(versions.dropLast().map { place.url("\($0).sqlite") })
    }
  }

  @Test func `pindrop: the live types of old schemas are named`() throws {
    try with("watzon+pindrop/Pindrop/Models", as: "Models") { place in
      let run = try place.modelc("check", "--models", "Models", "--platform", "macos")
      #expect(run.code == 1, "\(run)")
      let line = try #require(
        run.stdout.lines.first { $0.contains("error[MC2611]") && $0.contains("'1.0.0'") })
      for name in ["WordReplacement", "VocabularyWord", "Note", "PromptPreset"] {
        #expect(line.contains("'\(name)'"))
      }
    }
  }

  @Test func `source is read alone: nothing of it runs, nothing beside it changes`() throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      let source = """
        import SwiftData
        @Model final class Trip { var name = FileManager.default.createFile(atPath: "owned", contents: nil); init() {} }
        """
      try FileManager.default.createDirectory(at: place.url("App"), withIntermediateDirectories: true)
      try source.write(to: place.url("App/Trip.swift"), atomically: true, encoding: .utf8)
      let run = try place.modelc("check", "--models", "App")
      #expect(run.code != 0 && run.stdout.contains("App/Trip.swift:2:38: error[MC2603]"), "\(run)")
      expectRefusal(try place.modelc("adopt", "App"), "MC2603", exit: 1)
      #expect(!FileManager.default.fileExists(atPath: place.url("Models").path))
      #expect(try place.modelc("version", "list", "App").code == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["App"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.url("App").path) == ["Trip.swift"])
    }
  }
}

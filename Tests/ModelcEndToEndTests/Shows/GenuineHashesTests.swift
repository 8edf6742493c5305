import Foundation
import TestSupport
import Testing

@Suite("Adopt and compile yield the hashes that Core Data wrote", .needsFixtures)
struct GenuineHashesTests {
  @Test(arguments: GenuineModel.withStores)
  func `the bundle's hashes equal those in each genuine store`(_ model: GenuineModel) throws {
    try Workplace.with(model.package) { place in
      expectSuccess(try place.modelc("compile", "-C", "T"))
      let info = try propertyList(
        Data(contentsOf: place.url("T/Build/\(model.name).momd/VersionInfo.plist")))
      let hashes = try #require(info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]])
      #expect(!model.stores.isEmpty)
      for store in model.stores {
        let genuine = try versionHashes(of: Fixtures.url(store.path))
        #expect(!genuine.isEmpty)
        #expect(hashes[store.version] == genuine, "\(store.path)")
      }
    }
  }

  static let bundles: [(model: GenuineModel, bundle: String)] = [
    (.sampleModel, "alemar11+CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd"),
    (.sampleModel3, "alemar11+CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd"),
  ]

  @Test(arguments: bundles)
  func `the bundle says what the one that Xcode compiled says`(_ model: GenuineModel, bundle: String) throws {
    try Workplace.with(model.package) { place in
      expectSuccess(try place.modelc("compile", "-C", "T"))
      let mine = try propertyList(
        Data(contentsOf: place.url("T/Build/\(model.name).momd/VersionInfo.plist")))
      let genuine = try propertyList(Data(contentsOf: Fixtures.url(bundle + "/VersionInfo.plist")))
      #expect(genuine.count >= 2)
      // Every key that Xcode wrote; ours come in addition.
      for (key, value) in genuine {
        #expect(mine[key] as? NSObject == value as? NSObject, "\(key)")
      }
    }
  }

  @Test func `Moody has six versions, each under its name`() throws {
    try Workplace.with(GenuineModel.moody.package) { place in
      let record = try place.modelc("compile", "-C", "T", "--format", "json").decoded(as: BundleRecord.self)
      #expect(record.versions.map(\.name) == ["Moody"] + (2...6).map { "Moody \($0)" })
      #expect(record.current == "Moody 6")
      #expect(record.bundle == "T/Build/Moody.momd")
      #expect(Set(record.versions.map(\.fingerprint)).count == 6)
      #expect(record.versions.flatMap(\.unverified) == [])
      let genuine = try versionHashes(of: Fixtures.url(GenuineModel.moody.stores[0].path))
      #expect(record.versions[0].entities == genuine.mapValues(\.hexadecimal))
    }
  }
}

extension Data {
  var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}

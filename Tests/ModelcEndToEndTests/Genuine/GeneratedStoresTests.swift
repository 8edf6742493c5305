import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite("Stores generated from every version of every genuine model", .needsFixtures)
struct GeneratedStoresTests {
  static let packages = Fixtures.all(withExtension: "xcdatamodeld").filter { package in
    (readXcodeModelPackage(at: package).model?.versions.count ?? 0) > 1
  }.map { String($0.path.dropFirst(Fixtures.root.path.count + 1)) }

  @Test(.needsOracle, arguments: packages)
  func `each goes to the next and to the last version, or is refused`(_ package: String) throws {
    let model = try #require(readXcodeModelPackage(at: Fixtures.url(package)).model)
    try Workplace.with(package) { place in
      var migrated: [URL] = []
      let versions = model.versions
      let ways = Array(zip(versions, versions.dropFirst())) + zip(versions.prefix(1), versions.dropFirst(2).suffix(1))
      for (version, target) in ways {
        let folder = "\(version.name) to \(target.name)"
        try FileManager.default.createDirectory(at: place.url(folder), withIntermediateDirectories: true)
        let path = "\(folder)/s.sqlite"
        try writeGeneratedStore(of: version, to: place.url(path))
        let outcome = try place.migrate(path, to: target.name, options: ["--allow-loss", "MC3111"])
        print("GENERATED \(model.name) \(folder): \(outcome)")
        if outcome == .migrated { migrated.append(place.url(path)) }
      }
      if !migrated.isEmpty { try Oracle.expectSound(migrated) }
    }
  }
}

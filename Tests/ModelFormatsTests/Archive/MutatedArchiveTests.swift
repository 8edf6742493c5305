import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelArchives
@testable import ModelFormats

/// Some bytes changed, moved or cut away.
private func mutated(_ data: Data, _ generator: inout SeededGenerator) -> Data {
  var bytes = [UInt8](data)
  for _ in 0..<Int.random(in: 1...4, using: &generator) where bytes.count > 40 {
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    // The trailer and the offset table decide most.
    case 2:
      bytes[bytes.count - 1 - Int.random(in: 0..<40, using: &generator)] = UInt8.random(
        in: 0...255, using: &generator)
    case 3: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
    case 4: bytes.removeSubrange(place..<min(place + 8, bytes.count))
    default: bytes.insert(contentsOf: bytes.prefix(Int.random(in: 1...16, using: &generator)), at: place)
    }
  }
  return Data(bytes)
}

/// Every reader of archives gets damaged ones: it reads them or refuses them by the code, and does nothing else.
@Suite("Mutated archives") struct MutatedArchiveTests {
  private func expectBounded(
    _ code: String, _ seed: Data, rounds: Int, _ read: (Data) throws -> Void
  ) throws {
    var generator = SeededGenerator(seed: UInt64(seed.count))
    var refused = 0
    for _ in 0..<rounds {
      do {
        try read(mutated(seed, &generator))
      } catch let error as DiagnosticsError {
        #expect(error.diagnostics.map(\.code.description) == [code])
        refused += 1
      }
    }
    #expect(refused > rounds / 10)
  }

  @Test func `models with expressions`() throws {
    try expectBounded("MC2203", ArchiveModelTests.full.keyedArchive(), rounds: 300) { data in
      let model = try data.unarchiveModel(file: "x")
      _ = model.keyedArchive()
      _ = writeModel(model)
    }
  }

  @Test func `model caches`() throws {
    try expectBounded("MC2203", ArchiveModelTests.full.encodedCache(), rounds: 300) { data in
      _ = try data.decodeModelCache()
    }
  }

  @Test(.needsFixtures, arguments: Fixtures.all(withExtension: "cdm"))
  func `compiled mapping models`(_ url: URL) throws {
    let folder = url.deletingLastPathComponent().deletingLastPathComponent()
    let package = readXcodeModelPackage(at: folder.appending(path: "SampleModel.xcdatamodeld"))
    let models = [try #require(package.model)]
    var generator = SeededGenerator(seed: 5)
    let genuine = try Data(contentsOf: url)
    for _ in 0..<200 {
      do throws(DiagnosticsError) {
        let mapping = try mutated(genuine, &generator).unarchiveMappingModel(among: models, file: "x")
        _ = writeMappingFile([mapping.mappingModel])
      } catch {
        #expect(error.diagnostics.allSatisfy { ["MC2203", "MC4101"].contains($0.code.description) })
      }
    }
  }

  @Test(.needsFixtures, arguments: Fixtures.all(withExtension: "xcmappingmodel").prefix(3))
  func `Xcode's mapping models`(_ url: URL) throws {
    let genuine = try Data(contentsOf: url.appending(path: "xcmapping.xml"))
    var generator = SeededGenerator(seed: UInt64(genuine.count))
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "xcmapping.xml")
      for _ in 0..<40 {
        try mutated(genuine, &generator).write(to: file)
        do {
          _ = writeMappingFile([try readXcodeMappingModel(at: file).mappingModel])
        } catch let error as DiagnosticsError {
          #expect(error.diagnostics.allSatisfy { $0.code.description.hasPrefix("MC02") })
        }
      }
    }
  }

  /// Eight million bytes of text in a few thousand.
  @Test func `a cache that unfolds to more than any model is refused`() throws {
    let text = String(repeating: "a", count: 8 << 20)
    let model = ManagedObjectModel(entities: [EntityDescription(name: "E", userInfo: ["k": text])])
    let cache = try model.encodedCache()
    #expect(cache.count < 50_000)
    let error = try #require(throws: DiagnosticsError.self) { try cache.decodeModelCache() }
    #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
    #expect(error.diagnostics.first?.message.contains("expands") == true)
  }
}

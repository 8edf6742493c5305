import Foundation
import ManagedModel
import ModelArchives
import TestSupport
import Testing

/// A small generator with a seed, so that a failure can be repeated.
private struct Random {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(bound, 1)))
  }
}

@Suite struct DamagedArchiveTests {
  @Test(arguments: [
    Data(), Data("bplist00".utf8), Data("hello".utf8), Data("momv2$".utf8), Data(repeating: 0, count: 100),
    Data("bplist00".utf8) + Data(repeating: 0xFF, count: 60),
    Data("version https://git-lfs.github.com/spec/v1\n".utf8),
  ])
  func `what is no archive is refused`(_ data: Data) throws {
    let error = try #require(throws: DiagnosticsError.self) { try data.unarchiveModel(file: "x.mom") }
    #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
    #expect(error.diagnostics.first?.place?.file == "x.mom")
  }

  @Test func `a property list and an archive of something else are refused with the reason`() throws {
    let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
    let error = try #require(throws: DiagnosticsError.self) { try list.unarchiveModel(file: "x.mom") }
    #expect(error.diagnostics.first?.message.contains("not a keyed archive") == true)
    let text = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: ["a"]), requiringSecureCoding: true)
    let other = try #require(throws: DiagnosticsError.self) { try text.unarchiveModel(file: "x.mom") }
    #expect(other.diagnostics.first?.message.contains("not a managed object model") == true)
  }

  @Test(arguments: [Data(), Data([0x03, 0x00]), Data("plain text".utf8), Data(repeating: 0xFF, count: 50)])
  func `a cache that does not inflate to a model is refused`(_ data: Data) throws {
    let error = try #require(throws: DiagnosticsError.self) { try data.decodeModelCache() }
    #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
  }

  @Test func `a truncated archive is refused at every length`() {
    let archive = ArchiveModelTests.full.keyedArchive()
    for length in stride(from: 0, to: archive.count, by: 7) {
      #expect(throws: DiagnosticsError.self) { try archive.prefix(length).unarchiveModel(file: "x") }
    }
  }

  @Test func `a truncated cache is refused`() throws {
    let cache = try ArchiveModelTests.full.encodedCache()
    for length in stride(from: 0, to: cache.count - 1, by: 31) {
      #expect(throws: DiagnosticsError.self) { try cache.prefix(length).decodeModelCache() }
    }
  }

  /// One array that a thousand others share, seven levels deep: unfolded, it would have 10^21 elements.
  @Test func `an archive that shares collections without end is read in time`() throws {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    let levels = 7
    for level in 0..<levels {
      offsets.append(bytes.count)
      bytes += [0xAF, 0x11, 0x03, 0xE8] + Array(repeating: UInt8(level + 1), count: 1000)
    }
    offsets.append(bytes.count)
    bytes += [0x50]
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 255)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(offsets.count)]
    bytes += Array(repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
    #expect(throws: DiagnosticsError.self) { try Data(bytes).unarchiveModel(file: "x") }
  }

  @Test(.needsFixtures, arguments: Fixtures.all(withExtension: "mom"))
  func `a genuine archive with flipped bytes is read or refused, never more`(_ url: URL) throws {
    let genuine = try Data(contentsOf: url)
    var random = Random(state: UInt64(genuine.count))
    var refused = 0
    let rounds = 150
    for _ in 0..<rounds {
      var bytes = [UInt8](genuine)
      for _ in 0...random.next(4) {
        switch random.next(4) {
        case 0: bytes[random.next(bytes.count)] = UInt8(random.next(256))
        case 1: bytes[random.next(bytes.count)] ^= 1 << UInt8(random.next(8))
        case 2:
          // The trailer and the offset table decide most.
          bytes[bytes.count - 1 - random.next(min(bytes.count, 300))] = UInt8(random.next(256))
        default: bytes.swapAt(random.next(bytes.count), random.next(bytes.count))
        }
      }
      do {
        let model = try Data(bytes).unarchiveModel(file: "x")
        _ = model.entityVersionHashesByName
        _ = model.keyedArchive()
      } catch let error as DiagnosticsError {
        #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
        refused += 1
      }
    }
    #expect(refused > rounds / 10)
    #expect(refused < rounds)
  }
}

import Foundation
import TestSupport
import Testing

@testable import ManagedModel

@Suite("Values of hashes") struct VersionHashValueTests {
  private static func hash(_ byte: UInt8) -> VersionHash { VersionHash(digest: (0..<32).map { $0 &+ byte }) }

  @Test(arguments: [0, 1, 31, 33, 64])
  func `nothing but 32 bytes is a hash`(count: Int) {
    #expect(VersionHash(data: Data(repeating: 1, count: count)) == nil)
  }

  @Test func `bytes go in and out in their order`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<100 {
      let data = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
      let hash = try #require(VersionHash(data: data))
      #expect(hash.data == data && hash.bytes == Array(data) && Data(hash.hexadecimal.utf8).count == 64)
    }
    let digits = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    #expect(Self.hash(0).hexadecimal == digits && "\(Self.hash(0))" == digits)
    // Of a slice whose places do not begin at 0, too.
    #expect(VersionHash(data: Data([9] + Self.hash(0).bytes).dropFirst()) == Self.hash(0))
  }

  @Test(arguments: 0..<32)
  func `every byte counts`(place: Int) {
    var bytes = Self.hash(0).bytes
    bytes[place] ^= 0x80
    #expect(VersionHash(digest: bytes) != Self.hash(0))
  }

  /// SHA-256 of all hashes in the order of names, and SHA-512 of names and hashes, each put together by hand.
  @Test func `the checksum leaves names out, the digest does not`() {
    let hashes = ["b": Self.hash(1), "B": Self.hash(2), "é": Self.hash(3), "z": Self.hash(4)]
    let order = ["B", "b", "z", "é"]
    let all = order.flatMap { hashes[$0]?.bytes ?? [] }
    #expect(hashes.versionChecksum == Data(SHA256.digest(of: all)).base64EncodedString())
    var message = SHA512()
    for name in order { message.update(Array(name.utf8) + (hashes[name]?.bytes ?? [])) }
    #expect(hashes.versionHashesDigest == Data(message.digest).base64EncodedString())
    #expect(hashes.inNameOrder.map(\.name) == order)
    let renamed = ["a": Self.hash(2), "b": Self.hash(1), "z": Self.hash(4), "é": Self.hash(3)]
    #expect(
      renamed.versionChecksum == hashes.versionChecksum
        && renamed.versionHashesDigest != hashes.versionHashesDigest)
    // Without entities: the digests of nothing.
    #expect([String: VersionHash]().versionChecksum == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
  }

  @Test func `lengths frame what a content digest holds`() {
    func digest(_ pieces: [(String, String)]) -> String {
      var digest = ContentDigest()
      for (name, content) in pieces { digest.add(name, Data(content.utf8)) }
      return digest.hexadecimal
    }
    let lists: [[(String, String)]] = [
      [], [("", "")], [("a", "bc")], [("ab", "c")], [("a", "b"), ("", "c")], [("a", "b"), ("c", "")],
      [("abc", "")],
      [("a", "bc"), ("", "")], [("", ""), ("a", "bc")],
    ]
    #expect(Set(lists.map(digest)).count == lists.count)
    #expect(sha256(Data("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}

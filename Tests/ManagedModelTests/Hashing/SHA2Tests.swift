import Foundation
import Testing

@testable import ManagedModel

/// The examples of FIPS 180-4 and of NIST's test vectors.
@Suite("SHA-2") struct SHA2Tests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `SHA-256`(message: String, digest: String) {
    #expect(hexadecimal(SHA256.digest(of: Data(message.utf8))) == digest)
  }

  @Test(arguments: [
    (
      "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ])
  func `SHA-512`(message: String, digest: String) {
    var hash = SHA512()
    hash.update(Data(message.utf8))
    #expect(hexadecimal(hash.digest) == digest)
  }

  /// Parts of every length around the block's give the digest of the whole, and asking for it ends nothing.
  @Test func `a message may come in parts`() {
    let message = [UInt8]((0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for size in [1, 7, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 500] {
      var (short, long) = (SHA256(), SHA512())
      var whole = SHA512()
      for start in stride(from: 0, to: message.count, by: size) {
        let part = Array(message[start..<min(start + size, message.count)])
        short.update(part)
        long.update(part)
        _ = (short.digest, long.digest)
      }
      whole.update(message)
      #expect(short.digest == SHA256.digest(of: message), "\(size)")
      #expect(long.digest == whole.digest, "\(size)")
    }
  }
}

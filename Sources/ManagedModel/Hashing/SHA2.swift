import CBytes
package import Foundation

/// SHA-256 of a message that comes in parts.
package struct SHA256 {
  private var state = csha256()

  init() { unsafe csha256_begin(&state) }

  mutating func update(_ bytes: some ContiguousBytes) {
    unsafe bytes.withUnsafeBytes { unsafe csha256_add(&state, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes for what was added so far.
  var digest: [UInt8] {
    var ended = state
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe csha256_end(&ended, &digest)
    return digest
  }

  package static func digest(of bytes: some ContiguousBytes) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest
  }
}

/// SHA-512 of a message that comes in parts.
struct SHA512 {
  private var state = csha512()

  init() { unsafe csha512_begin(&state) }

  mutating func update(_ bytes: some ContiguousBytes) {
    unsafe bytes.withUnsafeBytes { unsafe csha512_add(&state, $0.baseAddress, $0.count) }
  }

  /// The 64 bytes for what was added so far.
  var digest: [UInt8] {
    var ended = state
    var digest = [UInt8](repeating: 0, count: 64)
    unsafe csha512_end(&ended, &digest)
    return digest
  }
}

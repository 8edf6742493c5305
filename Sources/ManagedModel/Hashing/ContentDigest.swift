package import Foundation

/// SHA-256 over named pieces of content: tells whether any of them has changed.
package struct ContentDigest {
  private var hash = SHA256()

  package init() {}

  /// Names and contents are framed by their lengths, so that no two lists of pieces have one digest.
  package mutating func add(_ name: String, _ content: Data) {
    hash.update(Data("\(name.utf8.count) \(content.count) \(name)".utf8))
    hash.update(content)
  }

  /// The 32 bytes for what was added so far.
  package var bytes: [UInt8] { hash.digest }

  /// 64 hexadecimal digits.
  package var hexadecimal: String { VersionHash(digest: hash.digest).hexadecimal }
}

/// SHA-256 of the bytes, as 64 hexadecimal digits.
package func sha256(_ data: Data) -> String { VersionHash(digest: SHA256.digest(of: data)).hexadecimal }

import Crypto
package import Foundation

/// SHA-256 over named pieces of content, by which equal sets of files are recognised.
package struct ContentDigest {
  private var hash = SHA256()

  package init() {}

  /// Names and contents go in with their lengths, so that no two sets of files look alike.
  package mutating func add(_ name: String, _ content: Data) {
    hash.update(data: Data("\(name.utf8.count) \(content.count) \(name)".utf8))
    hash.update(data: content)
  }

  package var hexadecimal: String { VersionHash(digest: hash.finalize()).hexadecimal }
}

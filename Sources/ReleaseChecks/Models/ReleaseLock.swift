import Foundation
package import ManagedModel

/// What `released.lock` says: the versions that users have, as they were when they were released.
///
/// A line for each version, in the order of the names, and a total line over all of them. Two branches that release
/// both change the total line, so that git asks a person.
package struct ReleaseLock: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var version: String
    /// Over the version hashes, by which stores are recognised.
    package var checksum: String
    /// Over every fact of the model.
    package var fingerprint: String
    /// As `2026-01-31`.
    package var date: String
    package var tag: String?
    /// Its line in the file; nil for one that is new.
    package var line: Int?

    package init(_ version: ModelVersion, date: String, tag: String?) {
      self.version = version.name
      checksum = version.versionChecksum
      fingerprint = version.model.fingerprint
      self.date = date
      self.tag = tag
    }

    init(version: String, checksum: String, fingerprint: String, date: String, tag: String?, line: Int) {
      (self.version, self.checksum, self.fingerprint) = (version, checksum, fingerprint)
      (self.date, self.tag, self.line) = (date, tag, line)
    }

    /// The name comes last, because it may hold spaces.
    var text: String { "\(checksum) \(fingerprint) \(date) \(tag ?? "-") \(version)" }
  }

  package var entries: [Entry] = []

  package init() {}

  package func entry(_ version: String) -> Entry? { entries.first { $0.version == version } }

  /// The file.
  package var text: String {
    let texts = Dictionary(firstOf: entries.map { ($0.version, $0.text) })
    let sorted = texts.keys.sortedNaturally.compactMap { texts[$0] }
    return ([Self.heading] + sorted + [Self.total(sorted), ""]).joined(separator: "\n")
  }

  static let heading =
    "# Written by `modelc release`, compared by `modelc check`: checksum, fingerprint, date, tag, version."

  /// The last line: how many there are, and a digest that no edit by hand keeps.
  static func total(_ lines: [String]) -> String {
    var digest = ContentDigest()
    for line in lines { digest.add("release", Data(line.utf8)) }
    return "total \(lines.count) \(digest.hexadecimal)"
  }
}

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

    /// The tag as a part of a version's name.
    fileprivate var suffix: String? { tag.map { "-\($0.replacingBytes(of: "/", with: "-"))" } }

    /// The name of a content that users have and that another one has replaced in its version: `App 2-v1.0`.
    var nameApart: String? { suffix.map { version + $0 } }

    /// The name comes last, because it may hold spaces.
    var text: String { "\(checksum) \(fingerprint) \(date) \(tag ?? "-") \(version)" }
  }

  package var entries: [Entry] = []
  /// Versions that users once had and that were taken out of the model: nothing has to lead from them any more, and
  /// their names stay taken.
  package var retired: [Entry] = []

  package func entry(_ version: String) -> Entry? { entries.first { $0.version == version } }

  package func retiredEntry(_ version: String) -> Entry? { retired.first { $0.version == version } }

  /// What a version that is listed apart, beside the content that replaced it, was called at its release.
  func nameAtRelease(of entry: Entry) -> String? {
    guard let suffix = entry.suffix, entry.version.hasSuffix(suffix) else { return nil }
    let name = String(entry.version.dropLast(suffix.count))
    return self.entry(name) == nil && retiredEntry(name) == nil ? nil : name
  }

  /// Whether the content of an entry that is listed apart is a version again, which is listed too.
  func isRestored(_ entry: Entry, in model: VersionedModel) -> Bool {
    nameAtRelease(of: entry) != nil
      && model.versions.contains { $0.versionChecksum == entry.checksum && self.entry($0.name) != nil }
  }

  /// Moves versions to the retired ones; those that were never released too, so that a base that has them is content.
  ///
  /// - Parameter date: of today, for those that were never released.
  package mutating func retire(_ versions: [ModelVersion], on date: String) {
    for version in versions {
      retired.append(entry(version.name) ?? Entry(version, date: date, tag: nil))
      entries.removeAll { $0.version == version.name }
    }
  }

  /// The file.
  package var text: String {
    let lines = Self.lines(of: entries) + Self.lines(of: retired).map { Self.retiredMark + $0 }
    return ([Self.heading] + lines + [Self.total(lines), ""]).joined(separator: "\n")
  }

  private static func lines(of entries: [Entry]) -> [String] {
    let texts = Dictionary(firstOf: entries.map { ($0.version, $0.text) })
    return texts.keys.sortedNaturally.compactMap { texts[$0] }
  }

  /// What the line of a retired version begins with.
  static let retiredMark = "retired "

  static let heading =
    "# Written by `modelc release`, compared by `modelc check`: checksum, fingerprint, date, tag, version."

  /// The last line: how many there are, and a digest that no edit by hand keeps.
  package static func total(_ lines: [String]) -> String {
    var digest = ContentDigest()
    for line in lines { digest.add("release", Data(line.utf8)) }
    return "total \(lines.count) \(digest.hexadecimal)"
  }
}

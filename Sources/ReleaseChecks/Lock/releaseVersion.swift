import Foundation
package import ManagedModel
import ModelFormats
package import StoreFixtures

/// What a release wrote.
package struct ReleaseRecord: Sendable {
  package var entry: ReleaseLock.Entry
  /// Whether the version was in the lock already, word for word.
  package var wasReleased = false
  package var fixture: FixtureReport?
}

extension VersionedModel {
  /// Freezes versions in the lock of a model, and keeps a genuine store of each where that is asked for.
  ///
  /// - Parameters:
  ///   - names: versions at or before the current one.
  ///   - path: the model's, as the user named it.
  ///   - rows: objects of the store to keep; nil for none. A store that is there already stays.
  ///   - date: as `2026-01-31`.
  /// - Throws: MC7011 where the lock is not as it was written, MC7001 where a version is released with other content,
  ///   MC7002 where it stands after the current one.
  package func releaseVersions(_ names: [String], at path: String, tag: String?, date: String, rows: Int?)
    throws -> [ReleaseRecord]
  {
    let places = ReleasePlaces(modelAt: path)
    let former = try places.lock()
    var lock = former
    var findings: [Diagnostic] = []
    var versions: [ModelVersion] = []
    for name in names {
      guard let version = self.version(named: name) else {
        findings.append(
          .noVersion(name, of: self).with {
            // `release 1.0`, as git and package managers take it.
            let tagged =
              "`modelc release --tag \(name.shellWord)` records '\(currentVersionName)' as released by it"
            if $0.help.isEmpty { $0.help = ["if '\(name)' is the app's release: \(tagged)"] }
          })
        continue
      }
      if isDraft(version), !isOrderGuessed {
        findings.append(
          .currentVersionWentBack, .error,
          "'\(version.name)' comes after the current version '\(currentVersionName)': apps do not have it",
          subject: ModelSubject(version: version.name),
          help: ["make it the current version first, then release it"])
      }
      if let entry = lock.entry(name) ?? lock.retiredEntry(name),
        entry.fingerprint != version.model.fingerprint
      {
        findings.append(.releasedDifferently(version, entry, places, path))
      }
      versions.append(version)
    }
    if !findings.isEmpty { throw DiagnosticsError(findings) }
    var records: [ReleaseRecord] = []
    for version in versions {
      let known = lock.entry(version.name)
      let entry = known ?? ReleaseLock.Entry(version, date: date, tag: tag)
      if known == nil { lock.entries.append(entry) }
      lock.retired.removeAll { $0.version == version.name }
      let hasStore = places.hasStore(of: version.name)
      let fixture = try hasStore ? nil : rows.map { try version.keepFixture(rows: $0, at: places) }
      records.append(ReleaseRecord(entry: entry, wasReleased: known != nil, fixture: fixture))
    }
    // Last, so that a store that cannot be made leaves no release behind.
    try places.write(lock, over: former)
    return records
  }
}

extension ModelVersion {
  /// Writes the store of a version and its objects as YAML.
  func keepFixture(rows: Int, at places: ReleasePlaces) throws -> FixtureReport {
    try FileManager.default.createDirectory(atPath: places.fixtureFolder, withIntermediateDirectories: true)
    let store = places.store(of: name)
    var report = try makeFixture(at: store, of: self, .rows(rows))
    if store.isIgnoredByGit {
      report.diagnostics.append(
        .releasedStoreMissing, .warning, "git ignores the store of '\(name)': no clone will have it",
        place: store.linePlace(1), notes: ["`modelc check` fails there, because a kept store is missing"],
        help: ["add it anyway: `\(Diagnostic.adding(store))`"])
    }
    let text = try readAllObjects(ofStoreAt: store, as: self).yaml(EntityHierarchy(model))
    try Data(text.utf8).write(to: URL(filePath: places.objects(of: name)), options: .atomic)
    return report
  }
}

extension Diagnostic.Code { package static let releasedStoreMissing = Self("MC7009") }

extension Diagnostic {
  static func adding(_ path: String) -> String {
    "git -C \(path.parentPath.shellWord) add --force \(URL(filePath: path).lastPathComponent.shellWord)"
  }

  static func noVersion(_ name: String, of model: VersionedModel, place: SourceRange? = nil) -> Self {
    let known = model.versions.map(\.name)
    return Self(
      .noCurrentVersion, .error, "'\(model.name)' has no version '\(name)'", place: place,
      notes: [Note("versions: \(known.listed)")], help: .didYouMean(name, among: known))
  }

  fileprivate static func releasedDifferently(
    _ version: ModelVersion, _ entry: ReleaseLock.Entry, _ places: ReleasePlaces, _ path: String
  ) -> Self {
    let lock = places.lockFile
    // The commit that brought the line has what was released, where the tag is not there.
    let tag = entry.tag.flatMap { commit(named: $0, inRepositoryOf: path) == nil ? nil : $0 }
    let revision = tag ?? lock.lastCommit(changing: entry.fingerprint) ?? "HEAD"
    let own = version.origin == .xcode ? version.file?.parentPath : version.file
    let suffix = path.hasSuffix(".xcdatamodel") ? "" : own.map { "/\($0)" } ?? ""
    let then = "\(revision):\(pathInRepository(path) ?? path)\(suffix)".shellWord
    return Self(
      .releasedVersionChanged, .error,
      "'\(version.name)' was released on \(entry.date) with different content",
      subject: ModelSubject(version: version.name), place: lock.linePlace(entry.line ?? 1),
      help: [
        "`modelc diff \(then) \((path + suffix).shellWord)` says what changed; put that into a new version"
      ])
  }
}

package import ManagedModel
package import ModelFormats

/// What the tags of a repository have released, in the form of a lock.
package struct TaggedReleases: Sendable {
  /// Lines that the lock did not have, in the order of the tags.
  package var added: [ReleaseRecord] = []
  /// Lines of the lock after it.
  package var released = 0
  /// Tags that were looked at, those among them without the model, and those whose model cannot be read, with the
  /// reason.
  package var tagCount = 0
  package var tagsWithoutModel: [String] = []
  package var unreadable: [(tag: String, reason: String)] = []
  /// Versions that two tags hold with different hashes.
  package var diagnostics: [Diagnostic] = []
  /// The last tag that was looked at, where there was no time for more.
  package var lastTag: String?
  package var isShallow = false
  /// Versions that tags hold and that cannot be read: they are not in the lock.
  package var unreadVersions: [String] = []
  /// Tags whose names do not match the pattern.
  package var unmatched: [String] = []
  /// Added versions that neither today's model nor a tag on the way to today's commit has, with their tags.
  package var elsewhere: [String] = []
  /// Whether there are more tags of that name than are looked at.
  package var isCut = false
}

extension VersionedModel {
  /// Writes the lock of a model from git: of each tag the current version and those before it, with the hashes, the day
  /// and the name of the first tag that holds them.
  ///
  /// Existing lines of the lock stay. A version that has another name today is listed under today's name.
  ///
  /// - Parameters:
  ///   - path: where it is, as the user named it; tags from before it was moved are read where it was.
  ///   - pattern: with `*`, which stands for slashes too, and `?`.
  ///   - lastTag: tags up to this one were looked at before.
  ///   - limit: how many of the oldest tags are read.
  /// - Throws: MC7011 where the lock is not as it was written, MC7030 where no tag is of that name.
  package func releaseTags(
    at path: String, matching pattern: String, after lastTag: String? = nil, seconds: Double,
    limit: Int = tagLimit, _ reader: ModelReader = ModelReader()
  ) throws -> TaggedReleases {
    let places = ReleasePlaces(modelAt: path)
    let lock = try places.lock()
    var releases = TaggedReleases()
    releases.isShallow = try GitRepository.holding(path).repository.kind == .shallow
    let tags = try taken(pattern, after: lastTag, limit, path, &releases)
    let start = ContinuousClock.now
    let contents = try findModel(at: path, in: tags)
    var seen: Set<String> = []
    var collected = TagCollection(lock: lock, today: self, path: path)
    for (tag, content) in zip(tags, contents) {
      if ContinuousClock.now - start > .seconds(seconds), releases.tagCount > 0 {
        releases.lastTag = tags[releases.tagCount - 1].name
        break
      }
      releases.tagCount += 1
      guard let content else {
        releases.tagsWithoutModel.append(tag.name)
        continue
      }
      guard seen.insert(content.id).inserted else { continue }
      let (tagged, reason) = try reader.readTagged(at: content.path, tag)
      guard let tagged else {
        releases.unreadable.append((tag.name, reason))
        continue
      }
      collected.add(tagged, of: tag, at: content.path)
      let known = releases.unreadVersions
      releases.unreadVersions += tagged.unreadVersions.map(\.name).filter { !known.contains($0) }
    }
    releases.added = collected.added.map { ReleaseRecord(entry: $0) }
    let missing = collected.added.filter { entry in
      !versions.contains { $0.versionChecksum == entry.checksum }
    }
    for entry in missing.prefix(50) where !releases.isShallow {
      guard let tag = entry.tag else { continue }
      let isPassed = try tag.mergeBase(inRepositoryOf: path) == commit(named: tag, inRepositoryOf: path)
      if !isPassed { releases.elsewhere.append("\(entry.version) (\(tag))") }
    }
    releases.diagnostics = collected.conflicts
    releases.released = collected.lock.entries.count
    if !collected.lock.entries.isEmpty { try places.write(collected.lock, over: lock) }
    return releases
  }
}

private func taken(
  _ pattern: String, after lastTag: String?, _ limit: Int, _ path: String, _ releases: inout TaggedReleases
) throws(DiagnosticsError) -> [GitTag] {
  let (all, isCut) = try readTags(inRepositoryOf: path, limit: max(limit, 1_000_000))
  let matching = all.filter { $0.matches(pattern) }
  let tags = matching.prefix(limit)
  releases.isCut = isCut || matching.count > tags.count
  releases.unmatched = all.count == matching.count ? [] : all.filter { !$0.matches(pattern) }.map(\.name)
  guard !tags.isEmpty else { throw DiagnosticsError(.noTag(pattern, at: path, others: releases.unmatched)) }
  guard let lastTag else { return Array(tags) }
  guard let place = tags.firstIndex(where: { $0.name == lastTag })
  else { throw DiagnosticsError(.noTag(lastTag, at: path)) }
  return Array(tags[(place + 1)...])
}

/// Where each tag has the model, and the number of its content; nil if it has none.
///
/// Git is asked once for each place at which the model ever lay, whatever the number of tags.
private func findModel(
  at path: String, in tags: [GitTag]
) throws(DiagnosticsError) -> [(path: String, id: String)?] {
  var found: [(path: String, id: String)?] = Array(repeating: nil, count: tags.count)
  func look(at place: String) throws(DiagnosticsError) {
    let (repository, top) = try GitRepository.holding(place)
    let missing = tags.indices.filter { found[$0] == nil }
    let ids = try repository.ids(at: top, in: missing.map { tags[$0].commit })
    for (index, id) in zip(missing, ids) { found[index] = id.map { (place, $0) } }
  }
  try look(at: path)
  guard found.contains(where: { $0 == nil }) else { return found }
  for place in try formerPaths(ofModelAt: path) { try look(at: place) }
  return found
}

extension ModelReader {
  /// - Throws: MC0019: a lock that a clone without objects made would list too few versions.
  fileprivate func readTagged(
    at path: String, _ tag: GitTag
  ) throws(DiagnosticsError) -> (model: VersionedModel?, reason: String) {
    let reading: (model: VersionedModel?, diagnostics: [Diagnostic])?
    do throws(DiagnosticsError) {
      reading = try read(at: path, in: tag.commit)
    } catch  where !error.diagnostics.contains(where: { $0.code == .lackingGitObject }) {
      reading = (nil, error.diagnostics)
    }
    if var model = reading?.model {
      let base = BaseModel(name: tag.name, path: path, model: model, diagnostics: reading?.diagnostics ?? [])
      // One version that cannot be read keeps no other out of the lock.
      if base.isWhole, let current = model.currentVersion, base.isSound(current),
        !model.unreadVersions.contains(where: \.isCurrent)
      {
        model.versions.removeAll { !base.isSound($0) }
        return (model, "")
      }
    }
    let first = reading?.diagnostics.first { $0.severity == .error }
    return (nil, first.map { "\($0.code): \($0.message)" } ?? "there is no model")
  }
}

extension CheckedModel {
  /// The versions that tags have as their current ones: what the apps of these releases make stores of. Each content of the
  /// model is read once; tags from before it was moved are read where it lay.
  ///
  /// - Throws: MC0014 where there is no repository, MC7030 where it has no tag at all.
  package func taggedVersions(
    where isWanted: (GitTag) -> Bool
  ) throws(DiagnosticsError) -> (
    found: [(tag: GitTag, version: ModelVersion)], unreadable: [(tag: String, reason: String)]
  ) {
    let all = try readTags(inRepositoryOf: path, limit: 1_000_000).tags
    if all.isEmpty { throw DiagnosticsError(.noTag("*", at: path)) }
    let tags = all.filter(isWanted)
    var found: [(tag: GitTag, version: ModelVersion)] = []
    var unreadable: [(tag: String, reason: String)] = []
    var known: [String: ModelVersion] = [:]
    for (tag, content) in zip(tags, try findModel(at: path, in: tags)) {
      guard let content else { continue }
      if known[content.id] == nil {
        let (model, reason) = try reader.readTagged(at: content.path, tag)
        known[content.id] = model?.currentVersion
        if model == nil { unreadable.append((tag.name, reason)) }
      }
      if let version = known[content.id] { found.append((tag, version)) }
    }
    return (found, unreadable)
  }
}

/// The lines of the lock, gathered from tag to tag.
private struct TagCollection {
  var lock: ReleaseLock
  let today: VersionedModel
  /// Where today's model lies.
  let path: String
  var added: [ReleaseLock.Entry] = []
  var conflicts: [Diagnostic] = []
  var reportedConflicts: Set<String> = []
  /// The first place of each content: a revision and a path, as git takes them.
  var origins: [String: String] = [:]

  /// Adds a tag's current version and those before it.
  mutating func add(_ tagged: VersionedModel, of tag: GitTag, at place: String) {
    guard let current = tagged.currentVersion else { return }
    // SwiftData's older schemas are claims: only the newest one of a build makes stores.
    if tagged.isSwiftData { return add(current, as: currentName(current), of: tag) }
    let names = tagged.namesToCurrent
    for version in tagged.versions where names.contains(version.name) {
      if origins[version.versionChecksum] == nil, let top = pathInRepository(place), let file = version.file {
        origins[version.versionChecksum] = "\(tag.name):\(top)/\(file)"
      }
      add(version, as: currentName(version), of: tag)
    }
  }

  private func currentName(_ version: ModelVersion) -> String {
    // One of its name goes before others with the same hashes.
    if today.version(named: version.name)?.makesStores(of: version) == true { return version.name }
    return today.versions.first { $0.makesStores(of: version) }?.name ?? version.name
  }

  private mutating func add(_ version: ModelVersion, as name: String, of tag: GitTag) {
    var entry = ReleaseLock.Entry(version, date: tag.date, tag: tag.name)
    entry.version = name
    // What was taken out on purpose does not come back.
    if lock.retired.contains(where: { $0.checksum == entry.checksum }) { return }
    guard let index = lock.entries.firstIndex(where: { $0.version == name }) else {
      lock.entries.append(entry)
      added.append(entry)
      return
    }
    let known = lock.entries[index]
    // Lines that the lock had already stay.
    let place = added.firstIndex { $0.version == name }
    guard known.checksum != entry.checksum || known.fingerprint != entry.fingerprint else { return }
    if known.checksum == entry.checksum {
      // Stores are the same ones; what apps were built with last is what holds.
      (entry.date, entry.tag) = (known.date, known.tag)
    } else {
      let isNew = reportedConflicts.insert(name + min(known.checksum, entry.checksum)).inserted
      if isNew {
        conflicts.append(
          .releasedWithOtherHashes, .warning,
          "'\(known.version)' has other hashes in the tag \(entry.tag ?? entry.date) than in "
            + "\(known.tag.map { "the tag \($0)" } ?? "the lock")",
          subject: ModelSubject(version: known.version),
          notes: ["users may have stores of both, but a model has only one version of that name"],
          help: [bringingBack(known, or: entry)])
      }
      // Users have both; the one that today's model still knows is held under the name.
      let isToday = today.version(named: name)?.versionChecksum == known.checksum
      if isToday || place != nil { listApart(isToday ? entry : known) }
      guard !isToday else { return }
    }
    guard let place else { return }
    (lock.entries[index], added[place]) = (entry, entry)
  }

  /// Lists content that no version has now, so that a check reports it as missing.
  private mutating func listApart(_ content: ReleaseLock.Entry) {
    guard today.versions.first?.notation != .swiftData, !path.hasSuffix(".xcdatamodel"),
      let name = content.nameApart, lock.entry(name) == nil, lock.retiredEntry(name) == nil,
      !lock.entries.contains(where: { $0.checksum == content.checksum && $0.version != content.version })
    else { return }
    var entry = content
    entry.version = name
    lock.entries.append(entry)
    added.append(entry)
  }

  /// How the one of two contents that today's model does not have becomes a version of its own.
  fileprivate func bringingBack(_ first: ReleaseLock.Entry, or second: ReleaseLock.Entry) -> String {
    let missing = today.version(named: first.version)?.versionChecksum == first.checksum ? second : first
    guard let origin = origins[missing.checksum], let name = missing.nameApart,
      today.versions.first?.notation != .swiftData
    else { return "restore the other one as a version of its own, from the commit that released it" }
    let isPackage = ModelSourceKind(path) == .xcodePackage
    let folder = isPackage ? "\(path)/\(name).xcdatamodel" : path
    let file = isPackage ? "\(folder)/contents" : "\(folder)/\(name).yaml"
    let show = "git -C \(path.shellWord) show \(origin.shellWord) > \(file.shellWord)"
    return "restore the other one as a version of its own: "
      + (isPackage
        ? "`mkdir \(folder.shellWord) && \(show)`, and list '\(name)' before '\(missing.version)' under "
          + "`versions:` of a modelc.yaml next to the package"
        : "`\(show)`, and list '\(name)' in versions.yaml, before '\(missing.version)'")
  }
}

extension Diagnostic.Code { package static let releasedWithOtherHashes = Self("MC7029") }

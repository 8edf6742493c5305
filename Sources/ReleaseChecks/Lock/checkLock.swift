package import ManagedModel
import ModelFormats

extension CheckedModel {
  /// Compares a model with its lock: released versions are unchanged, none is gone, the current version did not go back.
  ///
  /// - Parameter isAgainst: whether the check has a base, which then says what users may have.
  func checkLock(isAgainst: Bool) -> [Diagnostic] {
    let file = places.lockFile
    if !lockFindings.isEmpty { return lockFindings + checkBase() }
    // Where it was another one in the base, it went back.
    let isFirst =
      model.isCurrentFirstOfMany
      && base?.model.currentVersionName ?? model.currentVersionName == model.currentVersionName
    let first: [Diagnostic] = isFirst ? [.currentIsFirst(self)] : []
    guard let text = lockText else {
      // Where the last commit has the lock, something was released, and the lock was deleted; not on a branch from before it.
      let hadLock =
        base.map { ($0.forks.first ?? $0).lockText != nil } ?? (!isAgainst && file.isHeld(by: "HEAD"))
      let missing: Diagnostic = hadLock ? .lockGone(self, base) : .noLock(self, isAgainst: isAgainst)
      // What users have stands in the tags; what is built has no lock.
      let isWaived = isBuilt || model.isSwiftData && !hadLock && shipped?.shapes.isEmpty == false
      return first + (isWaived ? [] : [missing]) + checkBase()
    }
    var (lock, findings) = readReleaseLock(text, file: file)
    if lock.entries.isEmpty, findings.isEmpty {
      // With retired lines alone nothing says what users have either.
      findings.append(
        lock.retired.isEmpty
          ? .unusableLock(
            "the release lock of '\(model.name)' lists no version", file.linePlace(1), freezeAdvice())
          : .noLock(self, isAgainst: isAgainst))
    }
    if let base { findings += checkLockLines(lock, base) }
    if model.isSwiftData { return findings + checkStores(of: lock) + checkBase() }
    for entry in lock.entries + [unlisted].compactMap(\.self) {
      guard let version = model.version(named: entry.version) else {
        // That it cannot be read was found already.
        let isThere = model.unreadVersions.contains { unread in
          unread.name == entry.version
            && diagnostics.contains { $0.severity == .error && unread.explains($0) }
        }
        if isThere || lock.isRestored(entry, in: model) { continue }
        // A lock may list any number of versions, and tags.
        let former = findings.count < 50 ? formerPath(in: entry.tag ?? "HEAD") : nil
        findings.append(
          .releasedVersionGone(entry, self, calledThen: lock.nameAtRelease(of: entry), lyingAt: former))
        continue
      }
      if lacksInclude(version) { continue }
      if version.model.fingerprint != entry.fingerprint {
        findings += changes(of: version, since: entry).map { [$0] } ?? []
      } else if version.versionChecksum != entry.checksum {
        findings.append(
          .unusableLock(
            "the checksum of '\(version.name)' does not match its fingerprint",
            file.linePlace(entry.line ?? 1),
            "restore the lock: \(file.gitRestoring(from: "HEAD")); `modelc release` changes it"))
      }
    }
    if let newest = lock.releasedAfterCurrent(model) {
      findings.append(.currentBeforeReleased(newest, lock.entry(newest)?.tag, self))
    }
    return first + findings + checkBase()
  }

  /// How to lock all versions: of the current one alone the lock would say that nobody has an earlier one.
  func freezeAdvice(without spared: [String] = []) -> String {
    let isAny = model.isOrderGuessed || model.currentVersionName.isEmpty
    let reaching = isAny ? nil : model.namesToCurrent
    let listed = model.versions.map(\.name).filter { reaching?.contains($0) ?? true }
    // What cannot be read has a name.
    let names = (listed.isEmpty ? [model.currentVersionName] : listed).filter { !spared.contains($0) }
    return "`modelc release \(names.map(\.shellWord).joined(separator: " "))` freezes "
      + (names.count == 1 ? "the released version" : "released versions; leave out what no user has")
  }

  /// Whether an included model is missing from a version, which was found already: the version was not edited.
  func lacksInclude(_ version: ModelVersion) -> Bool {
    let list = join(path, versionListFileName)
    return diagnostics.contains {
      $0.severity == .error
        && ($0.code == .noCurrentVersion && $0.subject?.version == version.name
          || $0.code == .fileUnreadable && $0.place?.file == list)
    }
  }
}

extension ReleaseLock {
  /// The last released version on the line of the current one: it was current once.
  func releasedAfterCurrent(_ model: VersionedModel) -> String? {
    guard let current = model.currentVersion, !model.isOrderGuessed else { return nil }
    return model.versions.last { version in
      version.name != current.name && entry(version.name) != nil
        && model.origins(of: version).contains { $0.name == current.name }
    }?.name
  }
}

extension CheckedModel {
  /// Lines of the old lock that changed or are gone.
  private func checkLockLines(_ lock: ReleaseLock, _ base: BaseModel) -> [Diagnostic] {
    let file = places.lockFile
    let former = base.lockText.map { readReleaseLock($0, file: file) }
    // One that was edited by hand there says nothing.
    guard let former, former.diagnostics.isEmpty else { return [] }
    // What the base released since this branch left it is not here yet, unless the branch has something else of that name.
    let left = base.ancestor.map { _ in
      readReleaseLock(base.forks.first?.lockText ?? "", file: file).lock
    }
    return former.lock.entries.compactMap { entry in
      let now = lock.entry(entry.version) ?? lock.retiredEntry(entry.version)
      let own = model.version(named: entry.version)
      if now == nil, let left, left.entry(entry.version) == nil, left.retiredEntry(entry.version) == nil,
        own.map({ $0.model.fingerprint == entry.fingerprint }) ?? true
      {
        return nil
      }
      if now?.text == entry.text { return nil }
      return Diagnostic.unusableLock(
        now == nil
          ? "'\(entry.version)' was released at \(base.name), and the lock no longer lists it"
          : "the line of '\(entry.version)' differs from the one at \(base.name)",
        file.linePlace(now?.line ?? 1), notes: ["changing the lock does not change what users have"],
        "restore the lock: \(base.restoring(file, of: self)); `modelc release` changes it")
    }
  }

  /// What differs from the release, in one finding; nil if no store depends on it.
  func changes(of version: ModelVersion, since entry: ReleaseLock.Entry) -> Diagnostic? {
    let isRecognised = version.versionChecksum == entry.checksum
    var released = releasedModel(version.name, entry)
    if isRecognised, version.notation == .swiftData { released?.model.takeCases(of: version.model) }
    var edit = VersionEdit(from: released?.model, entry.checksum, to: version, .released(entry.release))
    if let restoring = released?.restoring { edit.restoring = file(of: edit).map(restoring) }
    guard isRecognised else { return .changed(edit) }
    let isKnown =
      released.map {
        version.notation == .swiftData || !compareModels(from: $0.model, to: version.model).isEmpty
      } ?? false
    return isKnown ? .factsChanged(edit) : .factsChanged(version, entry)
  }
}

extension ManagedObjectModel {
  /// Takes over which cases enums have: of those that are gone another finding tells, and new ones change nothing.
  fileprivate mutating func takeCases(of other: Self) {
    for index in entities.indices {
      let own = other.entities.first { $0.name == entities[index].name }?.attributes
      entities[index].attributes.takeCases(of: own ?? [])
    }
    // Of enums within JSON.
    for index in composites.indices {
      let own = other.composites.first { $0.name == composites[index].name }?.elements
      composites[index].elements.takeCases(of: own ?? [])
    }
  }
}

extension [AttributeDescription] {
  fileprivate mutating func takeCases(of others: [AttributeDescription]) {
    for index in indices {
      guard let own = others.first(where: { $0.name == self[index].name }),
        own.enumTypeName != nil || own.validation.listedValues != nil
      else { continue }
      self[index].validation = own.validation
    }
  }
}

extension ReleaseLock.Entry {
  /// Its tag and its day.
  var release: String { tag.map { "\($0), \(date)" } ?? date }
}

extension VersionedModel {
  /// The names of the current version and of those that lead to it.
  package var namesToCurrent: Set<String> { Set(currentVersion.map { origins(of: $0).map(\.name) } ?? []) }

  /// Whether an Xcode package has its first version as the current one, so that all others count for nothing.
  var isCurrentFirstOfMany: Bool {
    versions.count > 2 && versions.first?.name == currentVersionName && versions.first?.origin == .xcode
      && !isOrderGuessed
  }
}

extension Diagnostic.Code {
  package static let currentVersionIsFirst = Self("MC7036", level: .hash)
  package static let releasedVersionChanged = Self("MC7001", level: .hash, identity: .edits)
  package static let currentVersionWentBack = Self("MC7002", level: .hash)
  package static let releasedVersionRemoved = Self("MC7004", level: .hash)
}

extension Diagnostic {
  fileprivate static func changed(_ edit: VersionEdit) -> Self {
    let version = edit.version
    return Self(
      .releasedVersionChanged, edit.standing.severity,
      "'\(version.name)' \(edit.standing.words) and was changed\(edit.line)",
      subject: edit.subject, related: edit.related, place: edit.place,
      notes: [Note(edit.standing.note)] + edit.others,
      help: version.notation.movingAdvice(restoring: edit.restoring), cocoaCode: 134130
    ).with { $0.editDigest = VersionEdit.digest([edit]) }
  }

  /// For releases whose facts are unknown.
  fileprivate static func factsChanged(_ version: ModelVersion, _ entry: ReleaseLock.Entry) -> Self {
    let place = ModelSubject(version: version.name)
    return Self(
      .unhashedFactChanged, .warning,
      "'\(version.name)' is released (\(entry.release)), and details outside its hashes changed",
      subject: place, place: version.sourceMap?.nearestRange(to: place),
      notes: ["stores are still recognized, but released apps were built with different content"],
      help: ["if users' data must change too, revert the change and make it in a new version"]
    ).with { $0.editDigest = version.model.fingerprint }
  }

  /// - Parameter formerPath: where the model lay at the release.
  static func releasedVersionGone(
    _ entry: ReleaseLock.Entry, _ subject: CheckedModel, calledThen name: String? = nil,
    lyingAt formerPath: String? = nil
  ) -> Self {
    let places = versionListPlaces(ofModelAt: subject.path)
    let isPackage = ModelSourceKind(subject.path) != nil
    let twin = subject.model.versions.first { name == nil && $0.versionChecksum == entry.checksum }
    let order = name.map {
      isPackage
        ? ", and list it before '\($0)' under `versions:` of a modelc.yaml next to the package"
        : ", before '\($0)'"
    }
    let back =
      subject.bringingBack(entry.version) { file in
        let origin = name.flatMap { subject.file(ofVersion: $0) }
        return subject.restoring(file, from: entry.tag ?? "HEAD", at: formerPath, of: origin)
      } + (order ?? "")
    return Self(
      .releasedVersionRemoved, .error,
      name.map {
        "'\($0)' as it is in \(entry.tag ?? entry.date) is no longer among the versions: it was edited"
      }
        ?? "'\(entry.version)' is released (\(entry.tag ?? entry.date)) and is no longer among the versions",
      place: places.file.linePlace(1),
      notes: [
        entry.line.map { Note("released here", place: subject.places.lockFile.linePlace($0)) },
        Note(
          twin.map { "'\($0.name)' has the same hashes, so its stores are still recognized" }
            ?? "stores of it could no longer be recognized or migrated"),
      ].compactMap(\.self),
      help: twin.map {
        ["if '\($0.name)' is the same version, name it '\(entry.version)' again", "or \(back)"]
      } ?? [back], cocoaCode: 134130)
  }

  /// - Parameter tag: of the release, where it is known.
  static func currentBeforeReleased(_ newest: String, _ tag: String?, _ subject: CheckedModel) -> Self {
    let current = subject.model.currentVersionName
    let released = tag.flatMap { try? subject.reader.readAnywhere(at: subject.path, in: $0)?.model }
    if let tag, let released, released.version(named: current) == nil {
      return currentBeforeHotfix(newest, tag, subject)
    }
    return Self(
      .currentVersionWentBack, .error,
      "the current version is '\(current)', and '\(newest)', which follows it, is released",
      place: versionListPlaces(ofModelAt: subject.path).current,
      notes: ["stores that already are '\(newest)' could not be opened: no app downgrades by itself"],
      help: [subject.model.currentAdvice(newest) + ", or choose a later one"], cocoaCode: 134506)
  }

  /// A version that was released where the current one is not, and that seems to follow it.
  static func currentBeforeHotfix(_ hotfix: String, _ release: String, _ subject: CheckedModel) -> Self {
    let current = subject.model.currentVersionName
    return Self(
      .currentVersionWentBack, .error,
      "'\(hotfix)' is in \(release), which lacks the current version '\(current)', and comes after it here",
      subject: ModelSubject(version: hotfix), place: versionListPlaces(ofModelAt: subject.path).current,
      notes: ["stores of '\(hotfix)' could not be opened: no app downgrades by itself"],
      help: [(subject.model.currentVersion?.notation ?? .language).orderAdvice(hotfix, before: current)],
      cocoaCode: 134506)
  }

  fileprivate static func currentIsFirst(_ subject: CheckedModel) -> Self {
    let (model, current) = (subject.model, subject.model.currentVersionName)
    return Self(
      .currentVersionIsFirst, .warning,
      "the current version '\(current)' is the first of \(model.versions.count)",
      place: versionListPlaces(ofModelAt: subject.path).current,
      notes: [
        Note("Xcode builds apps that create stores of '\(current)'; the other versions are not checked"),
        Note("no app downgrades: stores of a later version could not be opened"),
      ],
      help: [
        "choose the released version in Xcode's File inspector; the last one is '\(model.versions.last?.name ?? "")'"
      ])
  }

  fileprivate static func noLock(_ subject: CheckedModel, isAgainst: Bool) -> Self {
    let freeze = subject.freezeAdvice()
    // A first version, and no tags: nothing was released, so no lock is missing.
    let isTagged = (try? readTags(inRepositoryOf: subject.path, limit: 1).tags.isEmpty) == false
    // Asked last: the answer takes git two runs.
    let isCut = !isAgainst && !isTagged && subject.path.isInShallowClone
    let isFresh = !isAgainst && subject.model.versions.count == 1 && !isTagged && !isCut
    return Self(
      .releaseLockUnusable, isFresh ? .information : .warning,
      "'\(subject.model.name)' has no release lock", place: subject.places.lockFile.linePlace(1),
      notes: [
        isCut
          ? "this clone is shallow and has no tags: nothing is compared with what users have"
          : isFresh
            ? "nothing is released yet: until then a version may be edited"
            : "without it modelc does not know which versions users have"
      ],
      help: (isCut ? wholeHistoryHelp : []) + [
        isFresh
          ? "once it is released: \(freeze)"
          : isTagged ? "`modelc release --from-tags '*'` builds it from git's tags; \(freeze)" : freeze
      ]
        + (isFresh || isAgainst
          ? [] : ["`--against` a branch or a commit compares versions with those there, without a lock"]))
  }

  fileprivate static func lockGone(_ subject: CheckedModel, _ base: BaseModel?) -> Self {
    let file = subject.places.lockFile
    let restoring = base?.restoring(file, of: subject) ?? file.gitRestoring(from: "HEAD")
    return unusableLock(
      "the release lock of '\(subject.model.name)' is missing", file.linePlace(1), "restore it: \(restoring)")
  }
}

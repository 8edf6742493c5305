package import ManagedModel
import ModelFormats

extension CheckedModel {
  /// Compares a model with the base, with or without a lock. Versions of the base are unchanged and still there, no two
  /// branches made the same version, and the current version did not go back.
  ///
  /// What only the base edited since this branch left it is not the branch's, unless the base is a tag.
  /// Versions that the lock lists are compared with the lock instead. One that cannot be read keeps no other from being
  /// compared.
  func checkBase() -> [Diagnostic] {
    guard let base else { return [] }
    // A branch that the base has left behind went back nowhere.
    let left = (base.isTag ? nil : base.ancestor) ?? base.model
    var findings = lock?.releasedAfterCurrent(model) == nil ? checkCurrent(left, base) : []
    let hasLock = lock?.entries.isEmpty == false
    let before = Set((base.ancestor ?? base.model).versions.map(\.name))
    if model.isSwiftData {
      if let newest = base.model.currentVersion, !before.contains(newest.name),
        let own = model.version(named: newest.name), own.versionChecksum != newest.versionChecksum
      {
        findings.append(.sameNextVersion(own, self, base))
      }
      return findings + checkNewestStores(of: base, hasLock: hasLock) + base.lostSchemas(self)
    }
    guard base.isWhole else { return findings + [.notCompared(nil, base, self)] }
    if findings.isEmpty { findings += forgotten(base).map { [.newButNotCurrent($0, self)] } ?? [] }
    var edited: [(old: ModelVersion, new: ModelVersion)] = []
    var (gone, edits): ([ModelVersion], [VersionEdit]) = ([], [])
    for old in base.model.versions {
      guard let new = model.version(named: old.name) else {
        // What the base got since this branch left it is not there yet; that a version cannot be read was found already.
        if base.isTag || before.contains(old.name), lock?.entry(old.name) == nil,
          lock?.retiredEntry(old.name) == nil, !model.versions.contains(where: { $0.makesStores(of: old) }),
          !model.unreadVersions.contains(where: { $0.name == old.name })
        {
          gone.append(old)
        }
        continue
      }
      let fork = left.version(named: old.name)?.model.fingerprint
      guard ![old.model.fingerprint, fork].contains(new.model.fingerprint) else { continue }
      if !base.isSound(old) {
        findings.append(.notCompared(old.name, base, self))
      } else if !before.contains(old.name) {
        findings.append(.sameNextVersion(new, self, base))
        // The lock speaks for what it lists; users may have something else of that name, from the base's release.
      } else if lock?.entry(old.name)?.checksum != old.versionChecksum, !lacksInclude(new) {
        edited.append((old, new))
      }
    }
    findings += checkUnread(base)
    guard !edited.isEmpty || !gone.isEmpty else { return findings }
    let standings = ReleaseStatuses(of: self, in: base)
    for (old, new) in edited.reversed() {
      let standing = standings.status(of: old, hasLock: hasLock)
      let isShipped = if case .shipped = standing { true } else { false }
      if !isShipped, lock?.entry(old.name) != nil || standings.tag(restoredBy: new) != nil { continue }
      var edit = VersionEdit(from: old.model, old.versionChecksum, to: new, standing)
      edit.restoring = file(of: edit).map { base.restoring($0, of: self) }
      edits.append(edit)
    }
    findings += Dictionary(grouping: edits, by: \.key).values.compactMap { alike in
      .edited(alike).map { standings.isCut ? $0.notingTagLimit : $0 }
    }
    let lost = Dictionary(grouping: gone) { standings.status(of: $0, hasLock: hasLock).severity }
    return findings + lost.values.map { .gone($0, standings.status(of: $0[0], hasLock: hasLock), self, base) }
  }

  /// Versions that cannot be read, here or in the base: one remark for those that did not change.
  private func checkUnread(_ base: BaseModel) -> [Diagnostic] {
    var (same, findings) = ([UnreadVersion](), [Diagnostic]())
    for old in base.model.unreadVersions {
      if old.digest != nil, model.unreadVersions.contains(where: { $0.digest == old.digest }) {
        same.append(old)
      } else {
        findings.append(.notCompared(old.name, base, self))
      }
    }
    guard let first = same.first else { return findings }
    findings.append(
      .baseNotCompared, .information,
      "\(same.map(\.name).listed) cannot be read, and \(same.count == 1 ? "is" : "are") unchanged since "
        + "\(base.name)", subject: ModelSubject(version: first.name),
      notes: first.reasons.prefix(1).map { Diagnostic.Note("\($0.code): \($0.message)") }
        + ["all other versions are compared"])
    return findings
  }

  /// The last version that the base has not, where the current one is still the base's and comes before it: Xcode makes a
  /// version and leaves the current one what it is.
  private func forgotten(_ base: BaseModel) -> ModelVersion? {
    guard let current = model.currentVersion, current.origin == .xcode,
      current.name == base.model.currentVersionName, !base.model.unreadVersions.contains(where: \.isCurrent)
    else { return nil }
    return model.versions.last { version in
      base.model.version(named: version.name) == nil && model.isDraft(version)
        && !base.model.versions.contains {
          $0.model.fingerprint == version.model.fingerprint && model.version(named: $0.name) == nil
        }
    }
  }

  /// The current version comes after the base's, and after what this branch takes over of a tag: a hotfix, say.
  private func checkCurrent(_ left: VersionedModel, _ base: BaseModel) -> [Diagnostic] {
    let (former, current) = (left.currentVersionName, model.currentVersionName)
    if former != current, let version = model.version(named: former),
      model.origins(of: version).contains(where: { $0.name == current })
    {
      // What never was there did not come back: the order is wrong.
      guard base.model.version(named: current) != nil
      else { return [.currentBeforeHotfix(former, base.name, self)] }
      return [Diagnostic](
        .currentVersionWentBack, .error, "the current version changed from '\(former)' back to '\(current)'",
        place: versionListPlaces(ofModelAt: path).current,
        notes: [
          "stores that were migrated since \(base.name) could not be opened: no app downgrades by itself"
        ], help: [model.currentAdvice(former)], cocoaCode: 134506)
    }
    let drafts = model.versions.filter { model.isDraft($0) && left.version(named: $0.name) == nil }
    if drafts.isEmpty || model.isSwiftData { return [] }
    let standings = ReleaseStatuses(of: self, in: base)
    for draft in drafts.reversed() {
      guard let tag = standings.tag(restoredBy: draft) else { continue }
      return [.currentBeforeReleased(draft.name, tag.name, self)]
    }
    return []
  }
}

extension Diagnostic.Code {
  package static let baseVersionChanged = Self("MC7026", level: .hash, identity: .edits)
  package static let baseVersionRemoved = Self("MC7027", level: .hash)
  package static let baseNotCompared = Self("MC7031", level: .hash)
  package static let newVersionNotCurrent = Self("MC7035", level: .hash)
}

extension Diagnostic {
  /// - Parameter alike: the same edit of one version or several, the latest first.
  /// - Returns: nil if no store depends on what was edited.
  fileprivate static func edited(_ alike: [VersionEdit]) -> Self? {
    guard let edit = alike.first else { return nil }
    guard edit.movesHashes else { return factsChanged(edit, others: Array(alike.dropFirst())) }
    let version = edit.version
    return Self(
      .baseVersionChanged, edit.standing.severity,
      "'\(version.name)' \(edit.standing.words), and its hashes changed\(edit.line)", subject: edit.subject,
      related: edit.related + alike.dropFirst().map { ModelSubject(version: $0.version.name) },
      place: edit.place, notes: [Note(edit.standing.note)] + edit.others + sameIn(Array(alike.dropFirst())),
      help: version.sourceMap == nil
        ? [
          "in the model's source revert '\(version.name)', make the change in a new version, and build again"
        ]
        : version.notation.movingAdvice(restoring: edit.restoring), cocoaCode: 134130
    ).with { $0.editDigest = VersionEdit.digest(alike) }
  }

  fileprivate static func gone(
    _ versions: [ModelVersion], _ standing: ReleaseStatus, _ subject: CheckedModel, _ base: BaseModel
  ) -> Self {
    let name = versions[0].name
    let isOne = versions.count == 1
    return Self(
      .baseVersionRemoved, standing.severity,
      (isOne
        ? "'\(name)' \(standing.words), and is no longer among the versions"
        : "\(versions.count) versions of \(base.name) are no longer among the versions"),
      subject: ModelSubject(version: name),
      place: versionListPlaces(ofModelAt: subject.path).file.linePlace(1),
      notes: (isOne ? [] : ["'\(name)' \(standing.words); missing are \(versions.map(\.name).listed)"])
        + [Note("stores of \(isOne ? "it" : "them") could no longer be recognized or migrated")],
      help: versions.prefix(3).map { version in
        subject.bringingBack(version.name) { base.restoring($0, of: subject) }
      }, cocoaCode: 134130)
  }

  /// Of a version whose standing the tags tell.
  fileprivate var notingTagLimit: Self {
    with { $0.notes.append("only the \(tagLimit) oldest tags were examined") }
  }

  /// - Parameter name: nil if no version can be compared.
  static func notCompared(_ name: String?, _ base: BaseModel, _ subject: CheckedModel) -> Self {
    let unread = base.model.unreadVersions.first { $0.name == name }
    let reason = unread?.reasons.first ?? base.diagnostics.first { $0.severity == .error }
    return Self(
      .baseNotCompared, .error,
      name.map { "'\($0)' is not compared with its version at \(base.name), which cannot be read" }
        ?? "the versions are not compared with those of \(base.name): that model cannot be read completely",
      subject: name.map { ModelSubject(version: $0) },
      place: versionListPlaces(ofModelAt: subject.path).file.linePlace(1),
      notes: (reason.map { [Note("there: \($0.code): \($0.message)", place: $0.place)] } ?? [])
        + [Note("an edit of \(name == nil ? "a version" : "it") that users have would go unnoticed")],
      help: ["check against a revision that compiles, or lock released versions with `modelc release`"])
  }

  fileprivate static func newButNotCurrent(_ version: ModelVersion, _ subject: CheckedModel) -> Self {
    let (name, current) = (version.name, subject.model.currentVersionName)
    return Self(
      .newVersionNotCurrent, .warning, "'\(name)' is new, but '\(current)' is still current",
      subject: ModelSubject(version: name), place: versionListPlaces(ofModelAt: subject.path).current,
      notes: ["apps keep creating stores of '\(current)', and none is migrated to '\(name)'"],
      help: ["choose '\(name)' as the current version in Xcode's File inspector"])
  }

  fileprivate static func sameNextVersion(
    _ version: ModelVersion, _ subject: CheckedModel, _ base: BaseModel
  ) -> Self {
    let file = versionListPlaces(ofModelAt: subject.path)
    return Self(
      .sameVersionOnTwoBranches, .error,
      "this branch and \(base.name) have both added a version '\(version.name)', with different content",
      place: file.versions[version.name] ?? file.file.linePlace(1),
      notes: ["stores of one would not be recognized by the other"],
      help: ["give this branch's version the next free name, after that of \(base.name)"])
  }
}

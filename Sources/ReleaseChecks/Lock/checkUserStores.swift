package import ManagedModel
import ModelFormats
import ModelMigration
import SwiftDataModels

extension CheckedModel {
  /// Whether the stores that the tags made open with today's source: MC2630, MC2631 and MC2632.
  func checkTaggedStores() -> [CheckStep] {
    guard let shipped = self.shipped, model.isSwiftData else { return [] }
    let steps = shipped.shapes.enumerated().map { index, shape in
      let stores = UserStores(
        label: shape.tagNames, version: shape.latest, revision: shape.tags.last?.name, severity: .error,
        codings: shape.codings)
      // What the step to the last release gave up is gone already.
      let isLast = index == shipped.shapes.count - 1
      let findings = judge(stores, since: isLast ? nil : shipped.shapes.last?.latest)
      let isCurrent = model.currentVersion?.makesStores(of: shape.version) == true
      let how = isCurrent ? "today's" : findings.hasErrors ? "lost" : isInferred ? "inferred" : "in the plan"
      return step(.release, "stores of \(shape.tagNames): \(how)", findings)
    }
    var unread: [Diagnostic] = []
    if !shipped.unreadable.isEmpty {
      let tags = shipped.unreadable
      let isPartial = (try? GitRepository.holding(path).repository.kind) == .partial
      unread.append(
        // Of tags that somebody named, some have to be checked.
        .unreadTags, shipped.areNamed && shipped.shapes.isEmpty ? .error : .warning,
        "the source of \(counted(tags.count, "tag")) of \(shipped.tagCount) cannot be read: \(tags.count == 1 ? "its" : "their") stores are not checked",
        notes: tags.prefix(8).map { Diagnostic.Note("\($0.tag): \($0.reason.visible)") }
          + (tags.count > 8 ? [Diagnostic.Note("and \(counted(tags.count - 8, "further tag"))")] : []),
        help: [
          shipped.areNamed
            ? "name only tags whose source can be read, by another pattern; stores of the others need a kept store (`--store`)"
            : "`--against-tags PATTERN` names the tags that users have"
        ] + (isPartial ? ["`git fetch --refetch --no-filter`, if this partial clone lacks their files"] : []))
    }
    if shipped.isShallow, shipped.tagCount > 0 {
      unread.append(
        .unreadTags, .warning,
        "this clone is shallow: only the stores of \(counted(shipped.tagCount, "tag")) that it has are checked",
        notes: ["users may have stores of tags that the clone lacks"],
        help: wholeHistoryHelp + ["or `--against-tags PATTERN` names the tags that users have"])
    }
    if shipped.isCut {
      unread.append(
        .unreadTags, .warning,
        "only the newest \(String(ShippedSchemas.tagLimit).groupedDigits) tags were read: stores of earlier ones are not checked",
        help: ["`--against-tags PATTERN` names the tags that users have"])
    }
    return steps + (unread.isEmpty ? [] : [step(.release, "tags that cannot be read", unread)])
  }

  /// Whether SwiftData infers the step from a store's schema to the newest one.
  var isInferred: Bool { model.stages.isEmpty }

  /// What becomes of the stores of developers and users with the newest schema of a base, as of those of tags.
  func checkNewestStores(of base: BaseModel, hasLock: Bool) -> [Diagnostic] {
    var newest = (base.ancestor ?? base.model).currentVersion
    if let commit = base.commit {
      // Only the newest schema made stores: that older ones cannot be read does not matter.
      switch try? reader.readNewestSchemas(
        ofSourceAt: base.path, in: [base.forks.first?.commit ?? commit]
      ).first {
      case .read(let version)?: newest = version
      case .absent?: return []
      case .unreadable?, nil: return [.notCompared(nil, base, self)]
      }
    } else if !base.isWhole {
      return [.notCompared(nil, base, self)]
    }
    guard let newest else { return [] }
    // The tags show them: they are judged already.
    if shipped?.shapes.contains(where: { $0.version.makesStores(of: newest) }) == true { return [] }
    var stores = UserStores(
      label: "'\(base.name)'", version: newest, revision: base.commit == nil ? nil : base.name,
      severity: .error)
    guard !judge(stores).isEmpty else { return [] }
    let standing = ReleaseStatuses(of: self, in: base).status(of: newest, hasLock: hasLock)
    stores.severity = standing.severity
    switch standing {
    case .released, .shipped, .shared: break
    case .unreleased, .local, .unknown: stores.note = standing.note
    }
    return judge(stores)
  }

  /// The same for what the lock lists.
  func checkStores(of lock: ReleaseLock) -> [Diagnostic] {
    let shapes = shipped?.shapes ?? []
    let judgedTags = Set(shapes.flatMap(\.tags).map(\.name))
    return lock.entries.flatMap { entry -> [Diagnostic] in
      // The tags show its stores, which are judged already.
      let isJudged =
        entry.tag.map(judgedTags.contains) ?? false
        || shapes.contains { $0.version.versionChecksum == entry.checksum }
      let own = model.version(named: entry.version)
      if model.versions.contains(where: { $0.versionChecksum == entry.checksum }) {
        guard let own, own.versionChecksum == entry.checksum, own.model.fingerprint != entry.fingerprint
        else { return [] }
        let released = isJudged ? nil : releasedModel(entry.version, entry)
        // Cases that a released schema had and the source has no more, and what lies in JSON; no hash holds them.
        let then = released.map { ModelVersion(name: own.name, model: $0.model, origin: .xcode) }
        let lost = then.map { VersionStep(from: $0, to: own).check() } ?? []
        return lost.filter { $0.code == .removedCases } + (then?.checkStructs(to: own) ?? [])
          + (changes(of: own, since: entry).map { [$0] } ?? [])
      }
      if isJudged { return [] }
      guard let released = releasedModel(entry.version, entry) else {
        guard let own else { return [.releasedVersionGone(entry, self)] }
        return [
          Diagnostic(
            .schemaChangedInPlace, .error,
            "stores of '\(entry.version)', released \(entry.release), match no version of the source",
            subject: ModelSubject(version: own.name), place: own.sourceMap?.nearestRange(to: ModelSubject()),
            notes: ["the schema of that time is unknown: no tag, commit or kept store has it"],
            help: ["restore the schema from git, with types of its own"], cocoaCode: 134504)
        ]
      }
      let version = ModelVersion(name: entry.version, model: released.model, origin: .xcode)
      return judge(
        UserStores(
          label: "'\(entry.version)', released \(entry.release)", version: version, severity: .error))
    }
  }

  /// - Parameter last: of stores of an earlier release, the schema of the last one: only what is lost since then is
  ///   reported.
  private func judge(_ stores: UserStores, since last: ModelVersion? = nil) -> [Diagnostic] {
    guard let current = model.currentVersion, !diagnostics.contains(where: \.isUnread) else { return [] }
    var then = stores.version
    then.name = stores.revision ?? then.name
    func found(to version: ModelVersion, _ codes: Set<Diagnostic.Code>) -> [Diagnostic] {
      let found = VersionStep(from: then, to: version).check().filter { codes.contains($0.code) }
      return (last.map { found.lostSince($0, from: then, to: version) } ?? found).map {
        stores.noted($0, to: version)
      }
    }
    // Transformers that read what others wrote, and deletions that reach further; no hash has them.
    func unseen(in version: ModelVersion) -> [Diagnostic] {
      found(to: version, [.contentFormatChanged, .deleteRuleChanged]).filter { finding in
        let entity = version.model.entities.first { $0.name == finding.subject?.entity }
        let relationship = entity?.relationships.first { $0.name == finding.subject?.property }
        return finding.subject?.key == "transformer"
          || finding.subject?.key == "deleteRule" && relationship?.deleteRule == .cascade
      }
    }
    let known = ([current] + (isInferred ? [] : model.versions)).first { $0.makesStores(of: stores.version) }
    // Which cases an enum has is in no hash, nor is what lies in JSON, nor which classes of the source a container lists.
    if let known {
      let removed = found(to: known, [.undeclaredRemoval]).filter { $0.related.first?.property == nil }
      return found(to: known, [.removedCases, .swappedValues, .changeNotAdditive]) + removed
        + unseen(in: known) + stores.version.checkStructs(to: known).map(stores.adapted)
    }
    guard isInferred else { return [stores.mismatch(self)] }
    let step = VersionStep(from: then, to: current)
    // Stores of any release are refused for these, whatever later ones have given up.
    let lasting: Set<Diagnostic.Code> = [.oneDefaultForAll, .missingRelationshipValues]
    let refused = step.check().filter { lasting.contains($0.code) }.map(stores.adapted)
    // One for each part, which somebody may allow; `folded` makes one of them.
    let stops = step.missingValues().map { Diagnostic.notInferred($0, stores, current) }
    // Of stores that do not open nothing else matters; rows that may lack a value are one thing among others.
    if stops.hasErrors { return stops + refused }
    // The rules for steps tell what becomes of the rows; here they are about one schema then and now.
    return stops + refused + stores.version.checkStructs(to: current)
      + found(
        to: current,
        Diagnostic.Code.ofSwiftDataRows.union([
          .undeclaredRemoval, .likelyRename, .swappedValues, .numbersMayNotFit, .lostOriginalName,
          .validationTightened, .changeNotAdditive,
        ]))
      + unseen(in: current)
  }
}

extension [Diagnostic] {
  /// Losses that an update to the last release would have spared, and that no step from that one tells of.
  fileprivate func lostSince(
    _ last: ModelVersion, from then: ModelVersion, to version: ModelVersion
  ) -> [Diagnostic] {
    let past = VersionStep(from: then, to: last)
    let gone = Set(past.removals())
    let since = VersionStep(from: last, to: version)
    let goneSince = Set(since.removals())
    // No migration changes rows with a case that is gone: the source can still take it back.
    func isRemovedCase(_ finding: Diagnostic) -> Bool {
      finding.code == .removedCases && finding.severity == .warning
    }
    let told = contains(where: isRemovedCase) ? Set(since.check().filter(isRemovedCase).map(\.message)) : []
    return filter { finding in
      if isRemovedCase(finding) { return !told.contains(finding.message) }
      guard [.undeclaredRemoval, .likelyRename].contains(finding.code), let part = finding.related.first,
        part.key == nil, let entity = part.entity,
        !gone.contains(Removal(entity: entity, property: part.property))
      else { return false }
      guard let mapping = past.taker(ofEntity: entity), let heir = mapping.destinationEntityName
      else { return true }
      // Under the name that the last release gave it.
      let name = part.property.map { property in
        past.after.members(of: heir).first {
          mapping.propertyMapping(named: $0.name)?.value.sourceName == property
        }?.name ?? property
      }
      return !goneSince.contains(Removal(entity: heir, property: name))
    }
  }
}

extension Diagnostic.Code {
  /// A schema is not what was released under its version, and what it was is not known.
  package static let schemaChangedInPlace = Self("MC2612", level: .hash)
  /// Tags whose stores are not judged.
  package static let unreadTags = Self("MC2632", level: .hash)
}

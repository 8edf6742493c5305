package import ManagedModel
import ModelFormats
import ModelMigration
import SwiftDataModels

/// Stores that users of an app may have, and the schema that made them.
///
/// SwiftData finds a store's schema in the plan by its hashes. Without stages it infers one step to the newest schema.
struct UserStores {
  /// Behind "stores of".
  var label: String
  var version: ModelVersion
  /// In front of places then, as git writes it.
  var revision: String?
  var severity: Diagnostic.Severity
  var note: String?
  /// What the tags that made them had, as they code values.
  var codings: [(tag: GitTag, version: ModelVersion)] = []

  /// Where a part stood then.
  func place(_ subject: ModelSubject) -> SourceRange? {
    guard var place = version.sourceMap?.nearestRange(to: subject) else { return nil }
    place.file = file(place.file)
    return place
  }

  /// A file as git writes it, with the revision in front.
  private func file(_ file: String) -> String {
    guard let revision, !file.hasPrefix("\(revision):") else { return file }
    return "\(revision):\(file)"
  }

  /// Says where the part stood, if its source is known.
  func here(_ subject: ModelSubject) -> [Diagnostic.Note] {
    place(subject).map { [Diagnostic.Note("the schema that made them is here", place: $0)] } ?? []
  }

  /// A finding about a step from these stores; of cases that are gone, with the notes of the last tags that had them.
  func noted(_ finding: Diagnostic, to version: ModelVersion) -> Diagnostic {
    guard finding.code == .removedCases, finding.severity < .error else { return adapted(finding) }
    // The same cases give the same finding, whichever tag had them.
    func bare(_ finding: Diagnostic) -> Diagnostic {
      adapted(finding).with { ($0.notes, $0.related, $0.help) = ([], [], []) }
    }
    var shown: [Diagnostic] = []
    for (tag, then) in codings.reversed() where shown.last.map(bare) != bare(finding) {
      let found = VersionStep(from: then, to: version).check()
      guard let own = found.first(where: { $0.code == finding.code && $0.subject == finding.subject }),
        !shown.contains(where: { bare($0) == bare(own) })
      else { continue }
      var stores = self
      stores.revision = tag.name
      shown.append(stores.adapted(own))
    }
    guard let last = shown.first else { return adapted(finding) }
    let places = shown.flatMap { own in
      own.notes.filter { $0.place != nil }
        .map { Diagnostic.Note(shown.count == 1 ? $0.message : own.message, place: $0.place) }
    }
    return adapted(finding).with { $0.notes = places + last.notes.filter { $0.place == nil } }
  }

  /// A finding about a step from these stores, whose notes are about the schema then.
  func adapted(_ finding: Diagnostic) -> Diagnostic {
    finding.with { finding in
      finding.severity = min(finding.severity, severity)
      for index in finding.notes.indices {
        if let file = finding.notes[index].place?.file { finding.notes[index].place?.file = self.file(file) }
      }
    }
  }
}

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
      let how =
        isCurrent ? "today's" : findings.hasErrors ? "lost" : isInferred ? "inferred" : "in the plan"
      return step(.release, "stores of \(shape.tagNames): \(how)", findings)
    }
    var unread: [Diagnostic] = []
    if !shipped.unreadable.isEmpty {
      let tags = shipped.unreadable
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
        ])
    }
    if shipped.isShallow, shipped.tagCount > 0 {
      unread.append(
        .unreadTags, .warning,
        "this clone is shallow: only the stores of \(counted(shipped.tagCount, "tag")) that it has are checked",
        notes: ["users may have stores of tags that the clone lacks"],
        help: wholeHistoryHelp + ["or `--against-tags PATTERN` names the tags that users have"])
    }
    return steps + (unread.isEmpty ? [] : [step(.release, "tags that cannot be read", unread)])
  }

  /// Whether SwiftData infers the step from a store's schema to the newest one.
  var isInferred: Bool { model.stages.isEmpty }

  /// Whether only the app gets past what ended a store's migration: it has the closures of custom stages, and makes
  /// defaults, as `[]` of an array, when it starts.
  fileprivate func isOfTheApp(_ finding: Diagnostic) -> Bool {
    guard finding.code == .missingAttributeValues, let subject = finding.subject,
      let current = model.currentVersion?.model
    else { return finding.code == .unknownStageHandler }
    let known = EntityHierarchy(current).attribute(named: subject.property ?? "", of: subject.entity ?? "")
    return if case .evaluated? = known?.defaultValue { true } else { false }
  }
}

extension CheckedModel {
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
            subject: ModelSubject(version: own.name),
            place: own.sourceMap?.nearestRange(to: ModelSubject()),
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

  /// - Parameter last: of stores of an earlier release, the schema of the last one: only what is lost since is told.
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
    let known = ([current] + (isInferred ? [] : model.versions)).first {
      $0.makesStores(of: stores.version)
    }
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

extension [CheckStep] {
  /// Findings in Swift's terms: each cause once, and at places that are there.
  ///
  /// Where stores are lost because an old schema lists a live type, the finding about the stores says so.
  func inSwiftTerms(of subject: CheckedModel) -> [CheckStep] {
    guard subject.model.isSwiftData else { return self }
    let all = flatMap(\.findings)
    // What rows of kept stores show is no guess any more.
    let shown = filter { $0.kind == .store }.flatMap(\.findings)
    let proofs = shown.filter { $0.code == .missingAttributeValues }
    let guesses = all.filter { guess in
      guess.code == .storesNotInferred && guess.severity < .error
        && proofs.contains { $0.wholeProperty == guess.wholeProperty }
    }
    let areLost = all.contains { $0.code == .storesMatchNoVersion }
    let isJudged = subject.shipped?.shapes.isEmpty == false
    let live = all.filter { $0.code == .liveType }
    // Files that are not there.
    let lists = [
      versionListPlaces(ofModelAt: subject.path).file,
      subject.lockText == nil ? subject.places.lockFile : nil,
    ]
    return map { step in
      var told = step.mapFindings { finding in
        if areLost && finding.code == .liveType || guesses.contains(finding) { return nil }
        let isProof = step.kind == .store && finding.code == .missingAttributeValues
        let guess = isProof ? guesses.first { $0.wholeProperty == finding.wholeProperty } : nil
        if step.kind == .store, subject.isOfTheApp(finding) { return nil }
        let isLost = finding.code == .removedCases && step.kind != .store
        if guess == nil, !isLost, finding.isCovered(by: all) { return nil }
        return finding.with { finding in
          if let guess { (finding.notes, finding.help) = (finding.notes + guess.notes, guess.help) }
          if finding.code == .storesMatchNoVersion {
            finding.notes += live.map { Diagnostic.Note($0.message, place: $0.place) }
          }
          let checksum = finding.subject?.version.flatMap(subject.model.version(named:))?.versionChecksum
          // The tags show that nobody has edited one yet; of two with one checksum SwiftData opens no store at all.
          if finding.code == .liveType, isJudged,
            subject.model.versions.count(where: { $0.versionChecksum == checksum }) < 2
          {
            finding.severity = .warning
          }
          if guess == nil { finding.help = finding.swiftHelp ?? finding.help }
          if finding.code == .defaultChanged {
            finding.help = ["if existing objects need it too, set it in the didMigrate of a custom stage"]
          }
          if step.kind != .store { finding.takeIn(shown) }
          if let file = finding.place?.file, lists.contains(file) {
            finding.place = subject.model.currentVersion?.sourceMap?.nearestRange(to: ModelSubject())
          }
        }
      }
      told.isUntried = step.kind == .store && step.findings.contains(where: subject.isOfTheApp)
      return told
    }
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
      guard let mapping = past.taker(ofEntity: entity), let heir = mapping.destinationEntityName else {
        return true
      }
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

extension UserStores {
  /// The schema of the plan that is most like the one that made the stores, and the first property that differs.
  func mismatch(_ subject: CheckedModel) -> Diagnostic {
    // A schema that other tags' stores have is right as it is.
    let shapes = subject.shipped?.shapes ?? []
    let open = subject.model.versions.filter { today in
      !shapes.contains { today.makesStores(of: $0.version) }
    }
    let compared = (open.isEmpty ? subject.model.versions : open).map { today in
      (today, compareModels(from: version.model, to: today.model).filter(\.isHashed))
    }
    let nearest = compared.min { left, right in
      (left.0.name == version.name ? 0 : 1, left.1.count)
        < (right.0.name == version.name ? 0 : 1, right.1.count)
    }
    // Frozen schemas and their plan are written anew where they stand.
    let frozen = subject.model.versions.compactMap { $0.sourceMap?.file }.first(where: \.isFrozenFile)
    let (today, changes) = (nearest?.0, nearest?.1 ?? [])
    let change = changes.first
    let place = ModelSubject(
      version: today?.name, entity: change?.entity ?? change?.entitiesWithMovedHash.first,
      property: change?.property)
    let file = (frozen ?? (today?.sourceMap?.file ?? "").frozenFile).shellWord
    let further = changes.count > 1 ? ", and \(counted(changes.count - 1, "further change"))" : ""
    return Diagnostic(
      .storesMatchNoVersion, severity,
      "stores of \(label) match no version of the plan" + (change.map { ": \($0.line)\(further)" } ?? ""),
      subject: place, place: today?.sourceMap?.nearestRange(to: place),
      notes: here(place) + [
        Diagnostic.Note(note ?? "SwiftData does not open a store whose schema the plan does not list")
      ],
      help: [
        "list a VersionedSchema with its own types, as they were in those stores"
          + (shapes.isEmpty ? "" : ": `modelc release --from-tags '*' --freeze \(file)` writes it")
      ], cocoaCode: 134504)
  }
}

extension Diagnostic.Code {
  /// A schema is not what was released under its version, and what it was is not known.
  package static let schemaChangedInPlace = Self("MC2612", level: .hash)
  /// No schema of the plan has the hashes of stores that users have.
  package static let storesMatchNoVersion = Self("MC2630", level: .hash, identity: .wordsAndNumbers)
  /// Tags whose stores are not judged.
  package static let unreadTags = Self("MC2632", level: .hash)
}

extension Diagnostic {
  /// The properties whose members it is about.
  fileprivate var heldMembers: [ModelSubject] {
    ([subject].compactMap(\.self) + related).compactMap { part in
      guard let name = part.property, let dot = name.firstIndex(of: ".") else { return nil }
      return ModelSubject(entity: part.entity, property: String(name[..<dot]))
    }
  }

  /// What it is about, in any version.
  fileprivate var property: ModelSubject {
    ModelSubject(entity: subject?.entity, property: subject?.property)
  }

  /// The same, of a member of a struct the property that holds that.
  fileprivate var wholeProperty: ModelSubject { heldMembers.first ?? property }

  /// Whether it, or another property of the same type that it names, is this one.
  fileprivate func isAbout(_ part: ModelSubject) -> Bool {
    property == part || related.contains { $0.entity == part.entity && $0.property == part.property }
  }

  /// Takes in what stores show of cases that are gone: one finding, with its rows.
  fileprivate mutating func takeIn(_ others: [Diagnostic]) {
    guard code == .removedCases else { return }
    let isCase = severity < .error
    for other in others
    where isCase && other.code == .removedCases && other.severity == .error && isAbout(other.property)
      || other.code == .droppedData && other.heldMembers.contains(where: isAbout)
    {
      severity = .error
      notes.append(Note(other.message))
    }
  }

  /// Whether another finding says the same in Swift's terms.
  fileprivate func isCovered(by others: [Diagnostic]) -> Bool {
    func isReported(_ codes: Set<Code>, _ isSame: (Diagnostic) -> Bool) -> Bool {
      others.contains { codes.contains($0.code) && isSame($0) }
    }
    if code == .duplicateEntity { return isReported([.reachesNewer, .sameClassName]) { _ in true } }
    func isOfCases(_ part: ModelSubject) -> Bool { isReported([.removedCases]) { $0.isAbout(part) } }
    if heldMembers.contains(where: isOfCases) { return true }
    switch code {
    case .removedCases:
      return severity == .error
        && isReported([.removedCases]) { $0.severity < .error && $0.isAbout(property) }
    case .noInverse:
      return isReported([.sameClassName, .reachesNewer]) { $0.subject?.version == subject?.version }
    case .missingAttributeValues:
      return isReported([.newRequirement, .storesNotInferred]) { $0.property == property }
    case .incompatibleAttributeTypes, .newRequirement:
      return isReported([.storesNotInferred]) { $0.property == property }
    case .undeclaredRemoval:
      return isReported([.likelyRename, .renamedClass]) { $0.related.first.map(related.contains) ?? false }
        || isReported([.storesMatchNoVersion], isEdited)
    case .likelyRename: return isReported([.storesMatchNoVersion], isEdited)
    case .planListing:
      return isReported([.storesMatchNoVersion]) { other in
        subject.map { other.related.contains($0) } ?? false
      }
    case .addedUniqueness:
      return isReported([.duplicateValues]) { $0.subject?.entity == subject?.entity }
    default: return false
    }
  }

  /// Whether what it says is gone came by the edit of an old schema that the other finding is about.
  private func isEdited(_ other: Diagnostic) -> Bool { other.subject.map(related.contains) ?? false }
}

import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import SwiftDataModels

extension [CheckFinding] {
  /// Marks findings that the base has too, or had where this branch left it. They may have moved: a new version copied the
  /// fact, or a version has another name or place now.
  mutating func markOld(_ models: [CheckedModel], _ options: CheckOptions) {
    for subject in models {
      guard let before = subject.base else { continue }
      for before in [before] + before.forks {
        let open = indices.filter { self[$0].model == subject.name && self[$0].state == .new }
        if open.allSatisfy({ self[$0].diagnostic.dependsOnBase }) { continue }
        let known = KnownFindings(of: subject, before, options)
        for index in open where known.includes(self[index]) { self[index].state = .old }
      }
    }
  }

  /// Without a base, marks findings about versions that can no longer be edited.
  ///
  /// Those are released versions, and all but the current one of a package: users have apps with them. What a mapping file
  /// lost at the last release too is of that time, else the file can be edited.
  mutating func markUneditable(_ models: [CheckedModel], _ options: CheckOptions) {
    for subject in models {
      let model = subject.model
      let former = subject.base.flatMap { $0.model.versions.isEmpty ? nil : $0.model }
      let frozen = model.versions.filter { version in
        guard former?.version(named: version.name) == nil else { return false }
        let isNew = former.map { $0.isFollowed(by: version, in: model) } ?? false
        return !subject.isEditable(version, isNew: isNew)
      }
      let names = Set(frozen.map(\.name))
      let files = VersionFiles(of: model)
      var known: KnownFindings?
      for index in indices where self[index].model == subject.name && self[index].state == .new {
        let finding = self[index]
        // Errors of a version stop everything; the paths report findings between versions.
        guard finding.kind == .lint || finding.kind == .compile && finding.diagnostic.severity < .error,
          let version = files.version(of: finding.diagnostic), names.contains(version)
        else { continue }
        let isLoss = subject.mappings.isLoss(finding.diagnostic, to: version)
        if options.level == .source, !isLoss || subject.lock?.entry(version) == nil { continue }
        if isLoss, let release = subject.lastRelease,
          release.mappings.isLoss(finding.diagnostic, to: version)
        {
          let former = known ?? KnownFindings(of: subject, release, options)
          known = former
          if !former.includes(finding) { continue }
        }
        self[index].state = .past
      }
    }
  }
}

extension ProjectMappings {
  /// Whether it is what the step to a version loses that has a mapping file.
  fileprivate func isLoss(_ finding: Diagnostic, to version: String) -> Bool {
    finding.code == .undeclaredRemoval
      && finding.related.contains { places[[$0.version ?? "", version]] != nil }
  }
}

extension CheckedModel {
  /// - Parameter isNew: whether the base has no such version.
  fileprivate func isEditable(_ version: ModelVersion, isNew: Bool) -> Bool {
    // Without stages the newest schema is edited as it is, and the step from its stores inferred.
    if model.isSwiftData, model.stages.isEmpty, version.name == model.currentVersionName { return true }
    if lock?.entry(version.name) != nil { return !hasReleasedSteps(to: version) }
    guard version.origin == .xcode else { return true }
    // Made since the base, or since the last release: users have no store of it.
    if isNew || model.comesAfterReleases(version, lock) { return true }
    return version.name == model.currentVersionName
      || model.isDraft(version) && !model.isOrderGuessed && !model.isCurrentFirstOfMany
  }
}

/// In the order of versions, then of places. Findings about no version come first.
func inOrder(_ findings: [CheckFinding], of models: [CheckedModel]) -> [CheckFinding] {
  var ranks: [String: (model: Int, versions: [String: Int], files: VersionFiles)] = [:]
  for (index, subject) in models.enumerated() {
    let places = subject.model.versions.enumerated().map { ($0.element.name, $0.offset) }
    ranks[subject.name] = (index, Dictionary(firstOf: places), VersionFiles(of: subject.model))
  }
  let ofCurrent: [Diagnostic.Code] = [.currentVersionIsFirst, .currentVersionWentBack, .newVersionNotCurrent]
  let keyed = findings.map { finding in
    let rank = ranks[finding.model]
    let version = rank?.files.version(of: finding.diagnostic).flatMap { rank?.versions[$0] }
    // What the current version is bears on all that follows.
    let isOfCurrent = ofCurrent.contains(finding.diagnostic.code)
    let place = isOfCurrent ? -2 : version ?? -1
    return (key: (rank?.model ?? -1, place), finding: finding)
  }
  return keyed.sorted { left, right in
    left.key == right.key
      ? left.finding.diagnostic.sortKey < right.finding.diagnostic.sortKey : left.key < right.key
  }.map(\.finding)
}

/// What a check of the base finds.
private struct KnownFindings {
  private let subject: CheckedModel
  private let base: BaseModel
  private let files: VersionFiles
  private let identities: Set<String>
  /// A finding about a version, whatever the version's name.
  private let facts: [String: Set<Diagnostic.Key>]
  /// What one step over several versions loses in the base too.
  private let pathLosses: Set<[String]>
  /// Versions that the lock lists today.
  private let released: Set<String>
  /// Versions that are called otherwise today, by their names of today.
  private let formerNames: [String: String]

  init(of subject: CheckedModel, _ base: BaseModel, _ options: CheckOptions) {
    var model = base.model
    // It may have been called otherwise.
    model.name = subject.model.name
    var diagnostics = base.diagnostics
    if let profile = options.profile {
      model.setProfile(profile)
      diagnostics = model.findings(reading: diagnostics)
    }
    var former = CheckedModel(
      path: subject.path, model: model, diagnostics: diagnostics, reader: subject.reader)
    (former.lockText, former.lockFindings) = (base.lockText, [])
    former.shipped = subject.shipped
    former.mappings = base.mappings
    former.mappings.custom.mappingModels[model.name] = base.mappings.custom.mappingModels[base.model.name]
    let names = Set(base.model.versions.map(\.name))
    let steps = former.check(options, knownVersions: names)
    let findings = gather(steps, level: options.level).map(\.diagnostic)
    identities = Set(findings.map { $0.identity(inModel: subject.model.name) })
    pathLosses = Set(findings.filter { $0.code == .pathsDiffer && $0.severity == .error }.map(\.pathLoss))
    let formerFiles = VersionFiles(of: base.model)
    facts = findings.reduce(into: [:]) { facts, finding in
      if let version = formerFiles.version(of: finding) { facts[version, default: []].insert(finding.key) }
    }
    (self.subject, self.base) = (subject, base)
    released = Set(subject.lock?.entries.map(\.version) ?? [])
    files = VersionFiles(of: subject.model)
    formerNames = Self.formerNames(subject.model, base.model)
  }

  private static func formerNames(_ model: VersionedModel, _ base: VersionedModel) -> [String: String] {
    var names: [String: String] = [:]
    let gone = base.versions.filter { model.version(named: $0.name) == nil }
    for version in model.versions where base.version(named: version.name) == nil {
      names[version.name] = gone.first { $0.model.fingerprint == version.model.fingerprint }?.name
    }
    return names
  }

  func includes(_ finding: CheckFinding) -> Bool {
    let diagnostic = finding.diagnostic
    guard !diagnostic.dependsOnBase else { return false }
    // That stands in the app's source, and not in the model.
    if diagnostic.code == .storeWipe, let commit = base.commit {
      return diagnostic.isUnchanged(since: commit)
    }
    // The finding lists released versions. It is old where nothing was released since.
    if diagnostic.code == .releasedStoreMissing {
      return base.lockText == subject.lockText && base.stores.allSatisfy(isKept) && !lacksKeptStores
    }
    // What is out and cannot be read any more was compared with nothing.
    let isUnread = subject.model.unreadVersions.contains {
      released.contains($0.name) && $0.explains(diagnostic)
    }
    if isUnread, diagnostic.severity == .error { return false }
    let name = files.version(of: diagnostic)
    if identities.contains(formerly(diagnostic).identity(inModel: subject.model.name)) {
      // Of content that is other than it was, a further edit may read as the one before it did.
      let ofEdits: [Diagnostic.Code] = [.releasedVersionChanged, .schemaChangedInPlace, .unhashedFactChanged]
      return !ofEdits.contains(diagnostic.code) || !wasEdited(name)
    }
    // A version that only follows loses nothing more.
    if finding.kind == .path, diagnostic.code == .pathsDiffer, pathLosses.contains(diagnostic.pathLoss) {
      return true
    }
    // What a plan lacks may follow from the app's containers.
    guard let name, diagnostic.code != .planListing, diagnostic.severity < .error || finding.kind == .lint
    else { return false }
    if let former = base.model.version(named: formerNames[name] ?? name) {
      return isUntouched(name, former, finding)
    }
    // A copy of a version has its flaws too; who made the copy did not make them.
    guard [.compile, .path].contains(finding.kind), diagnostic.severity < .error,
      let origin = subject.model.version(named: name).flatMap(origin)
    else { return false }
    return facts[origin, default: []].contains(diagnostic.key)
  }

  /// A finding as it was of versions that are called otherwise today.
  private func formerly(_ finding: Diagnostic) -> Diagnostic {
    formerNames.reduce(into: finding) { finding, names in
      finding.message = finding.message.replacingBytes(of: "'\(names.key)'", with: "'\(names.value)'")
      if finding.subject?.version == names.key { finding.subject?.version = names.value }
    }
  }

  /// Whether the base's revision has a store of a released version that is not there any more.
  private var lacksKeptStores: Bool {
    guard let commit = base.commit else { return false }
    return released.map(subject.places.store).contains { store in
      guard !FileManager.default.fileExists(atPath: store),
        let (repository, path) = try? GitRepository.holding(store)
      else { return false }
      return (try? repository.ids(at: path, in: [commit]))?.first.flatMap(\.self) != nil
    }
  }

  private func isKept(_ store: String) -> Bool {
    let name = URL(filePath: store).lastPathComponent
    return FileManager.default.fileExists(atPath: "\(subject.places.fixtureFolder)/\(name)")
  }

  /// Whether a finding is about a version that is what it was in the base: versions that it was compared with, or that
  /// said the same before it, may be gone.
  private func isUntouched(_ name: String, _ former: ModelVersion, _ finding: CheckFinding) -> Bool {
    let found = finding.diagnostic
    // What the app's containers make of a version may be new in one that nobody changed.
    let isOfContainers = found.code == .differentClasses || found.code.accepted == .unmirrored
    // What a mapping file drops is of that, which can be edited.
    guard let version = subject.model.version(named: name),
      version.model.fingerprint == former.model.fingerprint,
      !subject.model.isSwiftData || !isOfContainers,
      !subject.mappings.isLoss(found, to: name)
    else { return false }
    // The author of the list decides what comes before a version, except in a package.
    let isOfPackage = version.origin == .xcode && name != subject.model.currentVersionName
    return finding.kind == .compile || finding.kind == .lint && isOfPackage
  }

  /// The nearest version before it that the base has.
  private func origin(of version: ModelVersion) -> String? {
    subject.model.lineage(of: version).dropFirst().first { base.model.version(named: $0.name) != nil }?.name
  }

  /// Whether a version is another than in the base: then it is so by this change.
  private func wasEdited(_ name: String?) -> Bool {
    guard let name, let old = base.model.version(named: name), let new = subject.model.version(named: name)
    else { return false }
    return old.model.fingerprint != new.model.fingerprint
  }
}

extension VersionedModel {
  /// Whether a version that this model has not comes after those that it has; one that is brought back does not.
  fileprivate func isFollowed(by version: ModelVersion, in model: VersionedModel) -> Bool {
    !unreadVersions.contains { $0.name == version.name }
      && !model.versions.contains { later in
        self.version(named: later.name) != nil
          && model.origins(of: later).contains { $0.name == version.name }
      }
  }

  /// Whether a version follows a released one, and no released one follows it.
  fileprivate func comesAfterReleases(_ version: ModelVersion, _ lock: ReleaseLock?) -> Bool {
    guard let lock, !isOrderGuessed else { return false }
    return origins(of: version).contains { lock.entry($0.name) != nil }
      && !versions.contains { later in
        lock.entry(later.name) != nil && origins(of: later).contains { $0.name == version.name }
      }
  }
}

extension Diagnostic {
  /// Whether a commit has the finding's file as it is today.
  fileprivate func isUnchanged(since commit: String) -> Bool {
    guard let file = place?.file, let (repository, path) = try? GitRepository.holding(file),
      let content = try? Data(contentsOf: URL(filePath: file)),
      let then = (try? repository.ids(at: path, in: [commit]))?.first ?? nil
    else { return false }
    return repository.holds(content, as: then)
  }

  /// From which version, and what.
  fileprivate var pathLoss: [String] {
    let end = message.firstRange(of: " to '")?.lowerBound ?? message.endIndex
    return [String(message[..<end])] + notes.map(\.message)
  }

  /// Raised because of what the check is against, or because of a policy that the modelc of today does not have: that
  /// it would be found in the revision too says nothing.
  var dependsOnBase: Bool {
    [
      .sameVersionOnTwoBranches, .baseVersionChanged, .baseVersionRemoved, .baseNotCompared,
      .cloudKitDeployment, .formerMapping, .modelLost,
    ].contains(code)
      // A store that is gone or damaged was not tried, whoever did it; nor is one without a temporary folder.
      || [.unknownPolicy, .releasedStoreMissing, .readOnlyStore].contains(code) && severity == .error
  }
}

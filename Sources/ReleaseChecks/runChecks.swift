package import ManagedModel
import ModelFormats

/// Everything that must hold before a release, over all models. Every check runs; all findings are reported together.
///
/// - Parameters:
///   - lost: what is found about models that are there no more.
///   - options: findings that the base has too do not count.
/// - Returns: MC7022 among the findings where nothing was checked: that is never a success.
package func runChecks(
  _ models: [CheckedModel], lost: [Diagnostic] = [], options: CheckOptions
) -> CheckReport {
  let start = ContinuousClock.now
  var steps = lost.isEmpty ? [] : models.prefix(1).map { $0.step(.release, "models", lost) }
  for subject in models {
    if let baseName = options.base, subject.base == nil {
      let model = subject.model
      let finding = Diagnostic(
        .modelNotInBase, .information,
        "'\(model.name)' is not in \(baseName): it is new, and was compared with nothing",
        place: model.isSwiftData
          ? model.currentVersion?.sourceMap?.nearestRange(to: ModelSubject())
          : versionListPlaces(ofModelAt: subject.path).file.linePlace(1),
        help: subject.isBuilt ? [] : ["if it was moved and renamed at once, check against a later revision"])
      steps.append(subject.step(.release, "base", [finding]))
    }
    steps += checkModel(subject, options: options).map { step in
      step.mapFindings { finding in
        guard options.allowsUnreadBase, finding.code == .baseNotCompared else { return finding }
        return finding.with { $0.severity = min($0.severity, .warning) }
      }
    }
  }
  steps = steps.sharingStores(options.stores, among: models)
  if models.isEmpty || steps.isEmpty {
    let finding = Diagnostic(
      .nothingChecked, .error, "nothing was checked: there is no model",
      help: ["name the project with `-C`, or its models with `--models`"])
    steps.append(CheckStep(kind: .release, model: "", name: "models", findings: [finding]))
  }
  var findings = gather(steps, level: options.level)
  var plain = options
  (plain.base, plain.baseline, plain.budget, plain.budgetRows) = (nil, nil, nil, nil)
  if findings.contains(where: { !$0.diagnostic.dependsOnBase }) { findings.markOld(models, plain) }
  findings.markUneditable(models, plain)
  findings += findings.suppress(models, options)
  findings = inOrder(folded(findings, of: models), of: models)
  var report = CheckReport(steps: steps, findings: findings, models: models.map(\.name))
  let counts = Dictionary(grouping: models, by: \.model.name)
  report.paths = Dictionary(
    firstOf: models.filter { counts[$0.model.name]?.count != 1 }.map { ($0.name, $0.path) })
  report.versions = models.map(\.model.versions.count).reduce(0, +)
  report.released = models.map(\.released.count).reduce(0, +)
  report.base = options.base
  report.seconds = start.duration(to: .now) / .seconds(1)
  return report
}

/// One model, from its files to its stores.
///
/// - Parameter knownVersions: versions that somebody may have stores of, beside those that the lock lists.
func checkModel(
  _ subject: CheckedModel, knownVersions: Set<String> = [], options: CheckOptions
) -> [CheckStep] {
  // The base's versions, by the names that they have today.
  let known = knownVersions.union(
    (subject.base?.model.versions ?? []).compactMap { $0.counterpart(in: subject.model)?.name })
  let options = options.completed(by: subject.settings?.budget)
  let findings = subject.checkLock(isAgainst: options.base != nil)
  let isWaived = subject.model.isDisposable
  // A cache is recreated: nothing has to lead to it, and nothing has to be kept of it.
  let waived: Set<Diagnostic.Code> = isWaived ? [.releaseLockUnusable, .releasedVersionRemoved] : []
  let own = findings.filter { !waived.contains($0.code) }
  var steps = [
    subject.step(
      .compile, counted(subject.model.versions.count, "version"),
      subject.diagnostics.lostCurrent(since: subject.base).map { subject.refusedInApp($0) }),
    subject.step(.release, "released versions", own),
  ]
  if !isWaived { steps += subject.checkTaggedStores() }
  if let readable = subject.readable, !isWaived {
    var sound = subject
    sound.model = readable
    let displaced = own.filter { $0.code == .currentVersionWentBack }.compactMap(\.subject?.version)
    steps += checkReadable(sound, known, options, besides: displaced)
  }
  return steps.withoutGuesses(of: subject).inSwiftTerms(of: subject)
}

/// The versions without errors: their differences, mapping models, paths, stores.
///
/// - Parameter displaced: versions that came before the current one and seem to follow it: no store goes that step.
private func checkReadable(
  _ subject: CheckedModel, _ knownVersions: Set<String>, _ options: CheckOptions, besides displaced: [String]
) -> [CheckStep] {
  let (model, lock) = (subject.model, subject.lock)
  var steps: [CheckStep] = []
  let names = namesThatComeBack(in: model)
  let settled = model.versions.filter(subject.hasReleasedSteps).map(\.name)
  // No lock has mapping files: of a released step what they lose may be new.
  let takesLosses = options.level == .store || options.level == .source
  let mapped = takesLosses ? subject.mappings.places.keys.compactMap(\.last) : []
  let judged = model.versions.filter {
    !displaced.contains($0.name) && (!settled.contains($0.name) || mapped.contains($0.name))
  }
  let released = subject.releasedContents(of: judged)
  steps += concurrentMap(judged) { version -> [CheckStep] in
    model.predecessors(of: version).enumerated().compactMap { place, former -> CheckStep? in
      let mapping = subject.mappings.step(from: former, to: version, in: model)
      let known = released[version.name].map { VersionStep(from: former, to: $0, mapping: mapping) }
      let knownIdentities = Set(known?.check().map { $0.identity(inModel: model.name) } ?? [])
      let isUnneeded =
        version.versionChecksum == former.versionChecksum && lock?.entry(former.name) != nil
      let found =
        VersionStep(from: former, to: version, mapping: mapping).check()
        .filter { !knownIdentities.contains($0.identity(inModel: model.name)) }
        + (isUnneeded ? [.unneededVersion(version, former)] : [])
        + (place == 0 ? names[version.name, default: []] : [])
      // What the work of a custom stage does to rows is its own.
      let stage = model.customStage(from: former, to: version)
      let isSettled = settled.contains(version.name)
      let open = found.filter {
        (!isSettled || mapping != nil && $0.code == .undeclaredRemoval)
          && stage?.mayFix($0, from: former) != true
          && !subject.mayHaveFilled($0, in: former, besides: knownVersions)
      }
      if isSettled, open.isEmpty { return nil }
      let ends = [former.name, version.name]
      return subject.step(
        .lint, ends.joined(separator: " → "), isSettled ? subject.advised(open, of: ends) : open)
    }
  }.flatMap(\.self)
  steps += subject.checkCloudKitDeployment()
  steps += subject.checkMappings()
  guard !subject.mappings.diagnostics.hasErrors else { return steps }
  let former = subject.checkFormerMappings()
  if !former.isEmpty { steps.append(subject.step(.release, "former mapping models", former)) }
  // What the check is against does not have a new model: nobody has stores of it.
  steps += checkPaths(of: subject, knownVersions, isNew: options.base != nil && subject.base == nil)
  let reversal = options.isReversible ? Reversal(of: subject) : nil
  steps += reversal?.checkModels() ?? []
  guard takesLosses else { return steps }
  steps += subject.checkStores(options)
  steps += reversal?.checkStores(options) ?? []
  steps += subject.checkBudget(orOf: knownVersions, options: options)
  if let folder = options.testFolder {
    steps +=
      subject.runMigrationTests(in: "\(folder)/\(model.name)", filter: nil, options: options).steps
  }
  return steps
}

extension CheckedModel {
  /// Whether a version is what was released, and stores have come to it from its predecessors: what two branches released
  /// becomes a step when they are merged.
  func hasReleasedSteps(to version: ModelVersion) -> Bool {
    guard let entry = lock?.entry(version.name), entry.fingerprint == version.model.fingerprint else {
      return false
    }
    let bases = [base?.model, base?.ancestor].compactMap(\.self).filter { !$0.versions.isEmpty }
    if version.notation == .swiftData { return true }
    if bases.isEmpty {
      // The lock's tag of the version may lack a released one that was brought before it since: a hotfix, say.
      return !model.predecessors(of: version).contains { former in
        lock?.entry(former.name) != nil
          && entry.tag.map { stands(version.name, at: $0) && !stands(former.name, at: $0) } ?? false
      }
    }
    return model.predecessors(of: version).allSatisfy { former in
      bases.contains { base in
        guard let then = version.counterpart(in: base), let origin = former.counterpart(in: base) else {
          return false
        }
        return base.origins(of: then).contains { $0.name == origin.name }
      } || entry.tag.map { stands(former.name, at: $0) && stands(version.name, at: $0) } ?? false
    }
  }

  private func stands(_ version: String, at tag: String) -> Bool {
    guard let file = file(ofVersion: version), let (repository, place) = try? GitRepository.holding(file),
      let commit = try? repository.commit(named: tag)
    else { return false }
    return (try? repository.ids(at: place, in: [commit.id]))?.first.flatMap(\.self) != nil
  }

  /// What a released step loses, with the advice that fits it: its mapping file can be edited, its versions cannot.
  fileprivate func advised(_ losses: [Diagnostic], of names: [String]) -> [Diagnostic] {
    let then = [base, lastRelease].compactMap(\.self).first { $0.mappings.places[names] != nil }
    let file = then?.mappings.places[names] ?? ""
    let isOther = then?.mappings.files[file] != mappings.files[file]
    let help = isOther ? then.map { "restore the mapping file: \($0.restoring(file, of: self))" } : nil
    return losses.map { finding in
      let adding = finding.help.dropFirst().first { $0.hasPrefix("if not, add ") }
      let other = help.map { "if not, \($0)" } ?? adding ?? "if not, let the mapping read it"
      return finding.with { $0.help = Array($0.help.prefix(1)) + [other] }
    }
  }

  /// Of released versions that are edited now what they were: what that said already is not of today's edit.
  fileprivate func releasedContents(of versions: [ModelVersion]) -> [String: ModelVersion] {
    Dictionary(
      firstOf: versions.compactMap { version -> (String, ModelVersion)? in
        guard let entry = lock?.entry(version.name), entry.fingerprint != version.model.fingerprint,
          let then = releasedModel(version.name, entry)?.model, then.fingerprint == entry.fingerprint
        else { return nil }
        var past = ModelVersion(name: version.name, model: then, origin: version.origin)
        (past.notation, past.retired) = (version.notation, version.retired)
        return (version.name, past)
      })
  }

  /// What stops an app that lets Core Data migrate its stores: no step from a released version, unless the app goes version by
  /// version, or no stage for the current one.
  fileprivate func refusedInApp(_ finding: Diagnostic, from source: String? = nil) -> Diagnostic {
    guard finding.code == .coreDataRefuses, settings?.isMigratedByModelc != true else { return finding }
    return finding.with {
      switch finding.cocoaCode {
      case 134140? where mappings.shipped[model.name] != nil && !model.isStepwise:
        $0.help.insert(
          "if the app migrates version by version with its own code, write `chain: stepwise` into a modelc.yaml next to the package",
          at: 0)
      // SwiftData takes lightweight stages in one step (Apple's forum, thread 804902).
      case 134140? where model.isSwiftData:
        guard let source else { break }
        $0.help = [
          "write each stage from '\(source)' to '\(finding.subject?.version ?? "")' as "
            + "`.custom(…, willMigrate: nil, didMigrate: nil)`: SwiftData then takes each as a step of its own"
        ]
      case 134504? where finding.subject?.version == model.currentVersionName: break
      default: return
      }
      $0.severity = .error
    }
  }

  /// Whether the work of a custom stage has filled what is required now: of a version that no store was made with.
  fileprivate func mayHaveFilled(
    _ finding: Diagnostic, in former: ModelVersion, besides known: Set<String>
  ) -> Bool {
    let shapes = shipped?.shapes ?? []
    let names = known.union(lock?.entries.map(\.version) ?? [])
    return [.missingAttributeValues, .missingRelationshipValues].contains(finding.code)
      && former.notation == .swiftData && !(names.isEmpty && shapes.isEmpty)
      && !names.contains(former.name) && !shapes.contains { former.makesStores(of: $0.version) }
      && model.predecessors(of: former).contains {
        model.customStage(from: $0, to: former)?.didMigrateHandler != nil
      }
  }
}

/// The paths to the current version from every version that users may have: the released ones, those of the base, and in a
/// plan of SwiftData's those that tags have. Where nothing says which they have, warnings from each, of what stops its stores.
private func checkPaths(
  of subject: CheckedModel, _ knownVersions: Set<String>, isNew: Bool
) -> [CheckStep] {
  let (model, lock) = (subject.model, subject.lock)
  let inferred = InferredSteps()
  let shapes = subject.shipped?.shapes ?? []
  let areUnknown = lock == nil && knownVersions.isEmpty && !isNew && shapes.isEmpty
  // The rules on SwiftData's steps report types.
  let shown = [Diagnostic.Code.hierarchyMerge, .toManyBecomesToOne, .incompatibleAttributeTypes]
    .prefix(model.isSwiftData ? 2 : 3)
  // A mapping model that leads past a version says that stores go another way.
  let passed = (areUnknown ? subject.mappings.steps(in: model) : []).flatMap { step in
    model.path(fromAnyOf: [step.from.name], to: step.to)?.dropFirst().dropLast().map(\.name) ?? []
  }
  let sources = model.versions.filter { version in
    version.name != model.currentVersionName
      && (areUnknown && !passed.contains(version.name) || lock?.entry(version.name) != nil
        || knownVersions.contains(version.name)
        || !subject.isInferred && shapes.contains { $0.version.makesStores(of: version) })
  }
  let steps = concurrentMap(sources) { version in
    let name = "\(version.name) → \(model.currentVersionName)"
    guard let way = model.pathToCurrent(from: version) else {
      let place = versionListPlaces(ofModelAt: subject.path).current
      let isLater = areUnknown || model.isDraft(version)
      let found: [Diagnostic] = isLater ? [] : [.noPath(version.name, to: model.currentVersionName, place)]
      return subject.step(.path, name, found)
    }
    let found = way.check(of: model, subject.mappings, inferred).filter { finding in
      !areUnknown || finding.severity == .error && shown.contains(finding.code)
    }
    return subject.step(.path, name, found.map { subject.refusedInApp($0, from: version.name) })
  }
  let named = namingStoppedVersions(steps, from: sources.map(\.name), of: subject, areUnknown: areUnknown)
  return areUnknown ? named.filter { !$0.findings.isEmpty } : named
}

/// What stands in the way of several versions is one finding, which names them.
///
/// - Parameter areUnknown: whether nothing says that users have the versions.
private func namingStoppedVersions(
  _ steps: [CheckStep], from names: [String], of subject: CheckedModel, areUnknown: Bool
) -> [CheckStep] {
  // What loses values migrates.
  func stops(_ finding: Diagnostic) -> Bool {
    finding.severity == .error && ![.noPathToCurrent, .pathsDiffer].contains(finding.code)
  }
  var stopped: [Diagnostic: [String]] = [:]
  for (name, step) in zip(names, steps) {
    for finding in step.findings where stops(finding) { stopped[finding, default: []].append(name) }
  }
  return steps.map { step in
    step.mapFindings { finding in
      guard let versions = stopped[finding] else { return finding }
      let note =
        "stores of \(counted(versions.count, "version")) cannot be migrated: \(versions.listed)"
      return finding.with {
        $0.notes.append(Diagnostic.Note(areUnknown ? "if users have them, \(note)" : note))
        guard areUnknown else { return }
        $0.severity = .warning
        $0.help.append(
          "if no user has one, lock those that users have: \(subject.freezeAdvice(without: versions))")
      }
    }
  }
}

extension [CheckStep] {
  /// A store that an option names is of one of the models, not of each.
  fileprivate func sharingStores(_ stores: [String], among models: [CheckedModel]) -> Self {
    func isStrange(_ finding: Diagnostic) -> Bool {
      finding.code == .releasedStoreMissing && stores.contains(finding.place?.file ?? "")
    }
    let strange = Dictionary(grouping: flatMap(\.findings).filter(isStrange)) { $0.place?.file }
    // Caches are not asked for stores.
    let all = models.count { !$0.model.isDisposable }
    return map { step in
      step.mapFindings { isStrange($0) && (strange[$0.place?.file]?.count ?? 0) < all ? nil : $0 }
    }
  }
}

extension [Diagnostic] {
  /// What says that the current version is unknown is an error where the base knew it.
  fileprivate func lostCurrent(since base: BaseModel?) -> [Diagnostic] {
    let unknown = Diagnostic.Code.unknownXcodeCurrentVersion
    guard let base, !base.model.versions.isEmpty,
      !(base.diagnostics + base.model.gateFindings).contains(where: { $0.code == unknown })
    else { return self }
    return map { finding in finding.code == unknown ? finding.with { $0.severity = .error } : finding }
  }
}

extension CheckedModel {
  fileprivate func checkStores(_ options: CheckOptions) -> [CheckStep] {
    let kept = keptStores()
    let further = (options.stores + (base?.stores ?? [])).map { CheckedStore(path: $0) }
    let stores = kept.stores + further
    var steps = concurrentMap(stores) { store -> [CheckStep] in
      let key = options.cache?.key(
        "store \(options.level) \(store.version ?? "") \(lock?.text ?? "")", self, files: [store.path])
      if options.budget == nil, let key, let cache = options.cache, cache.holds(key) {
        return [step(.store, "\(store.path), unchanged since it was tried", [])]
      }
      let steps = check(store, options: options)
      if let key, steps.allSatisfy(\.findings.isEmpty) { options.cache?.keep(key) }
      return steps
    }.flatMap(\.self)
    if !kept.findings.isEmpty { steps.append(step(.store, "kept stores", kept.findings)) }
    return steps
  }
}

/// Names that come back after they were gone, and renaming identifiers that lead nowhere (MC3203, MC3205), by version.
/// Likely renames are told by the rules on the step.
///
/// A version's findings depend on earlier versions only, so one pass from the latest version is enough.
private func namesThatComeBack(in model: VersionedModel) -> [String: [Diagnostic]] {
  var found: [String: [Diagnostic]] = [:]
  for version in model.versions.reversed() where found[version.name] == nil {
    let line = Array(model.lineage(of: version).reversed())
    let findings = line.checkNameHistory(looksForRenames: false)
    for passed in line where found[passed.name] == nil {
      found[passed.name] = findings.filter { $0.subject?.version == passed.name }
    }
  }
  return found
}

extension CustomMigrationStage {
  /// Whether its work may take care of what a finding says of rows.
  fileprivate func mayFix(_ finding: Diagnostic, from former: ModelVersion) -> Bool {
    let ofRows: [Diagnostic.Code] = [
      .missingAttributeValues, .missingRelationshipValues, .oneDefaultForAll, .sharedValue,
      .undeclaredRemoval,
    ]
    // What it deletes has no rows when the step begins, and is meant to be lost.
    let owners = finding.code == .undeclaredRemoval ? finding.related : [finding.subject].compactMap(\.self)
    if ofRows.contains(finding.code), !owners.isEmpty,
      owners.allSatisfy({ emptied.contains($0.entity ?? "") })
    {
      return true
    }
    switch finding.code {
    // The step stops at such rows, or the app does when it reads them: only work before it helps.
    case .addedUniqueness, .removedCases, .numbersMayNotFit: return willMigrateHandler != nil
    case .sharedValue where didMigrateHandler != nil: return true
    case .missingAttributeValues, .sharedValue:
      // Of a property that was optional, nil can be filled before; one that is new has no place yet.
      guard willMigrateHandler != nil, former.notation == .swiftData else { return false }
      return former.model.entities.first { $0.name == finding.subject?.entity }?
        .attributes.contains { $0.name == finding.subject?.property } == true
    default:
      return Diagnostic.Code.ofSwiftDataRows.contains(finding.code)
        && (willMigrateHandler != nil || didMigrateHandler != nil)
    }
  }
}

extension Diagnostic.Code {
  package static let versionUnneeded = Self("MC7014", level: .source)
  /// The model is not in what the check is against.
  package static let modelNotInBase = Self("MC7050", level: .hash)
  static let modelLost = Self("MC7054", level: .hash)
  package static let nothingChecked = Self("MC7022", level: .hash)
}

extension Diagnostic {
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

  /// A version that no store can tell from the released one before it.
  fileprivate static func unneededVersion(_ version: ModelVersion, _ former: ModelVersion) -> Self {
    Self(
      .versionUnneeded, .information,
      "'\(version.name)' has the hashes of the released '\(former.name)': no store is migrated to it",
      subject: ModelSubject(version: version.name),
      place: version.sourceMap?.nearestRange(to: ModelSubject()),
      help: ["a version is needed only if stores change; this one changes only how apps use them"])
  }
}

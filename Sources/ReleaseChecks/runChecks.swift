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
    if let baseName = options.base, subject.base == nil, !subject.hasFormer {
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
    steps += subject.check(options)
  }
  if options.allowsUnreadBase {
    steps = steps.map { step in
      step.mapFindings { finding in
        guard finding.code == .baseNotCompared else { return finding }
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
  for subject in models where !subject.model.isDisposable { findings.keepReadErrors(of: subject) }
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

extension CheckedModel {
  /// Everything about it, from its files to its stores.
  ///
  /// - Parameter knownVersions: versions that somebody may have stores of, beside those that the lock lists.
  func check(_ options: CheckOptions, knownVersions: Set<String> = []) -> [CheckStep] {
    // The base's versions, by the names that they have today.
    let known = knownVersions.union(
      (base?.model.versions ?? []).compactMap { $0.counterpart(in: model)?.name })
    let options = options.completed(by: settings?.budget)
    let findings = checkLock(isAgainst: options.base != nil)
    let isWaived = model.isDisposable
    // A cache is recreated: nothing has to lead to it, and nothing has to be kept of it.
    let waived: Set<Diagnostic.Code> = isWaived ? [.releaseLockUnusable, .releasedVersionRemoved] : []
    let own = findings.filter { !waived.contains($0.code) }
    var steps = [
      step(
        .compile, counted(model.versions.count, "version"),
        diagnostics.lostCurrent(since: base).map { refusedInApp($0) } + around),
      step(.release, "released versions", own),
    ]
    if !isWaived { steps += checkTaggedStores() }
    if let readable, !isWaived {
      var sound = self
      sound.model = readable
      let displaced = own.filter { $0.code == .currentVersionWentBack }.compactMap(\.subject?.version)
      steps += sound.checkReadable(known, options, besides: displaced)
    }
    return steps.withoutGuesses(of: self).inSwiftTerms(of: self)
  }

  /// The versions without errors: their differences, mapping models, paths, stores.
  ///
  /// - Parameter displaced: versions that came before the current one and seem to follow it: no store goes that step.
  private func checkReadable(
    _ knownVersions: Set<String>, _ options: CheckOptions, besides displaced: [String]
  ) -> [CheckStep] {
    let takesLosses = options.level == .store || options.level == .source
    var steps = checkSteps(knownVersions, besides: displaced, takesLosses: takesLosses)
    steps += checkCloudKitDeployment()
    steps += checkMappings()
    guard !mappings.diagnostics.hasErrors else { return steps }
    let former = checkFormerMappings()
    if !former.isEmpty { steps.append(step(.release, "former mapping models", former)) }
    // What the check is against does not have a new model: nobody has stores of it.
    steps += checkPaths(knownVersions, isNew: options.base != nil && base == nil && !hasFormer)
    if options.isReversible { steps += checkReversal() }
    guard takesLosses else { return steps }
    steps += checkStores(options)
    if options.isReversible { steps += checkReversedStores(options) }
    steps += checkBudget(orOf: knownVersions, options: options)
    if let folder = options.testFolder {
      steps += runMigrationTests(in: "\(folder)/\(model.name)", filter: nil, options: options).steps
    }
    return steps
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

extension Diagnostic.Code {
  /// The model is not in what the check is against.
  package static let modelNotInBase = Self("MC7050", level: .hash)
  static let modelLost = Self("MC7054", level: .hash)
  package static let nothingChecked = Self("MC7022", level: .hash)
}

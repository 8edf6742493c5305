package import ManagedModel
import ModelFormats
import ModelMigration

extension CheckedModel {
  /// The paths to the current version from every version that users may have: the released ones, those of the base, and in a
  /// plan of SwiftData's those that tags have. Where nothing says which they have, warnings from each, of what stops its stores.
  func checkPaths(_ knownVersions: Set<String>, isNew: Bool) -> [CheckStep] {
    let inferred = InferredSteps()
    let shapes = shipped?.shapes ?? []
    let areUnknown = lock == nil && knownVersions.isEmpty && !isNew && shapes.isEmpty
    // The rules on SwiftData's steps report types.
    let shown: Set<Diagnostic.Code> =
      model.isSwiftData ? [] : [.hierarchyMerge, .toManyBecomesToOne, .incompatibleAttributeTypes]
    // A mapping model that leads past a version says that stores go another way.
    let passed = (areUnknown ? mappings.steps(in: model) : []).flatMap { step in
      model.path(fromAnyOf: [step.from.name], to: step.to)?.dropFirst().dropLast().map(\.name) ?? []
    }
    let sources = model.versions.filter { version in
      version.name != model.currentVersionName
        && (areUnknown && !passed.contains(version.name) || lock?.entry(version.name) != nil
          || knownVersions.contains(version.name)
          || !isInferred && shapes.contains { $0.version.makesStores(of: version) })
    }
    let steps = concurrentMap(sources) { version in
      let name = "\(version.name) → \(model.currentVersionName)"
      guard let way = model.pathToCurrent(from: version) else {
        let place = versionListPlaces(ofModelAt: path).current
        let isLater = areUnknown || model.isDraft(version)
        let found: [Diagnostic] = isLater ? [] : [.noPath(version.name, to: model.currentVersionName, place)]
        return step(.path, name, found)
      }
      let found = way.check(of: self, inferred).filter { finding in
        !areUnknown || finding.severity == .error && shown.contains(finding.code)
      }
      return step(.path, name, found.map { refusedInApp($0, from: version.name) })
    }
    let named = namingStoppedVersions(steps, from: sources.map(\.name), areUnknown: areUnknown)
    return areUnknown ? named.filter { !$0.findings.isEmpty } : named
  }

  /// What stands in the way of several versions is one finding, which names them.
  ///
  /// - Parameter areUnknown: whether nothing says that users have the versions.
  private func namingStoppedVersions(
    _ steps: [CheckStep], from names: [String], areUnknown: Bool
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
        let note = "stores of \(counted(versions.count, "version")) cannot be migrated: \(versions.listed)"
        return finding.with {
          $0.notes.append(Diagnostic.Note(areUnknown ? "if users have them, \(note)" : note))
          guard areUnknown else { return }
          $0.severity = .warning
          $0.help.append("if no user has one, lock those that users have: \(freezeAdvice(without: versions))")
        }
      }
    }
  }

  /// What stops an app that lets Core Data migrate its stores: no step from a released version, unless the app goes version by
  /// version, or no stage for the current one.
  func refusedInApp(_ finding: Diagnostic, from source: String? = nil) -> Diagnostic {
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
}

extension [ModelVersion] {
  /// What stops a path, judged by the models: step by step, as modelc goes, and in one step, as Core Data does (MC3401,
  /// MC3402).
  func check(of subject: CheckedModel, _ inferred: InferredSteps) -> [Diagnostic] {
    guard let first, let last, count > 1 else { return [] }
    let (model, mappings) = (subject.model, subject.mappings)
    // A mapping model for the whole way is taken before any for a part of it.
    if mappings.covers(first.name, last.name, in: model) { return [] }
    var (findings, isInferable): ([Diagnostic], Bool) = ([], true)
    var paved: (from: ModelVersion, to: ModelVersion)?
    for (from, to) in zip(self, dropFirst()) {
      if mappings.covers(from.name, to.name, in: model) {
        // Errors of the mapping model itself are reported with it.
        paved = (from, to)
        continue
      }
      let found = inferred.step(from: from, to: to).diagnostics
      // The rules on single steps report these already.
      findings += found.filter { $0.code != .oneDefaultForAll }
    }
    // One inferred step brings stores to the current version, as in Core Data: none goes through the step that cannot be
    // inferred.
    if findings.hasErrors, paved == nil, !model.isStepwise, model.stages.isEmpty,
      allSatisfy(\.allowsInference), !inferred.step(from: first, to: last).diagnostics.hasErrors
    {
      (findings, isInferable) = ([], false)
    }
    guard !findings.hasErrors else { return findings }
    let outcome = model.predictCoreData(from: first, to: last) { mappings.covers($0, $1, in: model) }
    // The list of versions tells of all that no stage names, once.
    let isUnlisted = if case .unknownVersion = outcome { true } else { false }
    var found = isUnlisted ? nil : outcome.warning(from: first.name, to: last.name)
    if found == nil {
      if paved == nil, isInferable, count > 2, !inferred.onlyAdds(along: self) {
        // Custom stages are steps of their own: SwiftData goes in one step before and after them, modelc version by version.
        let parts = zip(self, dropFirst()).reduce(into: [[first]]) { cut, step in
          if model.customStage(from: step.0, to: step.1) != nil { cut.append([]) }
          cut[cut.count - 1].append(step.1)
        }
        let isDirect = !model.isStepwise && (model.isSwiftData || parts.count == 1)
        for part in parts where found == nil {
          found = inferred.composed(along: part[...])
            .flatMap { part.comparePaths(stepwise: $0, canMigrateDirectly: isDirect) }
        }
      }
      // What is lost comes before what is not computed.
      if found?.severity != .error, let skipped = skippedMapping(of: model, mappings.custom) {
        found = skipped
      } else if found == nil, let paved, model.stages.isEmpty {
        let name = "\(first.name) → \(last.name)"
        found = Diagnostic(
          .pathsDiffer, .warning,
          "Core Data would infer \(name) in one step, without the mapping model of "
            + "'\(paved.from.name)' → '\(paved.to.name)'",
          subject: ModelSubject(version: last.name),
          notes: ["modelc goes step by step, so that every store of a version becomes the same"],
          help: ["if the app lets Core Data migrate: write a mapping model for \(name) too"])
      }
    }
    let end = self.last { $0.name == found?.subject?.version } ?? last
    if let found { findings.append(end.sourceMap.map { found.located(by: $0) } ?? found) }
    return findings
  }
}

extension VersionedModel {
  /// The path from a released version to the current one, along the versions that follow each other.
  ///
  /// - Returns: nil if none leads there.
  func pathToCurrent(from version: ModelVersion) -> [ModelVersion]? {
    guard let current = currentVersion else { return nil }
    // Where the order is a guess, every version may have been there before the current one.
    return path(fromAnyOf: [version.name], to: current) ?? (isOrderGuessed ? [version, current] : nil)
  }
}

extension Diagnostic.Code { package static let noPathToCurrent = Self("MC7003", level: .path) }

extension Diagnostic {
  /// A version that users may have, and that the current one does not follow.
  static func noPath(_ version: String, to current: String, _ place: SourceRange) -> Self {
    Self(
      .noPathToCurrent, .error, "there is no migration path from '\(version)' to '\(current)'", place: place,
      notes: ["stores of '\(version)' could no longer be opened"],
      help: [
        "say in the list of versions (`from:`) what '\(current)' follows, so that '\(version)' is on the path"
      ],
      cocoaCode: 134140)
  }
}

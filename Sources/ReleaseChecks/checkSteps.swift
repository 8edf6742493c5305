package import ManagedModel
import ModelFormats

extension CheckedModel {
  /// What stores lose or cannot do in each step between versions, as far as it is not released.
  ///
  /// - Parameters:
  ///   - knownVersions: those that somebody may have stores of.
  ///   - displaced: versions that came before the current one and seem to follow it: no store goes that step.
  ///   - takesLosses: whether rows are looked at: no lock has mapping files, and what they lose of a released step may be new.
  func checkSteps(
    _ knownVersions: Set<String>, besides displaced: [String], takesLosses: Bool
  ) -> [CheckStep] {
    let names = namesThatComeBack()
    let settled = model.versions.filter(hasReleasedSteps).map(\.name)
    let mapped = takesLosses ? mappings.places.keys.compactMap(\.last) : []
    let judged = model.versions.filter {
      !displaced.contains($0.name) && (!settled.contains($0.name) || mapped.contains($0.name))
    }
    let contents = releasedContents(of: judged)
    return concurrentMap(judged) { version -> [CheckStep] in
      model.predecessors(of: version).enumerated().compactMap { place, former -> CheckStep? in
        let mapping = mappings.step(from: former, to: version, in: model)
        let known = contents[version.name].map { VersionStep(from: former, to: $0, mapping: mapping) }
        let knownIdentities = Set(known?.check().map { $0.identity(inModel: model.name) } ?? [])
        let isUnneeded = version.versionChecksum == former.versionChecksum && lock?.entry(former.name) != nil
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
            && !mayHaveFilled($0, in: former, besides: knownVersions)
        }
        if isSettled, open.isEmpty { return nil }
        let ends = [former.name, version.name]
        return step(.lint, ends.joined(separator: " → "), isSettled ? advised(open, of: ends) : open)
      }
    }.flatMap(\.self)
  }

  /// Whether a version is what was released, and stores have come to it from its predecessors: what two branches released
  /// becomes a step when they are merged.
  func hasReleasedSteps(to version: ModelVersion) -> Bool {
    guard let entry = lock?.entry(version.name), entry.fingerprint == version.model.fingerprint
    else { return false }
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
        guard let then = version.counterpart(in: base), let origin = former.counterpart(in: base)
        else { return false }
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
  private func advised(_ losses: [Diagnostic], of names: [String]) -> [Diagnostic] {
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
  private func releasedContents(of versions: [ModelVersion]) -> [String: ModelVersion] {
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

  /// Whether the work of a custom stage has filled what is required now: of a version that no store was made with.
  private func mayHaveFilled(
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

  /// Names that come back after they were gone, and renaming identifiers that lead nowhere (MC3203, MC3205), by version.
  /// Likely renames are told by the rules on the step.
  ///
  /// A version's findings depend on earlier versions only, so one pass from the latest version is enough.
  private func namesThatComeBack() -> [String: [Diagnostic]] {
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

extension Diagnostic.Code { package static let versionUnneeded = Self("MC7014", level: .source) }

extension Diagnostic {
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

import Foundation
import GitFiles
package import ManagedModel
import ModelLanguage
import ModelMapping
import SwiftDataModels

/// Compares a model with the base, with or without a lock. Versions of the base are unchanged and still there, no two
/// branches made the same version, and the current version did not go back.
///
/// Versions that the lock lists are compared with the lock instead.
func checkBase(_ subject: CheckedModel, _ base: BaseModel, _ lock: ReleaseLock?) -> [Diagnostic] {
  let model = subject.model
  var findings: [Diagnostic] = []
  // A branch that the base has left behind went back nowhere.
  if lock == nil || !isAfterReleased(model, lock), isBehind(model, base.ancestor ?? base.model) {
    findings.append(.currentBeforeBase(base, subject))
  }
  let before = Set((base.ancestor ?? base.model).versions.map(\.name))
  if model.isSwiftData {
    if let newest = base.model.currentVersion, !before.contains(newest.name),
      let own = model.version(named: newest.name), own.versionChecksum != newest.versionChecksum
    {
      findings.append(.sameNextVersion(own, subject, base))
    }
    return findings + checkStores(of: base, subject, hasLock: lock?.entries.isEmpty == false)
  }
  guard base.isWhole else { return findings + [.notCompared(base, subject)] }
  var edited: [(old: ModelVersion, new: ModelVersion)] = []
  var gone: [ModelVersion] = []
  for old in base.model.versions {
    guard let new = model.version(named: old.name) else {
      // What the base got since this branch left it is not there yet.
      if before.contains(old.name), lock?.entry(old.name) == nil, !isKept(old, in: model) { gone.append(old) }
      continue
    }
    guard old.model.fingerprint != new.model.fingerprint else { continue }
    if !before.contains(old.name) {
      findings.append(.sameNextVersion(new, subject, base))
    } else if lock?.entry(old.name) == nil {
      edited.append((old, new))
    }
  }
  guard !edited.isEmpty || !gone.isEmpty else { return findings }
  let standings = VersionStandings(of: subject, in: base)
  let hasLock = lock?.entries.isEmpty == false
  for (old, new) in edited {
    findings += checkStructs(from: old, to: new)
    let standing = standings.standing(of: old, hasLock: hasLock)
    if case .shipped = standing {} else if standings.isRestored(new) { continue }
    let restoring = subject.file(ofVersion: new.name).map(base.restoring)
    findings += changes(from: old, to: new, standing, restoring).map { standings.isCut ? $0.ofCutTags : $0 }
  }
  return findings + gone.map { .gone($0, standings.standing(of: $0, hasLock: hasLock), subject, base) }
}

/// Whether another version recognises the stores of a version whose name is gone.
private func isKept(_ version: ModelVersion, in model: VersionedModel) -> Bool {
  model.versions.contains { $0.entityVersionHashesByName == version.entityVersionHashesByName }
}

private func changes(
  from old: ModelVersion, to new: ModelVersion, _ standing: VersionStanding, _ restoring: String?
) -> [Diagnostic] {
  let changes = compareModels(from: old.model, to: new.model)
  guard old.versionChecksum != new.versionChecksum else {
    return changes.prefix(factLimit).map { change in
      var finding = Diagnostic.factChanged(new, change, "'\(new.name)' \(standing.words)")
      if standing.severity < .error { finding.severity = .information }
      return finding
    }
  }
  // What moves a hash is what matters; one line says it of a version that nobody outside has.
  let moving = changes.filter(\.isHashed)
  let limit = standing.severity == .error ? factLimit : 1
  if moving.isEmpty { return [.edited(new, nil, standing, restoring, further: 0)] }
  return moving.prefix(limit).map {
    .edited(new, $0, standing, restoring, further: limit == 1 ? moving.count - 1 : 0)
  }
}

/// The most facts of one version that are reported.
let factLimit = 20

private func isAfterReleased(_ model: VersionedModel, _ lock: ReleaseLock?) -> Bool {
  lock.map { releasedAfterCurrent($0, model) != nil } ?? false
}

private func isBehind(_ model: VersionedModel, _ base: VersionedModel) -> Bool {
  guard base.currentVersionName != model.currentVersionName,
    let former = model.version(named: base.currentVersionName)
  else { return false }
  return model.origins(of: former).contains { $0.name == model.currentVersionName }
}

extension Diagnostic.Code {
  package static let baseVersionChanged = Self("MC7026", level: .hash)
  package static let baseVersionRemoved = Self("MC7027", level: .hash)
  package static let unhashedFactChanged = Self("MC7028", level: .path)
  package static let baseNotCompared = Self("MC7031", level: .hash)
}

extension Diagnostic {
  /// - Parameter change: nil where the old fact is unknown.
  fileprivate static func edited(
    _ version: ModelVersion, _ change: ModelChange?, _ standing: VersionStanding, _ restoring: String?,
    further: Int
  ) -> Self {
    let place = ModelSubject(
      version: version.name, entity: change?.entity, property: change?.property, key: change?.fact)
    let rest = further > 0 ? ", and \(counted(further, "further fact"))" : ""
    return Self(
      .baseVersionChanged, standing.severity,
      "'\(version.name)' \(standing.words), and its hashes moved\(change.map { ": \($0.line)" } ?? "")\(rest)",
      subject: place, place: version.sourceMap?.nearestRange(to: place), notes: [Note(standing.note)],
      help: version.notation.movingAdvice(restoring: restoring),
      cocoaCode: 134130)
  }

  /// A fact of a version that others have, which no hash holds.
  ///
  /// - Parameter standing: what is known of the version, as the beginning of a sentence.
  static func factChanged(_ version: ModelVersion, _ change: ModelChange, _ standing: String) -> Self {
    let place = ModelSubject(
      version: version.name, entity: change.entity, property: change.property, key: change.fact)
    return Self(
      .unhashedFactChanged, .warning,
      "\(standing), and a fact that no hash holds was changed: \(change.line)",
      subject: place, place: version.sourceMap?.nearestRange(to: place),
      notes: ["stores of it are still recognised, and none is migrated", Note(change.consequence)],
      help: ["where users' data shall follow, take the change back and put it into a new version"])
  }

  fileprivate static func gone(
    _ version: ModelVersion, _ standing: VersionStanding, _ subject: CheckedModel, _ base: BaseModel
  ) -> Self {
    let places = versionListPlaces(ofModelAt: subject.path)
    return Self(
      .baseVersionRemoved, standing.severity,
      "'\(version.name)' \(standing.words), and is not among the versions any more",
      subject: ModelSubject(version: version.name), place: linePlace(1, places.file),
      notes: [Note("stores of it could no longer be recognised, nor migrated")],
      help: [subject.bringingBack(version.name, by: base.restoring)], cocoaCode: 134130)
  }

  /// Of a version whose standing the tags tell.
  fileprivate var ofCutTags: Self {
    with { $0.notes.append("only the \(tagLimit) oldest tags were looked at") }
  }

  static func notCompared(_ base: BaseModel, _ subject: CheckedModel) -> Self {
    let first = base.diagnostics.first { $0.severity == .error }
    return Self(
      .baseNotCompared, .error,
      "the versions are not compared with those of \(base.name): that model cannot be read whole",
      place: linePlace(1, versionListPlaces(ofModelAt: subject.path).file),
      notes: (first.map { [Note("there: \($0.code): \($0.message)", place: $0.place)] } ?? [])
        + ["an edit of a version that users have would not be seen"],
      help: ["check against a revision that compiles, or hold what is released by `modelc release`"])
  }

  fileprivate static func currentBeforeBase(_ base: BaseModel, _ subject: CheckedModel) -> Self {
    Self(
      .currentVersionWentBack, .error,
      "the current version went back from '\((base.ancestor ?? base.model).currentVersionName)' to "
        + "'\(subject.model.currentVersionName)'",
      place: versionListPlaces(ofModelAt: subject.path).current,
      notes: [
        "stores that were migrated since \(base.name) could not be opened: no app migrates back by itself"
      ],
      help: [subject.model.currentAdvice((base.ancestor ?? base.model).currentVersionName)], cocoaCode: 134506
    )
  }

  fileprivate static func sameNextVersion(
    _ version: ModelVersion, _ subject: CheckedModel, _ base: BaseModel
  ) -> Self {
    let file = versionListPlaces(ofModelAt: subject.path)
    return Self(
      .sameVersionOnTwoBranches, .error,
      "this branch and \(base.name) have both added a version '\(version.name)', and they differ",
      place: file.versions[version.name] ?? linePlace(1, file.file),
      notes: ["stores of the one would be taken for none of the other"],
      help: ["give this branch's version the next free name, after that of \(base.name)"])
  }
}

extension ModelChange {
  /// What becomes of the data that is there, where a fact is another that no hash holds.
  fileprivate var consequence: String {
    let key = fact.map { $0.split(separator: ".").last.map(String.init) ?? $0 } ?? ""
    switch key {
    case "default": return "objects that are there keep the value they have; new ones begin with the other"
    case "transformer", "valueClass":
      return "values that are there were written by the former transformer, and are given to the other one"
    case "min", "max", "minLength", "maxLength", "matching", "rules":
      return "values that are there need not satisfy it: they fail when their objects are saved"
    case "deleteRule": return "deleting an object does something else to those that are linked"
    default: return "apps that are out go on with what it said before"
    }
  }
}

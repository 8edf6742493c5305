import ManagedModel
import SwiftDataModels

/// Makes one finding of those that have one cause: the cause stays, what follows from it becomes notes.
///
/// Only findings that count are folded, so that what somebody allowed hides nothing that nobody did.
func folded(_ findings: [CheckFinding], of models: [CheckedModel]) -> [CheckFinding] {
  let subjects = Dictionary(
    firstOf: models.map { ($0.name, (checked: $0, files: VersionFiles(of: $0.model))) })
  let causes = findings.indices.filter {
    findings[$0].counts && (findings[$0].diagnostic.isCause || findings[$0].isOfFile)
  }
  var spots: [Spot: Int] = [:]
  var causeOf: [Int: Int] = [:]
  for index in findings.indices where findings[index].counts {
    let finding = findings[index]
    let cause = subjects[finding.model].flatMap { subject in
      causes.first { cause in
        cause != index && findings[cause].model == finding.model
          && (findings[cause].diagnostic.causes(
            finding, among: findings, in: subject.checked.model, subject.files)
            || findings[cause].isMapping(subject.checked.mappings, of: finding, subject.files))
      }
    }
    if let cause {
      causeOf[index] = cause
    } else if let spot = Spot(finding) {
      // A graver one is no note of another.
      if let first = spots[spot], findings[first].diagnostic.severity >= finding.diagnostic.severity {
        causeOf[index] = first
      } else {
        spots[spot] = index
      }
    }
  }
  var findings = findings
  for (index, cause) in causeOf.sorted(by: { $0.key < $1.key }) {
    // What follows may have had followers of its own.
    findings[causeOf[cause] ?? cause].folded.append(findings[index].diagnostic)
  }
  for index in findings.indices where !findings[index].folded.isEmpty { findings[index].noteFolded() }
  return findings.indices.filter { causeOf[$0] == nil }.map { findings[$0] }
}

/// Findings of one code at one place are one mistake, as members of a struct that lack values; but stores of one group of
/// builds are not those of another, and what stops those is one finding.
private struct Spot: Hashable {
  var model: String
  var code: Diagnostic.Code
  var severity: Diagnostic.Severity?
  var place: SourceRange?
  /// The last tag of the group.
  var stores: [ModelSubject] = []

  init?(_ finding: CheckFinding) {
    (model, code) = (finding.model, finding.diagnostic.code)
    if code == .storesNotInferred {
      stores = finding.diagnostic.related
      return
    }
    guard let place = finding.diagnostic.place, code != .storesMatchNoVersion,
      code == .missingAttributeValues || ![.store, .test].contains(finding.kind)
    else { return nil }
    (severity, self.place) = (finding.diagnostic.severity, place)
  }
}

/// What rules say of facts that no hash holds.
private let unhashedFacts: [Diagnostic.Code] = [
  .defaultChanged, .deleteRuleChanged, .validationTightened, .contentFormatChanged,
]

extension Diagnostic {
  fileprivate var isEdit: Bool {
    [.baseVersionChanged, .releasedVersionChanged, .schemaChangedInPlace].contains(code) && severity == .error
  }

  fileprivate var isCause: Bool {
    isEdit || code == .lostOriginalName && severity == .error
      || [.hashEqualVersions, .sameVersionTwice, .unhashedFactChanged, .likelyRename, .numericNarrowing]
        .contains(code)
  }

  /// The versions that it is about: those that were edited alike are related.
  private var versions: [String] {
    ([subject].compactMap(\.self) + related.filter { $0.entity == nil }).compactMap(\.version)
  }

  /// Whether another finding is there because of this one.
  fileprivate func causes(
    _ other: CheckFinding, among all: [CheckFinding], in model: VersionedModel, _ files: VersionFiles
  ) -> Bool {
    let found = other.diagnostic
    let version = files.version(of: found)
    let isAbout = version.map(versions.contains) ?? false
    if isEdit {
      // The fix takes the edit back, and its findings with it; a version that does not compile is graver.
      guard [.compile, .lint, .path].contains(other.kind), !found.isCause,
        other.kind != .compile || found.severity < .error
      else { return false }
      return isAbout || found.related.contains { $0.version.map(versions.contains) ?? false }
        || isSamePart(found)
          && version.flatMap(model.version(named:))?.predecessorName.map(versions.contains) == true
    }
    // A store shows it at the current version, the models at the one that has the narrower type.
    if code == .numericNarrowing {
      let former = found.related.contains { $0.entity == subject?.entity && $0.property == subject?.property }
      return found.code == .numbersMayNotFit && (former || isSamePart(found))
    }
    guard isAbout else { return false }
    switch code {
    case .hashEqualVersions, .sameVersionTwice: return unhashedFacts.contains(found.code)
    case .unhashedFactChanged:
      // Another default is what makes one step differ from several.
      return unhashedFacts.contains(found.code) && isSamePart(found) || found.code == .pathsDiffer
    case .likelyRename:
      guard found.code == .relationshipDestinationChanged, subject?.property == nil,
        let name = version, let part = found.subject, let entity = part.entity, let property = part.property
      else { return false }
      let relationship = model.version(named: name)?.model.entities.first { $0.name == entity }?
        .relationships.first { $0.name == property }
      return relationship?.destinationEntityName == subject?.entity
    case .lostOriginalName:
      // What the name was meant for has no heir; others are lost for themselves.
      func lost(_ finding: Diagnostic) -> String? {
        guard [.likelyRename, .undeclaredRemoval].contains(finding.code) else { return nil }
        return finding.related.first { $0.property != nil && $0.entity == subject?.entity }?.property
      }
      guard let name = lost(found) else { return false }
      if help.contains("did you mean '\(name)'?") { return true }
      let alike = all.filter { $0.counts && $0.model == other.model }.map(\.diagnostic)
      return alike.allSatisfy { files.version(of: $0) != version || [nil, name].contains(lost($0)) }
    default: return false
    }
  }

  /// Whether the other finding is about a property that this one names.
  private func isSamePart(_ other: Diagnostic) -> Bool {
    ([subject].compactMap(\.self) + related).contains {
      $0.entity == other.subject?.entity && $0.property == other.subject?.property
    }
  }

  /// The note of a cause about what follows from it.
  fileprivate func note(on other: Diagnostic) -> Note? {
    switch code {
    case .hashEqualVersions, .sameVersionTwice: other.notes.first
    case .unhashedFactChanged where unhashedFacts.contains(other.code): nil
    case .storesNotInferred:
      // Of the same stores; what becomes of them is said already, where it is the same.
      Note("also: \(outcome == other.outcome ? other.reason ?? "" : other.message)", place: other.place)
    default: Note(code == other.code ? "also: \(other.message)" : other.message)
    }
  }
}

extension CheckFinding {
  /// Whether it may be of a file that cannot be used: not read, or of an entity that is not there.
  fileprivate var isOfFile: Bool { kind == .compile || diagnostic.code == .unknownMapped }

  /// Whether it is an error of a mapping file that might carry what another finding says is lost, or is missing: that of
  /// the version that the file leads to.
  fileprivate func isMapping(
    _ mappings: ProjectMappings, of other: CheckFinding, _ files: VersionFiles
  ) -> Bool {
    let found = other.diagnostic
    guard isOfFile, diagnostic.severity == .error, let file = diagnostic.place?.file,
      mappings.files[file] != nil, other.kind == .lint,
      found.code.family == .data || [.undeclaredRemoval, .likelyRename].contains(found.code)
    else { return false }
    guard let version = files.version(of: found) else { return false }
    let own = mappings.places.filter { $0.value == file }.keys
    let isTo = own.isEmpty ? stem(file).hasSuffix("-\(version)") : own.contains { $0.last == version }
    return isTo && !mappings.places.contains { $0.key.last == version && $0.value != file }
  }

  /// The most notes about findings that were folded.
  private static let noteLimit = 4

  fileprivate mutating func noteFolded() {
    // What an edit or a broken mapping file leads to may be no more than that.
    let isCounted = diagnostic.isEdit || !diagnostic.isCause
    let others = isCounted ? folded.filter { $0.code != diagnostic.code } : []
    if !others.isEmpty {
      let words = others.count == 1 ? "1 more finding follows" : "\(others.count) more findings follow"
      diagnostic.notes.append("\(words) from it: \(others.codeCounts)")
    }
    let noted = isCounted ? folded.filter { $0.code == diagnostic.code } : folded
    var notes = noted.compactMap(diagnostic.note)
    if notes.count > Self.noteLimit {
      let rest = notes.count - Self.noteLimit
      notes = notes.prefix(Self.noteLimit) + ["and \(counted(rest, "further one"))"]
    }
    diagnostic.notes += notes.filter { !diagnostic.notes.contains($0) }
  }
}

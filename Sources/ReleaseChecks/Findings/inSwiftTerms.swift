import ManagedModel
import ModelFormats
import ModelMigration
import SwiftDataModels

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

extension CheckedModel {
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
    case .aimlessIdentifier:
      return isReported([.lostOriginalName]) { $0.severity == .error && $0.property == property }
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

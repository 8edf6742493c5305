import Foundation
import ManagedModel
import ModelFormats

/// The findings of all steps at a level, each once.
///
/// A finding of the models that a store confirms is one finding, with the store's count.
func gather(_ steps: [CheckStep], level: CheckLevel) -> [CheckFinding] {
  var found: [CheckFinding] = []
  var places: [String: Int] = [:]
  for step in steps {
    for finding in step.findings where level.includes(finding) {
      let key = finding.key(inModel: step.model)
      let item = CheckFinding(finding, of: step)
      if let place = places[key] {
        // A store adds its count. It adds nothing to findings about a mapping file.
        if step.kind == .store, ![.store, .mapping].contains(found[place].kind) { found[place] = item }
        // What stands in the way of users' stores is more than a remark on two versions.
        if step.kind == .path, found[place].kind == .lint {
          (found[place].kind, found[place].step) = (.path, step.name)
          let known = found[place].diagnostic.notes
          found[place].diagnostic.notes += finding.notes.filter { !known.contains($0) }
        }
        continue
      }
      if let place = found.firstIndex(where: { $0.model == step.model && finding.isReportedBy($0.diagnostic) }
      ) {
        let note = Diagnostic.Note("\(finding.message)")
        if !found[place].diagnostic.notes.contains(note) { found[place].diagnostic.notes.append(note) }
        continue
      }
      places[key] = found.count
      found.append(item)
    }
  }
  return found
}

extension Diagnostic {
  fileprivate func key(inModel model: String) -> String {
    // One property lacks values in one version, however many stores show it.
    if code.family == .data, let subject, subject.property != nil {
      return "\(code) \(model) \(subject.version ?? "") \(subject.entity ?? "") \(subject.property ?? "")"
    }
    // Stores of two versions may differ in a number only.
    let text = code.family == .release ? "\(code) \(model) \(message)" : identity(inModel: model)
    return text + "\t\(place?.file ?? ""):\(place?.start.line ?? 0)"
  }

  /// Whether it is the loss that MC7008 or MC3204 predicted.
  fileprivate func isReportedBy(_ other: Diagnostic) -> Bool {
    guard code == .droppedData, [.undeclaredRemoval, .likelyRename].contains(other.code), let subject
    else { return false }
    return other.related.contains { $0.entity == subject.entity && $0.property == subject.property }
  }
}

extension [CheckFinding] {
  /// Marks findings that somebody has allowed; they do not count.
  ///
  /// - Returns: findings about suppressions that are unused, expired or without a reason (MC7016).
  mutating func suppress(_ models: [CheckedModel], _ options: CheckOptions) -> [CheckFinding] {
    var extra: [CheckFinding] = []
    for subject in models {
      let listed = (subject.settings?.allowed ?? []).compactMap {
        Suppression($0, file: subject.settingsFile)
      }
      let written = sourceFiles(of: subject, self).flatMap { file -> [Suppression] in
        guard let data = try? readFile(URL(filePath: file), shownAs: file),
          data.range(of: Data("modelc:allow".utf8)) != nil, let text = String(data: data, encoding: .utf8)
        else { return [] }
        return text.suppressions(file: file)
      }
      for suppression in listed + written {
        extra += apply(suppression, of: subject.name, &self, options).map {
          CheckFinding(diagnostic: $0, model: subject.name, step: "suppressions", kind: .lint, state: .new)
        }
      }
    }
    guard let baseline = options.baseline else { return extra }
    var used: Set<String> = []
    let listed = Set(baseline.lines.map(\.text))
    for index in indices where self[index].state == .new {
      let (finding, model) = (self[index].diagnostic, self[index].model)
      // Lines of edits that were written without their digest hold as they did.
      let lines = [finding.baselineLine(inModel: model), finding.identity(inModel: model)]
      guard let line = lines.first(where: listed.contains) else { continue }
      used.insert(line)
      self[index].state = .suppressed(reason: "listed in \(baseline.file)", inFile: false)
    }
    for line in baseline.lines where !used.contains(line.text) {
      let parts = line.text.split(separator: "\t")
      let shown = parts.count > 2 ? "\(parts[0]) of \(parts[1])" : line.text
      let unused = Diagnostic.unusedSuppression(
        "the baseline lists a finding that no longer exists: \(shown)", baseline.file.linePlace(line.number),
        help: "`modelc check --write-baseline --baseline \(baseline.file.shellWord)` rewrites the file")
      extra.append(CheckFinding(diagnostic: unused, model: "", step: "baseline", kind: .lint, state: .new))
    }
    return extra
  }
}

extension [CheckFinding] {
  /// What keeps a model, or its mapping files, from being read counts, also if it is allowed or the base has it: until it is
  /// fixed, nothing else of the model is checked.
  mutating func keepReadErrors(of subject: CheckedModel) {
    let reading = subject.readable == nil ? subject.readErrors : []
    let codes = Set((reading + subject.mappings.diagnostics.filter { $0.severity == .error }).map(\.code))
    for index in indices where self[index].model == subject.name && self[index].kind == .compile {
      let found = self[index].diagnostic
      guard !self[index].counts, found.severity == .error, codes.contains(found.code) else { continue }
      let reason = self[index].state == .old ? "it is not new, but it counts" : "it cannot be allowed"
      self[index].state = .new
      self[index].diagnostic.notes.append(
        Diagnostic.Note("\(reason): until it is fixed, paths and stores are not checked"))
    }
  }
}

private func apply(
  _ suppression: Suppression, of model: String, _ findings: inout [CheckFinding], _ options: CheckOptions
) -> [Diagnostic] {
  // A comment is about its line, whichever model has the finding.
  let possible = findings.indices.filter {
    (suppression.subject == nil || findings[$0].model == model)
      && suppression.covers(findings[$0].diagnostic, isExact: false)
  }
  let places = possible.filter { suppression.covers(findings[$0].diagnostic) }
  func unused(_ message: String, help: String) -> [Diagnostic] {
    [.unusedSuppression(message, suppression.place, help: help)]
  }
  let code = suppression.code
  let names = possible.compactMap { findings[$0].diagnostic.related.first?.fullName }
  func unnamed(_ effect: String) -> [Diagnostic] {
    unused(
      "'\(code)' is allowed here without the name of what is removed, so \(effect)",
      help: suppression.subject == nil
        ? "write `\(names.joined(separator: " "))` after the code"
        : "write `of: \(names.first ?? "")`"
          + (names.count > 1 ? ", and an entry for each of the others" : ""))
  }
  if places.isEmpty, !names.isEmpty { return unnamed("it still counts") }
  guard !places.isEmpty else {
    return unused(
      "there is no finding of '\(code)' here",
      help: suppression.subject == nil ? "remove the comment" : "remove it")
  }
  if let until = suppression.until, until < options.today {
    let sign = suppression.subject == nil ? "=" : ": "
    return unused(
      until == "0000-00-00"
        ? "'\(code)' is not allowed here: its last day is not a date"
        : "'\(code)' was allowed here until \(until)",
      help: "fix what it allows, or set a later date: `until\(sign)2027-01-31`")
  }
  guard let reason = suppression.reason else {
    return unused(
      "'\(code)' is allowed here without a reason, so it still counts", help: "write `reason=\"…\"` after it")
  }
  for place in places where findings[place].state == .new {
    findings[place].state = .suppressed(reason: reason, inFile: true)
  }
  return suppression.isOfVersion ? unnamed("what the version loses later is allowed too") : []
}

/// The files that a person writes for a model.
private func sourceFiles(of subject: CheckedModel, _ findings: [CheckFinding]) -> [String] {
  let list = versionListPlaces(ofModelAt: subject.path).file
  // Classes of SwiftData's stand in any file.
  let places = findings.filter { $0.model == subject.name }.compactMap(\.diagnostic.place?.file)
  let files =
    subject.model.versions.compactMap { $0.sourceMap?.file } + [list]
    + places.filter { $0.hasSuffix(".swift") }
  return (files + subject.mappings.files.keys.sorted()).unique
}

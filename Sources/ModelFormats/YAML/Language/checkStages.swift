package import ManagedModel

/// What Core Data would not take of the stages that `versions.yaml` states.
///
/// `NSStagedMigrationManager` raises an exception where a checksum occurs twice, and refuses with 134504 and 134506 a
/// version that no stage names and stages that go backwards.
///
/// - Parameter areSound: whether all versions could be read, so that their checksums are what they seem.
package func checkStages(of list: VersionList, _ versions: [ModelVersion], areSound: Bool) -> [Diagnostic] {
  guard !list.stages.isEmpty else { return [] }
  let positions = Dictionary(firstOf: list.versions.enumerated().map { ($1.name, $0) })
  let names = list.versions.map(\.name)
  let unknown = list.stages.flatMap(\.mentions).filter { positions[$0.name] == nil }.map {
    mention -> Diagnostic in
    var finding = Diagnostic(
      .unknownVersionReference, .error,
      "the stage names '\(mention.name.abridged)', which is not a listed version", place: mention.place,
      help: ["the versions are \(names.joined(separator: ", ").abridged)"], cocoaCode: 134504)
    if let near = nearMatch(to: mention.name, among: names), near.isObvious {
      finding.help = ["did you mean '\(near.name.abridged)'?"]
      if let place = mention.place {
        let text = near.name.yamlScalar(.text, inFlow: true)
        finding.fixIts = [Diagnostic.FixIt("write '\(near.name)'", range: place, replacement: text)]
      }
    }
    return finding
  }
  var checksums: [String: String] = [:]
  if areSound { for version in versions { checksums[version.name] = version.versionChecksum } }
  return unknown + backwardStages(list.stages, positions) + repeatedVersions(list.stages, checksums)
    + (areSound && unknown.isEmpty ? leftOut(of: list, checksums) : [])
}

/// Within a stage versions go forward, and stages begin one after the other.
private func backwardStages(_ stages: [StageEntry], _ positions: [String: Int]) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  var earlier: (name: String, position: Int, place: SourceRange?)?
  for stage in stages {
    let known = stage.mentions.compactMap { mention in
      positions[mention.name].map { (name: mention.name, position: $0, place: mention.place) }
    }
    var steps = Array(zip(known, known.dropFirst()))
    if let earlier, let first = known.first { steps.append((earlier, first)) }
    for (before, after) in steps where after.position < before.position {
      findings.append(
        .backwardPath, .error,
        "the stages go back from '\(before.name.abridged)' to '\(after.name.abridged)'", place: after.place,
        notes: [Diagnostic.Note("'\(before.name.abridged)' is here", place: before.place)],
        help: ["stages and their versions are listed oldest first"], cocoaCode: 134506)
    }
    earlier = known.first ?? earlier
  }
  return findings
}

/// Every checksum once; only a custom stage may go on where the one before it, custom too, arrived.
private func repeatedVersions(_ stages: [StageEntry], _ checksums: [String: String]) -> [Diagnostic] {
  var findings: [Diagnostic] = []
  var first: [String: (name: String, place: SourceRange?)] = [:]
  var arrival: String?
  for stage in stages {
    let isCustom = stage.stage.isCustom
    for (index, mention) in stage.mentions.enumerated() {
      let checksum = checksums[mention.name] ?? mention.name
      if isCustom, index == 0, checksum == arrival { continue }
      if let known = first[checksum] {
        findings.append(
          .sameVersionTwice, .error,
          mention.name == known.name
            ? "the stages name '\(mention.name.abridged)' twice"
            : "'\(mention.name.abridged)' has the checksum of '\(known.name.abridged)', and the stages name both",
          place: mention.place,
          notes: [
            Diagnostic.Note("first here", place: known.place),
            "Core Data stops the app: \"Duplicate version checksums across stages detected.\"",
          ],
          help: [
            "name it once; only a custom stage may begin with the last version of the custom stage before it"
          ])
      } else {
        first[checksum] = mention
      }
    }
    arrival = isCustom ? stage.mentions.last.map { checksums[$0.name] ?? $0.name } : nil
  }
  return findings
}

/// Versions that stores may have and that no stage names.
private func leftOut(of list: VersionList, _ checksums: [String: String]) -> [Diagnostic] {
  let named = Set(list.stages.flatMap(\.mentions).map { checksums[$0.name] ?? $0.name })
  guard let current = list.versions.firstIndex(where: { $0.name == list.current }) else { return [] }
  // A stage that names one of two equal versions names both.
  var known = named
  let missing = list.versions[...current].filter { known.insert(checksums[$0.name] ?? $0.name).inserted }
  let groups = [missing.filter { $0.name != list.current }, missing.filter { $0.name == list.current }]
  return groups.filter { !$0.isEmpty }.map { .leftOutOfStages($0, of: list) }
}

/// A lightweight stage for each run of versions between two stages, with its place: stages stand oldest first.
private func missingStages(_ missing: [String], in list: VersionList) -> [String] {
  let positions = Dictionary(firstOf: list.versions.enumerated().map { ($1.name, $0) })
  let beginnings = list.stages.compactMap { stage in
    stage.mentions.first.flatMap { mention in
      positions[mention.name].map { (name: mention.name, position: $0) }
    }
  }
  var runs: [(before: String?, names: [String])] = []
  for name in missing {
    let next = beginnings.first { $0.position > positions[name] ?? 0 }?.name
    if runs.last?.before == next, !runs.isEmpty {
      runs[runs.count - 1].names.append(name)
    } else {
      runs.append((next, [name]))
    }
  }
  return runs.map { run in
    let names = run.names.map { $0.yamlScalar(.text, inFlow: true) }.joined(separator: ", ")
    let place = run.before.map { "before the stage that begins with '\($0.abridged)'" } ?? "as the last stage"
    let condition =
      run.names == [list.current]
      ? "" : "if apps with \(run.names.count == 1 ? "it" : "them") are released, "
    return "\(condition)write `- {lightweight: [\(names)]}` \(place)"
  }
}

extension Diagnostic.Code {
  package static let unknownVersionReference = Self("MC2204")
  package static let backwardPath = Self("MC3403")
}

extension Diagnostic {
  fileprivate static func leftOutOfStages(_ entries: [VersionEntry], of list: VersionList) -> Diagnostic {
    let names = entries.map { "'\($0.name.abridged)'" }.joined(atMost: 20, ", and ")
    // Stores go to the current version, which `check` makes an error of.
    let isCurrent = entries.map(\.name) == [list.current]
    return Diagnostic(
      .coreDataRefuses, .warning,
      isCurrent
        ? "no stage names the current version \(names): a staged migration refuses every store of an earlier one"
        : "no stage names \(names): a staged migration refuses stores of \(entries.count == 1 ? "it" : "them")",
      subject: isCurrent ? ModelSubject(version: list.current) : nil,
      place: entries.first?.place ?? list.stages.first?.mentions.first?.place,
      help: missingStages(entries.map(\.name), in: list), cocoaCode: 134504)
  }
}

import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import ReleaseChecks

extension VersionPrune {
  /// Counts the stores of a list of versions, checksums or tags.
  ///
  /// - Throws: ``UsageError`` at a name that is none of them: those stores might be of a version that goes.
  mutating func count(_ usage: StoreUsage, of file: String) throws {
    var counts: [String: Int] = [:]
    let known = names(of: usage)
    for line in usage.lines {
      guard let found = known[line.name] else {
        let known = model.versions.map(\.name)
        throw UsageError(
          .noCurrentVersion, "'\(line.name)' is not a version of '\(model.name)', nor a checksum or a tag",
          place: SourceRange(startOf: file, line: line.number),
          notes: ["versions: \(known.listed)", "its stores may be of a version that would be removed"],
          help: .didYouMean(
            line.name, among: known, else: ["remove the line, if those stores need no migration"]))
      }
      for name in found { counts[name] = counts[name, default: 0].addingClamped(line.stores) }
    }
    for index in versions.indices { versions[index].stores = counts[versions[index].version.name] ?? 0 }
  }

  /// The version that each name of a list means; none if it is one that was taken out before.
  private func names(of usage: StoreUsage) -> [String: [String]] {
    var known: [String: [String]] = [:]
    for entry in subject.lock?.retired ?? [] { (known[entry.version], known[entry.checksum]) = ([], []) }
    for version in model.versions { known[version.versionChecksum] = [version.name] }
    for version in model.versions { known[version.name] = [version.name] }
    let others = Set(usage.lines.map(\.name)).filter { known[$0] == nil }
    guard !others.isEmpty, let found = try? subject.taggedVersions(where: { others.contains($0.name) }).found
    else { return known }
    for (tag, version) in found { known[tag.name] = currentName(version).map { [$0] } ?? [] }
    return known
  }

  /// Takes the tags since a day that have one of the versions as their current one.
  ///
  /// - Parameter day: as `2026-01-31`.
  /// - Returns: the tags whose model cannot be read.
  mutating func takeTags(since day: String) throws -> [(tag: String, reason: String)] {
    let tagged = try subject.taggedVersions { $0.date >= day }
    for (tag, version) in tagged.found {
      let name = currentName(version)
      for index in versions.indices where versions[index].version.name == name {
        versions[index].tags.append(tag.name)
      }
    }
    return tagged.unreadable
  }

  /// Today's version with the same hashes; one of the same name goes before others.
  private func currentName(_ version: ModelVersion) -> String? {
    if let namesake = model.version(named: version.name), namesake.makesStores(of: version) {
      return namesake.name
    }
    return model.versions.last { $0.makesStores(of: version) }?.name
  }

  /// The version before which most goes without anybody being stranded; nil if nothing can go.
  private var oldestToKeep: String? {
    let stranded = Set(versions.filter(\.isStranded).map(\.version.name))
    let candidates = model.origins(of: first).map { version in
      (name: version.name, origins: Set(model.origins(of: version).dropFirst().map(\.name)))
    }
    return candidates.filter { !$0.origins.isEmpty && $0.origins.isDisjoint(with: stranded) }
      .max { $0.origins.count < $1.origins.count }?.name
  }

  /// What there is to say of stores that match no version any more; nil if there are none.
  ///
  /// - Parameters:
  ///   - options: those that say who the users are, as they were given.
  ///   - isAccepted: whether the user knows and goes on.
  func strandedFinding(_ options: String, isAccepted: Bool) -> Diagnostic? {
    let stranded = versions.filter(\.isStranded)
    guard !stranded.isEmpty else { return nil }
    let stores = stranded.reduce(0) { $0.addingClamped($1.stores ?? 0) }
    let tags = stranded.reduce(0) { $0 + $1.tags.count }
    let what = [stores > 0 ? counted(stores, "store") : nil, tags > 0 ? counted(tags, "tag") : nil]
      .compactMap(\.self).joined(separator: " and ")
    let isOne = stores.addingClamped(tags) == 1
    let users = stranded.map { version in
      let parts = [
        version.stores.flatMap { $0 > 0 ? counted($0, "store") : nil },
        version.tags.isEmpty ? nil : "shipped by \(version.tags.listed)",
      ]
      return Diagnostic.Note("\(version.version.name): \(parts.compactMap(\.self).joined(separator: ", "))")
    }
    let blocked = stranded.filter(\.plan.isBlocked).map(\.version.name)
    let command = "modelc version prune --before"
    let name = model.name.shellWord
    return Diagnostic(
      .storesStranded, isAccepted ? .warning : .error,
      "\(what) \(isOne ? "is" : "are") of \(counted(stranded.count, "version")) that would be removed: \(stranded.map(\.version.name).listed)",
      notes: users + [
        blocked.isEmpty
          ? "such stores will match no version: they are migrated to '\(model.currentVersionName)' from the model that they contain, without mappings"
          : "stores of \(blocked.listed) can then no longer be migrated: a step from the model that they contain can only be inferred"
      ],
      help: [
        oldestToKeep.map { "`\(command) \($0.shellWord)\(options) \(name)` strands nobody" }
          ?? "no version can be removed without leaving a user's store behind",
        "`\(command) \(first.name.shellWord)\(options) --apply --accept-stranded \(name)` removes them anyway",
      ], cocoaCode: 134130)
  }
}

extension Diagnostic.Code { static let storesStranded = Self("MC7052") }

/// How many stores of which version there are in the field, by a CSV file: `version,stores`, or `version` alone for a line per
/// store.
struct StoreUsage {
  struct Line: Equatable {
    /// A version, a version checksum, or a tag.
    var name: String
    var stores: Int
    var number: Int
  }

  private(set) var lines: [Line] = []

  /// - Throws: ``UsageError`` at the first line that is neither a header nor says a name and a number.
  init(csv text: String, file: String) throws {
    let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let separator: Character = rows.first.map { $0.contains(";") && !$0.contains(",") } ?? false ? ";" : ","
    for (index, row) in rows.enumerated() {
      guard let fields = Self.fields(of: row, separator) else {
        throw UsageError(.notCounted(file, index + 1, "a quotation mark is not closed"))
      }
      let name = fields[0].trimmingPrefix("\u{FEFF}")
      if fields.allSatisfy(\.isEmpty) { continue }
      let count = fields.count > 1 ? Int(fields[1]) : 1
      let isHeader =
        name.lowercased() == "version" || fields.count > 1 && !fields[1].contains(where: \.isNumber)
      if lines.isEmpty, isHeader, index == rows.firstIndex(where: { !$0.isEmpty }) { continue }
      guard !name.isEmpty, let count, count >= 0 else {
        throw UsageError(.notCounted(file, index + 1, "it needs a version and a number of stores"))
      }
      lines.append(Line(name: String(name), stores: count, number: index + 1))
    }
  }

  /// The fields of a row without the blanks around them; nil if a quotation mark is not closed.
  private static func fields(of row: Substring, _ separator: Character) -> [String]? {
    var fields = [""]
    var (isQuoted, wasQuoted) = (false, false)
    for character in row {
      if character == "\"" {
        isQuoted.toggle()
        // Two of them between quotation marks are one.
        if isQuoted, wasQuoted { fields[fields.count - 1].append(character) }
        wasQuoted = !isQuoted
        continue
      }
      wasQuoted = false
      if character == separator, !isQuoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return isQuoted ? nil : fields.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

extension Diagnostic {
  fileprivate static func notCounted(_ file: String, _ line: Int, _ reason: String) -> Self {
    Self(
      .fileUnreadable, .error, "line \(line) of '\(file)' does not say how many stores there are: \(reason)",
      place: SourceRange(startOf: file, line: line),
      help: ["write a version, a checksum or a tag, a comma, and a number: V1,120"])
  }
}

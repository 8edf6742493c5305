package import ManagedModel
import ModelFormats

/// Reads a `released.lock` and reports where it differs from what `modelc release` wrote.
///
/// - Parameter file: the path to show in places.
package func readReleaseLock(_ text: String, file: String) -> (lock: ReleaseLock, diagnostics: [Diagnostic]) {
  var lock = ReleaseLock()
  var findings: [Diagnostic] = []
  var lines: [String] = []
  var total: (text: String, line: Int)?
  var places: [String: Int] = [:]
  for (index, line) in text.lines.enumerated() {
    let place = file.linePlace(index + 1, line.unicodeScalars.count)
    if line.hasPrefix("<<<<<<<") || line.hasPrefix(">>>>>>>") || line == "=======" {
      findings.append(
        .unusableLock(
          "there are merge conflict markers here: two branches have released", place, Diagnostic.otherSide,
          "if both have a version of one name that differs, give the later one another name first"))
      return (lock, findings)
    }
    if line.isEmpty || line.hasPrefix("#") { continue }
    if line.hasPrefix("total ") {
      total = (line, index + 1)
      continue
    }
    // One mistake, such as another file in its place, makes every line wrong.
    guard findings.count < mostLockFindings else { break }
    let isRetired = line.hasPrefix(ReleaseLock.retiredMark)
    let rest = isRetired ? line.dropFirst(ReleaseLock.retiredMark.count) : line[...]
    guard let entry = ReleaseLock.Entry(rest, line: index + 1) else {
      findings.append(
        .unusableLock(
          "this line was not written by `modelc release`", place,
          "restore the file: \(file.gitRestoring(from: "HEAD")); `modelc release` changes it"))
      continue
    }
    guard lock.entries.count + lock.retired.count < mostReleases else {
      findings.append(
        .unusableLock("the lock lists more than \(mostReleases) versions", place, Diagnostic.lockFromGit))
      break
    }
    if isRetired {
      lock.retired.append(entry)
    } else if let first = places[entry.version] {
      findings.append(.releasedTwice(entry, first: lock.entries[first], place, file))
    } else {
      places[entry.version] = lock.entries.count
      lock.entries.append(entry)
    }
    lines.append(line)
  }
  if findings.isEmpty, total?.text != ReleaseLock.total(lines) {
    let place = file.linePlace(total?.line ?? 1, total?.text.count ?? 0)
    findings.append(
      .unusableLock(
        "the lines above do not match the total line", place,
        notes: ["the file was edited by hand, or merged"],
        "restore it: \(file.gitRestoring(from: "HEAD"))",
        "after a merge of two releases \(Diagnostic.otherSide)"))
  }
  return (lock, findings)
}

private let mostLockFindings = 20
/// No app has so many versions; each is compared, and looked for in git.
private let mostReleases = 2_000

extension String {
  func linePlace(_ line: Int, _ width: Int = 0) -> SourceRange {
    SourceRange(
      file: self, start: SourceLocation(line: line, column: 1),
      end: SourceLocation(line: line, column: width + 1))
  }
}

/// The content of a model's lock; empty if there is none or somebody edited it.
package func readReleases(ofModelAt path: String) -> [ReleasedVersion] {
  guard let lock = try? ReleasePlaces(modelAt: path).lock() else { return [] }
  return [(lock.entries, false), (lock.retired, true)].flatMap { entries, isRetired in
    entries.map {
      ReleasedVersion(name: $0.version, checksum: $0.checksum, date: $0.date, isRetired: isRetired)
    }
  }
}

extension ReleaseLock.Entry {
  /// The line of a version that is released now.
  package init(_ version: ModelVersion, date: String, tag: String?) {
    self.init(
      version: version.name, checksum: version.versionChecksum, fingerprint: version.model.fingerprint,
      date: date, tag: tag)
  }

  fileprivate init?(_ line: Substring, line number: Int) {
    let parts = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[0].count == 44, parts[1].count == 64, parts[1].allSatisfy(\.isHexDigit),
      parts[2].wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil, !parts[3].isEmpty, parts[4].isFileName
    else { return nil }
    self.init(
      version: parts[4], checksum: parts[0], fingerprint: parts[1], date: parts[2],
      tag: parts[3] == "-" ? nil : parts[3], line: number)
  }
}

extension Diagnostic.Code {
  package static let releaseLockUnusable = Self("MC7011", level: .hash)
  package static let sameVersionOnTwoBranches = Self("MC7013", level: .hash)
  package static let noTagToRelease = Self("MC7030", exit: .usage)
}

extension Diagnostic {
  static func noTag(_ pattern: String, at path: String, others: [String] = []) -> Self {
    let isShallow = path.isInShallowClone
    return Self(
      .noTagToRelease, .error, "the repository has no tag '\(pattern)'",
      notes: isShallow
        ? ["it is a shallow clone, which has few tags or none"]
        : others.isEmpty
          ? [] : [Note("there are \(counted(others.count, "other tag")): \(others.listed)")],
      help: isShallow ? wholeHistoryHelp : ["`git tag --list` shows the tags"])
  }

  fileprivate static let otherSide =
    "take one side's file, and release the other side's versions again: `modelc release VERSION --tag TAG`"

  static func unusableLock(
    _ message: String, _ place: SourceRange, notes: [Note] = [], _ help: String...
  ) -> Self { Self(.releaseLockUnusable, .error, message, place: place, notes: notes, help: help) }

  static let lockFromGit = "restore the file from git, and let `modelc release` change it"

  fileprivate static func releasedTwice(
    _ entry: ReleaseLock.Entry, first: ReleaseLock.Entry, _ place: SourceRange, _ file: String
  ) -> Self {
    let isSame = entry.fingerprint == first.fingerprint
    return Self(
      isSame ? .releaseLockUnusable : .sameVersionOnTwoBranches, .error,
      isSame
        ? "'\(entry.version)' is listed twice" : "two branches have released a version '\(entry.version)'",
      place: place, notes: [Note("first here", place: file.linePlace(first.line ?? 1))],
      help: [
        isSame
          ? "remove one of the two lines, and release again: `modelc release \(entry.version.shellWord)`"
          : "give the later one another name, with a version file of its own, and release that"
      ])
  }
}

import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ReleaseChecks
import StoreFixtures
import SwiftDataModels

struct Release: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record versions that users have, so that `check` can compare the model with them.",
    discussion: """
      Adds each version to the release lock: checksum, fingerprint, date and tag. The lock is released.lock in the \
      model's folder, or App.released.lock next to App.xcdatamodeld. With --fixture, a genuine store of it and its objects \
      as YAML are kept next to it, and every later check migrates them. Commit all of these files.

      With --freeze, the version's classes are written as a SwiftData VersionedSchema, so that later changes of \
      the app's own classes do not affect it.

      --from-tags builds the lock from git's tags: the current version of each tag and those before it. It runs as \
      long as --seconds allows; --after-tag continues where it stopped. With --freeze, each store schema that \
      a tag has shipped becomes a VersionedSchema with types of its own, with a plan for all of them; a store of \
      each is kept. --freeze FILE --check proves that the file still has the hashes of the lock.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "The release's tag in git, or its name.")
  var tag: String?

  @Option(help: .text("Keep a store with this many objects.", "rows"))
  var fixture: Int?

  @Option(help: .text("Write the version's classes to this Swift file.", "file"))
  var freeze: String?

  @Flag(help: "Freeze the current version and all before it.")
  var all = false

  @Option(
    defaultAsFlag: "*",
    help: .text(
      "Build the lock from git's tags, or from those that match this pattern; * stands for any text, including slashes.",
      "pattern"))
  var fromTags: String?

  @Flag(help: "Prove that the file of --freeze still has the hashes that were locked; nothing is written.")
  var check = false

  @Option(help: .text("Continue after this tag.", "tag"))
  var afterTag: String?

  @Option(help: "The longest that reading tags may take, in seconds.")
  var seconds: Double = 120

  @Argument(help: .text("The released versions; by default the current one.", "version"))
  var versions: [String] = []

  func validate() throws {
    let ways = [!versions.isEmpty, all, fromTags != nil].count { $0 }
    try refuse(ways > 1, "name versions, or use --all or --from-tags PATTERN")
    if let tag, tag.isEmpty || tag.contains(where: \.isWhitespace) || tag == "-" {
      throw ValidationError("'\(tag)' cannot be a tag: it has no spaces")
    }
    try refuse(fixture.map { (0...1_000_000).contains($0) } == false, "--fixture is 0 to 1,000,000")
    try refuse(!(seconds > 0 && seconds <= 86_400), "--seconds is more than 0")
    try refuse(fromTags == nil && afterTag != nil, "--after-tag needs --from-tags PATTERN")
    try refuse(
      fromTags != nil && (tag != nil || fixture != nil && freeze == nil),
      "--from-tags takes tags and days from git, and keeps stores with --freeze alone")
    try refuse(
      freeze != nil && (all || versions.count > 1),
      "--freeze writes the classes of one version, or the shapes of --from-tags")
    try refuse(
      check && (freeze == nil || fromTags != nil || !versions.isEmpty || fixture != nil || tag != nil),
      "--check takes a file and nothing else: --freeze FILE --check")
  }

  func work() throws {
    // The file may stand beside a plan that is to be deleted: the model is not read for a proof.
    if check, let freeze { return try prove(freeze) }
    let models = try project.project.readCheckedModels()
    guard models.count == 1, let subject = models.first else {
      let names = models.map(\.model.name)
      throw UsageError(.whichModel(Set(names).count < names.count ? models.map(\.path) : names))
    }
    if AppBuild.isInside(subject.path) {
      throw UsageError(
        .fileUnreadable, "'\(subject.path)' is in an app, which is the release itself",
        notes: ["a lock belongs next to the source of a model", "nothing was written"],
        help: [
          "name the model's source with `--models`; `modelc check --models SOURCE --against APP` compares it with an app"
        ])
    }
    if let fromTags, let freeze { return try freezeTags(fromTags, to: freeze, subject) }
    if let fromTags { return try release(subject, fromTags) }
    // A live type is a fault of the older schemas that list it, not of the newest: that one may be released.
    let named = names(of: subject.model).map { subject.model.version(named: $0)?.name }
    try subject.diagnostics.filter { finding in
      finding.severity == .error && (finding.code != .liveType || named.contains(finding.subject?.version))
    }.refuse()
    // Nothing is written beside a lock that is refused.
    _ = try subject.places.lock()
    let frozen = try freeze.map { try writeFrozen(subject.model, to: $0) } ?? []
    output.report(frozen)
    let records = try subject.model.releaseVersions(
      names(of: subject.model), at: subject.path, tag: tag, date: Date.now.day, rows: fixture)
    for record in records { output.report(record.fixture?.diagnostics ?? []) }
    output.print(
      Self.result.json(of: (subject.places.lockFile, records, freeze, freeze.map { _ in frozen })),
      else: (records.map { line($0, subject) } + (freeze.map { [$0] } ?? [])).shownLines)
    printNextSteps(subject)
    if freeze != nil, subject.model.isSwiftData, subject.model.versions.allSatisfy({ $0.typeName == nil }) {
      output.say(
        "next: list the app's own classes in a newer VersionedSchema, and both in a SchemaMigrationPlan")
    }
  }

  /// - Returns: what SwiftData cannot express of the version.
  private func writeFrozen(_ model: VersionedModel, to file: String) throws -> [Diagnostic] {
    guard let version = names(of: model).first else { return [] }
    let source = model.swiftDataSource(
      only: version, comments: [version: "Version \(version) as it was released: never change it."])
    try [ProjectFile(path: file, text: source.file)].writeUntaken()
    return source.diagnostics
  }

  /// Writes the shapes that tags have shipped.
  private func freezeTags(_ pattern: String, to file: String, _ subject: CheckedModel) throws {
    guard subject.model.isSwiftData else {
      throw UsageError(
        .severalModels,
        "'\(subject.model.name)' is not a SwiftData source: its versions are files, which stay as they are",
        help: ["`modelc release --from-tags` builds its lock"])
    }
    let shipped = try ShippedSchemas(tags: pattern, ofModelAt: subject.path, subject.reader)
    var isRewritten = false
    let frozen = try subject.freezeShippedSchemas(shipped, to: file, rows: fixture ?? 3) { text in
      let sealed = ProjectFile(path: file, sealing: text)
      isRewritten = sealed.isSealed
      if isRewritten { try sealed.write() } else { try [sealed].writeUntaken() }
    }
    output.report(frozen.schemas.source.diagnostics)
    var lines = zip(frozen.records, frozen.schemas.versions).map { record, version in
      "\(version.typeName ?? version.name): \(line(record, subject))"
    }
    if let current = frozen.current {
      lines.append("stores of \(current) are those of today's newest schema: freeze it before you change it")
    }
    lines += unreadLines(shipped.unreadable.map { ($0.tag, $0.reason) })
    output.print(
      Self.result.json(
        of: (subject.places.lockFile, frozen.records, file, frozen.schemas.source.diagnostics)),
      else: (lines + [file]).shownLines)
    let plan = frozen.schemas.source.parts.last?.name ?? ""
    let schemas = subject.model.versions.dropLast().compactMap { version -> String? in
      guard let name = version.typeName, !frozen.earlier.contains(name) else { return nil }
      // With it the app's own classes would go.
      let paths = subject.model.currentVersion?.classPaths ?? [:]
      let lent = paths.filter { $0.value.dropLast().contains(name) }.keys.sortedByCodePoint
      let place = subject.model.currentVersion?.typeName.map { "into \($0)" } ?? "out of it"
      return lent.isEmpty ? name : "\(name) (first move \(lent.joined(separator: ", ")) \(place))"
    }
    let old = [subject.model.planName].compactMap(\.self) + schemas
    let stages = frozen.schemas.stages
    let moves = stages.isEmpty ? "" : "move the closures of the stages from \(stages.listed) into \(plan), "
    let goes = isRewritten || old.isEmpty ? "" : ", and delete \(old.joined(separator: ", "))"
    let stay = frozen.earlier.isEmpty ? "" : "; it keeps \(frozen.earlier.listed), older than all tags"
    output.say(
      "next: \(moves)give \(plan) to the ModelContainer\(goes)\(stay); `modelc check` proves the rest")
  }

  /// Compares a frozen file with the lock.
  private func prove(_ file: String) throws {
    try file.requireFile()
    let paths = try project.project.modelPaths()
    guard paths.count == 1, let path = paths.first else { throw UsageError(.whichModel(paths)) }
    let places = ReleasePlaces(modelAt: path)
    let (count, findings) = try places.checkFrozenFile(at: file, project.project.reader)
    try findings.refuse()
    output.print(
      Self.result.json(of: (places.lockFile, [], file, [])),
      else: "\(file): \(counted(count, "schema")) \(count == 1 ? "has" : "have") the hashes of the lock")
  }

  private func unreadLines(_ unreadable: [(tag: String, reason: String)]) -> [String] {
    unreadable.prefix(20).map { "skipped \($0.tag): \($0.reason)" }
      + (unreadable.count > 20 ? ["skipped \(counted(unreadable.count - 20, "further tag"))"] : [])
  }

  private func printNextSteps(_ subject: CheckedModel) {
    output.say("next: commit \(subject.places.lockFile.shellWord); `modelc check` compares the model with it")
  }

  /// Those that are meant: with --all the current one and those before it, oldest first; the current one where none is named.
  private func names(of model: VersionedModel) -> [String] {
    if !all { return versions.isEmpty ? [model.currentVersionName] : versions }
    let names = model.namesToCurrent
    return model.versions.map(\.name).filter(names.contains)
  }

  private func release(_ subject: CheckedModel, _ pattern: String) throws {
    let releases = try subject.model.releaseTags(
      at: subject.path, matching: pattern, after: afterTag, seconds: seconds, subject.reader)
    output.report(releases.diagnostics)
    output.print(
      Self.ofTags.json(of: (subject.places.lockFile, releases)),
      else: lines(releases, pattern, subject).map(\.runnable).shownLines)
    if releases.released > 0 { printNextSteps(subject) }
  }

  private func lines(_ releases: TaggedReleases, _ pattern: String, _ subject: CheckedModel) -> [String] {
    var lines = releases.added.map { line($0, subject) }
    lines += unreadLines(releases.unreadable)
    let absent = releases.tagsWithoutModel
    let others = [
      (absent.count, "without the model"), (releases.unreadable.count, "that cannot be read"),
    ].filter { $0.0 > 0 }.map { ", \(counted($0.0, "tag")) \($0.1)" }.joined()
    let added = counted(releases.added.count, "version")
    lines.append("looked at \(counted(releases.tagCount, "tag")): \(added) added\(others)")
    let (unread, unmatched) = (releases.unreadVersions, releases.unmatched)
    let restoring =
      "if this branch fixes an earlier release, restore the lock, and name its tags by a pattern"
    let continuing = "`modelc release --from-tags \(pattern.shellWord) --after-tag "
    lines += [
      absent.isEmpty ? nil : "without the model, here or where it was moved from: \(absent.listed)",
      unread.isEmpty ? nil : "not in the lock, because they cannot be read: \(unread.listed)",
      releases.elsewhere.isEmpty
        ? nil
        : "the lock now lists \(releases.elsewhere.listed), which neither this model nor this branch has: \(restoring)",
      unmatched.isEmpty
        ? nil : "\(counted(unmatched.count, "tag")) did not match \(pattern): \(unmatched.listed)",
      releases.lastTag.map { "the time limit was reached: \(continuing)\($0.shellWord)` goes on" },
      releases.isCut
        ? "there are more tags: the \(grouped(tagLimit)) oldest were read; a narrower pattern selects others"
        : nil,
    ].compactMap(\.self)
    if releases.isShallow {
      lines.append("this is a shallow clone: what is missing must be fetched")
      lines += wholeHistoryHelp.map { "  " + $0 }
    }
    return lines
  }

  private func line(_ record: ReleaseRecord, _ subject: CheckedModel) -> String {
    let entry = record.entry
    let store = record.fixture.map {
      "; \(subject.places.store(of: entry.version)): \(counted($0.count, "object"))"
    }
    let what = record.wasReleased ? "was released on \(entry.date)" : "is released"
    return
      "\(entry.version) \(what)\(entry.tag.map { " as \($0)" } ?? ""), \(entry.checksum.prefix(12))…\(store ?? "")"
  }

  static let result = JSONObject<
    (lock: String, released: [ReleaseRecord], frozen: String?, findings: [Diagnostic]?)
  >("release", "Versions that were released.").adding([
    "lock": .value(\.lock, "The lock's file."), "released": .value(\.released),
    "frozen": .optional(\.frozen, "With --freeze: the Swift file."),
    "diagnostics": .optional(\.findings, JSONShape.diagnostics.summary),
  ])

  static let ofTags = JSONObject<(lock: String, found: TaggedReleases)>(
    "taggedReleases", "What --from-tags found."
  ).adding([
    "lock": .value(\.lock, "The lock's file."),
    "released": .value(\.found.added),
    "tags": .value(\.found.tagCount, "How many were looked at."),
    "tagsWithoutModel": .value(\.found.tagsWithoutModel.count),
    "unreadable": .list(\.found.unreadable, of: ShippedSchemaTable.unreadTag("unreadTag")),
    "unmatched": .value(\.found.unmatched, "Tags whose names do not match."),
    "unreadVersions": .value(
      \.found.unreadVersions, "Versions that are not in the lock because they cannot be read."),
    "elsewhere": .value(\.found.elsewhere, "Versions that neither this model nor this branch has."),
    "lastTag": .value(\.found.lastTag, "Where the time ended; --after-tag goes on."),
    "isShallow": .value(\.found.isShallow),
    "isCut": .value(\.found.isCut, "Whether there are more tags than were looked at."),
    "diagnostics": .diagnostics(\.found.diagnostics),
  ])
}

extension ReleaseRecord: JSONResult {
  static let result = JSONObject<Self>("releaseRecord", "A version in the lock.").adding([
    "version": .value(\.entry.version), "checksum": .value(\.entry.checksum),
    "fingerprint": .value(\.entry.fingerprint), "date": .value(\.entry.date, "As 2026-01-31."),
    "tag": .value(\.entry.tag), "isNew": .value { !$0.wasReleased },
    "objects": .value(\.fixture?.count, "Of the store that is kept."),
  ])
}

import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import ModelMigration
import ReleaseChecks

struct VersionPruneCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Remove old versions from a model, and say who still has their stores.",
    discussion: """
      Every version that leads to the named one is removed, with its mapping files, kept stores and migration tests; in the \
      release lock its line becomes a retired one. Nothing is written without --apply. The result is checked \
      as `check` does, kept stores included, and refused if that finds new errors.

      Stores of a removed version match no version. They are migrated from the model that they contain, if that step can be \
      inferred; mappings do not run. --usage and --tags-before say who has such stores: if there are any, --apply is refused.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: .text("The oldest version that stays.", "version"))
  var before: String

  @Option(
    help: .text(
      "Stores in the field, as CSV: version,stores; a checksum or a tag may replace the version.", "file"))
  var usage: String?

  @Option(
    help: .text("Assume that tags from before this day are no longer in use, but later ones are.", "day"))
  var tagsBefore: String?

  @Flag(help: "Write it.")
  var apply = false

  @Flag(help: "Also remove versions that have stores in use.")
  var acceptStranded = false

  @Argument(help: "The model, by name or path, if there are several.")
  var model: String?

  func validate() throws {
    let isDay = tagsBefore.map { $0.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil } ?? true
    try refuse(!isDay, "--tags-before is a day, such as 2024-01-31")
  }

  func work() throws {
    let scope = model.map(project.project.of(modelNamed:)) ?? project.project
    let subject = try readSubject(scope)
    var prune = try silently { try VersionPrune(before: before, of: subject, in: scope, today: Date.now.day) }
    if let usage {
      let text = String(decoding: try readFile(URL(filePath: usage), shownAs: usage), as: UTF8.self)
      try prune.count(StoreUsage(csv: text, file: usage), of: usage)
    }
    let unread = try tagsBefore.map { try prune.takeTags(since: $0) } ?? []
    let users =
      (usage.map { " --usage \($0.shellWord)" } ?? "") + (tagsBefore.map { " --tags-before \($0)" } ?? "")
    let stranded = prune.strandedFinding(users, isAccepted: !apply || acceptStranded)
    if let stranded, stranded.severity == .error { throw DiagnosticsError([stranded]) }
    // Another model may include this one.
    let all = readAll()
    let models = all.contains(where: prune.isAbout) ? all : [subject]
    let errors = try prove(prune, among: models, scope)
    if apply {
      let left = try prune.changes.make {
        let then = models.count > 1 ? readAll() : try silently { try scope.readCheckedModels() }
        try refuse(check(then, scope).countingErrors, beyond: errors)
      }
      for path in left { output.say("'\(path)' could not be deleted: delete it") }
    }
    let findings =
      [stranded].compactMap(\.self)
      + unread.map { tag, reason in
        Diagnostic(
          .storesStranded, .warning,
          "the model in the tag '\(tag)' cannot be read: its users are not counted",
          notes: [Diagnostic.Note(reason)], help: ["look at it: `git show \(tag.shellWord)`"])
      }
    output.report(findings)
    output.print(
      Self.result.json(of: (prune, findings, errors.count, apply)),
      else: lines(prune, errors: errors.count).shownLines)
    output.say(apply ? "next: commit all changes together" : "nothing was written: --apply removes them")
  }

  private func readSubject(_ scope: Project) throws -> CheckedModel {
    let path = try scope.onlyModelPath()
    guard GitLocation(path) == nil, !AppBuild.isInside(path),
      path.isModelFolder || URL(filePath: path).pathExtension == "xcdatamodeld"
    else {
      throw UsageError(
        .fileUnreadable, "'\(path)' is not a model with a file for each version: no version can be removed",
        notes: ["nothing was written"],
        help: [
          "name a folder with a versions.yaml, or an .xcdatamodeld; of SwiftData's source, delete the VersionedSchema and its stage in the plan"
        ])
    }
    guard let subject = try silently({ try scope.readCheckedModels() }).first else {
      throw DiagnosticsError(scope.noModel())
    }
    try subject.diagnostics.filter { $0.severity == .error }.refuse()
    return subject
  }

  /// Every model of the project; none if one of them cannot be read at all.
  private func readAll() -> [CheckedModel] { silently { try? project.project.readCheckedModels() } ?? [] }

  /// What is read again is named once.
  private func silently<Result>(_ body: () throws -> Result) rethrows -> Result {
    try RunContext.with({ $0.notices = nil }, run: body)
  }

  // MARK: Proof

  /// Checks the models as they will be.
  ///
  /// - Returns: the errors of today, which may stay.
  private func prove(
    _ prune: VersionPrune, among models: [CheckedModel], _ scope: Project
  ) throws -> [Diagnostic] {
    let now = check(models, scope).countingErrors
    let removed = Set(prune.changes.removed)
    let then = check(models.map { prune.isAbout($0) ? prune.pruned : $0 }, scope)
    // Files that go are still there, and say nothing.
    let errors =
      then.countingErrors.filter { !($0.place.map { removed.contains($0.file) } ?? false) }
      // A model that includes this one was read with the versions of today.
      + models.filter { !prune.isAbout($0) }.flatMap(prune.brokenIncludes)
    try refuse(errors, beyond: now)
    if apply, prune.keptStores > 0, then.count(of: .store) == 0 {
      let untried = Diagnostic(
        .versionsNotPruned, .error,
        "`check` stops at an existing error, before it tries \(counted(prune.keptStores, "kept store"))",
        notes: ["whether they still migrate is not proved", "nothing was written"],
        help: ["fix what follows first; `modelc check` finds it too"])
      throw DiagnosticsError([untried] + errors)
    }
    return now
  }

  private func check(_ models: [CheckedModel], _ scope: Project) -> CheckReport {
    var options = CheckOptions()
    options.testFolder = scope.migrationTestFolder()
    options.cache = resultCache()
    return runChecks(models, options: options)
  }

  /// Refuses what is found more often than today.
  private func refuse(_ errors: [Diagnostic], beyond known: [Diagnostic]) throws {
    var known = known
    let new = errors.filter { error in
      let place = known.firstIndex {
        $0.code == error.code && $0.subject == error.subject && $0.related == error.related
          && $0.place?.file == error.place?.file
      }
      if let place { known.remove(at: place) }
      return place == nil
    }
    if new.isEmpty { return }
    let does = new.count == 1 ? "does" : "do"
    let refusal = Diagnostic(
      .versionsNotPruned, .error,
      "without those versions `check` finds \(counted(new.count, "error")) that \(does) not exist today",
      notes: ["nothing was written"],
      help: ["fix the errors below, or keep more versions: name an earlier version with `--before`"])
    throw DiagnosticsError([refusal] + new)
  }

  // MARK: Text

  /// - Parameter errors: those of today, which stay.
  private func lines(_ prune: VersionPrune, errors: Int) -> [String] {
    let count = prune.versions.count
    let names = prune.versions.map(\.version.name).listed
    var lines = [
      ("\(prune.model.name): \(apply ? "took out" : "would take out") \(counted(count, "version")), \(names); "
        + "\(prune.keptVersions.listed) \(prune.keptVersions.count == 1 ? "stays" : "stay")").printable
    ]
    let rows = prune.versions.map { version in
      let stores = version.stores.map(grouped) ?? (tagsBefore == nil ? "?" : nil)
      let tags = version.tags.isEmpty ? nil : "in \(version.tags.listed)"
      return [
        version.version.name, version.release.map { $0.tag ?? $0.date } ?? "no",
        [stores, tags].compactMap(\.self).joined(separator: ", "), outcome(of: version, prune.model),
      ]
    }
    let table = TextTable(
      .left, .left, .right, .left, header: ["version", "released", "stores", "then"], rows: rows)
    for (index, row) in table.lines(indent: 2).enumerated() {
      lines.append(row)
      if index > 0 { lines += prune.versions[index - 1].remarks.map { "      \($0)".printable } }
    }
    func section(_ title: String, _ paths: [String]) {
      if !paths.isEmpty { lines += ["  \(title)"] + paths.map { "    \($0)".printable } }
    }
    section("removed", prune.changes.removed)
    section(
      "written",
      prune.changes.written.map { path in
        guard let whole = prune.writtenOut.first(where: { $0.file == path }) else { return path }
        let comments = whole.comments == 0 ? "" : ", without \(counted(whole.comments, "line")) of comments"
        return "\(path), whole\(comments)"
      })
    section("stays, but no version uses it: delete it in Xcode", prune.left)
    section("lists removed files: remove them there in Xcode", prune.projects)
    let kept = prune.keptStores
    lines.append(
      errors > 0
        ? "  check finds \(counted(errors, "error")) as it does today, and may not have tried every kept store"
        : "  check finds no error; "
          + (kept == 0
            ? "there is no kept store to try"
            : "\(counted(kept, "kept store")) \(kept == 1 ? "migrates" : "migrate")"))
    return lines
  }

  private func outcome(of version: VersionPrune.Version, _ model: VersionedModel) -> String {
    switch version.outcome {
    case .same: "stores are those of \(version.heir ?? "")"
    case .inferred: "inferred to \(model.currentVersionName) from a store's own model"
    case .blocked: "cannot be migrated to \(model.currentVersionName)"
    }
  }

  static let result = JSONObject<
    (prune: VersionPrune, findings: [Diagnostic], errors: Int, isApplied: Bool)
  >("prune", "Old versions that are removed from a model.").adding([
    "model": .value(\.prune.model.name, "The model's name."),
    "before": .value(\.prune.first.name, "The oldest version that stays."),
    "removed": .list(\.prune.versions, of: version, "The versions that are removed."),
    "kept": .value(\.prune.keptVersions, "The versions that stay."),
    "removedFiles": .value(\.prune.changes.removed, "Files and folders."),
    "writtenFiles": .value(\.prune.changes.written, "Files that are edited, or new."),
    "left": .value(\.prune.left, "Mapping models of Xcode's that are elsewhere and serve no version then."),
    "projects": .value(\.prune.projects, "Xcode projects that list removed files."),
    "keptStores": .value(\.prune.keptStores, "Kept stores of versions that stay."),
    "errors": .value(\.errors, "That `check` finds today, and then. With none every kept store migrates."),
    "applied": .value(\.isApplied, "Whether it was written."),
    "diagnostics": .diagnostics(\.findings),
  ])

  private static let version = JSONObject<VersionPrune.Version>("prunedVersion", "A version that is removed.")
    .adding([
      "version": .value(\.version.name, "Its name."),
      "checksum": .value(\.version.versionChecksum, "Core Data's version checksum."),
      "released": .value(\.release?.date, "Since when, as 2026-01-31."), "tag": .value(\.release?.tag),
      "stores": .value(\.stores, "In the field; null if nobody counted."),
      "tags": .value(\.tags, "Tags since --tags-before that make stores of it."),
      "outcome": .word(\.outcome, "How its stores are migrated then."),
      "sameHashesAs": .value(\.heir, "A version that stays, and that no store can tell from it."),
      "losses": .value(\.losses, "What its stores lose then."),
      "mappedSteps": .value(\.mappedSteps, "Steps of today whose mappings do not run then."),
    ])
}

extension VersionPrune.Version {
  /// Why its stores cannot be migrated, or what they lose.
  fileprivate var remarks: [String] {
    if outcome == .same { return [] }
    let refusal = plan.diagnostics.first { $0.severity == .error }
    return [
      refusal.map { "\($0.code) \($0.message)" },
      losses.isEmpty ? nil : "loses \(losses.joined(atMost: 5))",
      mappedSteps.isEmpty ? nil : "without the mapping \(mappedSteps.listed)",
    ].compactMap(\.self)
  }
}

extension CheckReport {
  /// Errors that count.
  fileprivate var countingErrors: [Diagnostic] { counting.filter { $0.severity == .error } }
}

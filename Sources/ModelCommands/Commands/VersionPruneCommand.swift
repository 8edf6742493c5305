import ArgumentParser
import Foundation
import GitFiles
import ManagedModel
import ModelMigration
import ModelSources
import ReleaseChecks

struct VersionPruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune", abstract: "Take old versions out of a model, and say who still has stores of them.",
    discussion: """
      Every version that leads to the named one goes, with its mapping files, kept stores and migration tests; in the \
      release lock its line becomes a retired one. Nothing is written without --apply. What would be there then is checked \
      as `check` does, kept stores included, and refused if that finds errors that are not there now.

      Stores of a version that is gone match none. The model that they carry leads them to the current version if that can be \
      inferred; mappings do not run. --usage and --tags-before say who has such stores: then --apply is refused.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The oldest version that stays.", valueName: "version"))
  var before: String

  @Option(
    help: ArgumentHelp(
      "Stores in the field, as CSV: version,stores; instead of a version its checksum, or a tag.",
      valueName: "file"))
  var usage: String?

  @Option(
    help: ArgumentHelp(
      "Take tags from before this day as in use by nobody, and those since then as in use.", valueName: "day")
  )
  var tagsBefore: String?

  @Flag(help: "Write it.")
  var apply = false

  @Flag(help: "Take out versions of which there are stores in use.")
  var acceptStranded = false

  @Argument(help: ArgumentHelp("The model, by name or path, where there are several.", valueName: "model"))
  var model: String?

  func validate() throws {
    if let tagsBefore, tagsBefore.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) == nil {
      throw ValidationError("--tags-before is a day, such as 2024-01-31")
    }
  }

  func run() throws {
    try output.run {
      let scope = model.map(project.project.of(modelNamed:)) ?? project.project
      let subject = try readSubject(scope)
      var prune = try VersionPrune(before: before, of: subject, in: scope, today: today())
      if let usage {
        let text = String(decoding: try readFile(URL(filePath: usage), shownAs: usage), as: UTF8.self)
        try prune.count(StoreUsage(csv: text, file: usage), of: usage)
      }
      let unread = try tagsBefore.map { try prune.takeTags(since: $0) } ?? []
      let stranded = prune.strandedFinding(userOptions, isAccepted: !apply || acceptStranded)
      if let stranded, stranded.severity == .error { throw DiagnosticsError([stranded]) }
      // Another model may include this one.
      let all = readAll()
      let models = all.contains(where: prune.isAbout) ? all : [subject]
      let errors = try prove(prune, among: models, scope)
      if apply {
        let left = try prune.changes.make {
          let then = models.count > 1 ? readAll() : try scope.readCheckedModels()
          try refuse(check(then, scope).countingErrors, beyond: errors)
        }
        for path in left { output.say("'\(path)' could not be deleted: delete it") }
      }
      let findings = [stranded].compactMap(\.self) + unread.map { .tagNotRead($0.tag, $0.reason) }
      output.report(findings)
      if output.writesJSON {
        output.print(Self.result.json(of: (prune, findings, errors.count, apply)))
      } else {
        output.print(lines(prune, errors: errors.count).shownLines)
        output.say(apply ? "next: commit it all in one" : "nothing was written: --apply takes them out")
      }
    }
  }

  /// Those that say who has stores, as they were given.
  private var userOptions: String {
    (usage.map { " --usage \(shellWord($0))" } ?? "") + (tagsBefore.map { " --tags-before \($0)" } ?? "")
  }

  private func readSubject(_ scope: Project) throws -> CheckedModel {
    let paths = try scope.modelPaths()
    guard let path = paths.first, paths.count == 1 else {
      throw DiagnosticsError(.severalModels(paths.map { URL(filePath: $0).lastPathComponent }))
    }
    guard GitLocation(path) == nil, !AppBuild.isInside(path),
      isModelFolder(path) || URL(filePath: path).pathExtension == "xcdatamodeld"
    else { throw UsageError(.notAPackage(path)) }
    guard let subject = try scope.readCheckedModels().first else {
      throw DiagnosticsError(noModels(in: scope))
    }
    let errors = subject.diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw DiagnosticsError(errors) }
    return subject
  }

  /// Every model of the project; none if one of them cannot be read at all.
  private func readAll() -> [CheckedModel] { (try? project.project.readCheckedModels()) ?? [] }

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
    let errors = then.countingErrors.filter { !($0.place.map { removed.contains($0.file) } ?? false) }
    try refuse(errors, beyond: now)
    if apply, prune.keptStores > 0, then.count(of: .store) == 0 {
      throw DiagnosticsError([.notTried(prune.keptStores)] + errors)
    }
    return now
  }

  private func check(_ models: [CheckedModel], _ scope: Project) -> CheckReport {
    var options = CheckOptions(today: today())
    options.testFolder = scope.migrationTestFolder()
    options.cache = resultCache()
    return runChecks(models, options: options)
  }

  private func refuse(_ errors: [Diagnostic], beyond known: [Diagnostic]) throws {
    let new = errors.filter { error in
      !known.contains { $0.code == error.code && $0.message == error.message }
    }
    if !new.isEmpty { throw DiagnosticsError([.wouldFail(new.count)] + new) }
  }

  // MARK: Text

  /// - Parameter errors: those of today, which stay.
  private func lines(_ prune: VersionPrune, errors: Int) -> [String] {
    let count = prune.versions.count
    let names = listedNames(prune.versions.map(\.version.name))
    var lines = [
      printable(
        "\(prune.model.name): \(apply ? "took out" : "would take out") \(counted(count, "version")), \(names); "
          + "\(listedNames(prune.keptVersions)) \(prune.keptVersions.count == 1 ? "stays" : "stay")")
    ]
    var table = TextTable(.left, .left, .right, .left, header: ["version", "released", "stores", "then"])
    for version in prune.versions {
      let release = version.release.map { $0.tag ?? $0.date } ?? "no"
      let tags = version.tags.isEmpty ? nil : "in \(listedNames(version.tags))"
      let stores = version.stores.map(grouped) ?? (tagsBefore == nil ? "?" : "")
      table.append(
        version.version.name, release,
        [stores, tags].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", "),
        outcome(of: version, prune.model.currentVersionName))
    }
    lines += table.lines(indent: 2)
    func section(_ title: String, _ paths: [String]) {
      if !paths.isEmpty { lines += ["  \(title)"] + paths.map { printable("    \($0)") } }
    }
    section("removed", prune.changes.removed)
    section(
      "edited",
      prune.changes.edits.map { edit in
        let whole = prune.writtenOut.first { $0.file == edit.path }
        let comments = whole.map {
          $0.comments == 0 ? "" : ", without \(counted($0.comments, "line")) of comments"
        }
        return edit.path + (comments.map { ", written out whole\($0)" } ?? "")
      })
    section("stays, and serves no version: delete it in Xcode", prune.left)
    section("lists what goes: remove it there in Xcode", prune.projects)
    let kept = prune.keptStores
    lines.append(
      errors == 0
        ? "  check finds no error; \(counted(kept, "kept store")) \(kept == 1 ? "migrates" : "migrate")"
        : "  check finds \(counted(errors, "error")) as it does today, and may not have tried every kept store"
    )
    return lines
  }

  /// What becomes of a version's stores.
  private func outcome(of version: VersionPrune.Version, _ current: String) -> String {
    switch version.outcome {
    case .same: return "stores are those of \(version.heir ?? "")"
    case .blocked:
      let first = version.plan.diagnostics.first { $0.severity == .error }
      return "stores cannot be migrated: \(first.map { "\($0.code) \($0.message)" } ?? "")"
    case .inferred:
      let losses = version.losses.isEmpty ? "" : ", loses \(listedNames(version.losses))"
      let steps =
        version.mappedSteps.isEmpty ? "" : ", without the mapping \(listedNames(version.mappedSteps))"
      return "inferred to \(current) from the store's own model\(losses)\(steps)"
    }
  }
}

extension VersionPruneCommand {
  static let result = JSONObject<
    (prune: VersionPrune, findings: [Diagnostic], errors: Int, isApplied: Bool)
  >(
    "prune", "Old versions that are taken out of a model.",
    [
      "model": .value(\.prune.model.name, "The model's name."),
      "before": .value(\.prune.first.name, "The oldest version that stays."),
      "removed": .list(\.prune.versions, of: version, "The versions that go."),
      "kept": .value(\.prune.keptVersions, "The versions that stay."),
      "removedFiles": .value(\.prune.changes.removed, "Files and folders."),
      "editedFiles": .value({ $0.prune.changes.edits.map(\.path) }, "Files."),
      "left": .value(\.prune.left, "Mapping models of Xcode's that lie elsewhere and serve no version then."),
      "projects": .value(\.prune.projects, "Projects of Xcode's that list what goes."),
      "keptStores": .value(\.prune.keptStores, "Kept stores of versions that stay."),
      "errors": .value(\.errors, "That `check` finds today, and then. With none every kept store migrates."),
      "applied": .value(\.isApplied, "Whether it was written."),
      "diagnostics": .diagnostics(\.findings),
    ])

  private static let version = JSONObject<VersionPrune.Version>(
    "prunedVersion", "A version that goes.",
    [
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

extension CheckReport {
  /// Errors that count.
  fileprivate var countingErrors: [Diagnostic] { counting.filter { $0.severity == .error } }
}

extension Diagnostic {
  fileprivate static func notAPackage(_ path: String) -> Self {
    Self(
      .fileUnreadable, .error,
      "'\(path)' is not a model whose versions are files: none can be taken out of it",
      notes: ["nothing was written"],
      help: [
        "name a folder with a versions.yaml, or an .xcdatamodeld; of SwiftData's source, delete the VersionedSchema and its stage in the plan"
      ])
  }

  fileprivate static func wouldFail(_ count: Int) -> Self {
    Self(
      .versionsNotPruned, .error,
      "without those versions `check` finds \(counted(count, "error")) that \(count == 1 ? "is" : "are") not there today",
      notes: ["everything is as it was"],
      help: ["fix what follows, or keep more: name an earlier version with `--before`"])
  }

  fileprivate static func notTried(_ count: Int) -> Self {
    Self(
      .versionsNotPruned, .error,
      "`check` stops at an error of today, before it tries \(counted(count, "kept store"))",
      notes: ["whether they still migrate is not proved", "nothing was written"],
      help: ["fix what follows first; `modelc check` finds it too"])
  }

  fileprivate static func tagNotRead(_ tag: String, _ reason: String) -> Self {
    Self(
      .storesStranded, .warning, "the model in the tag '\(tag)' cannot be read: its users are not counted",
      notes: [Note(reason)], help: ["look into it: `git show \(shellWord(tag))`"])
  }
}

import ManagedModel
import PersistentStore
import StoreRepair

extension TriageAnswer: JSONResult {
  /// As a person reads it.
  var text: String {
    let problems = counted(triage.findings.count, "problem")
    var lines = ["\(log): \(problems) found in \(counted(triage.lineCount, "line"))"]
    for (index, finding) in triage.findings.enumerated() { lines += [""] + finding.lines(number: index + 1) }
    if !triage.unknownErrors.isEmpty {
      let errors = triage.unknownErrors.map(\.description).joined(separator: ", ")
      lines += ["", "errors that modelc does not know: \(errors)"]
    }
    for store in triage.systemStores {
      lines += [
        "",
        "line \(store.line): this is a store of \(store.owner), not yours: "
          + "\(counted(store.count, "line")) of it left out",
      ]
    }
    if !stores.isEmpty || !checksums.isEmpty || !digests.isEmpty { lines.append("") }
    for store in stores {
      lines.append("line \(store.printed.line) has the version hashes of a store or a model:")
      lines += store.lines(hasModels: !models.isEmpty) + advice(on: store)
    }
    let none = models.isEmpty ? "there is no model here to compare it with" : "of no known version"
    for (checksum, versions) in checksums {
      lines.append("the checksum \(checksum): \(versions.isEmpty ? none : versions.names)")
    }
    lines += digests.map(line)
    return (lines + ["", searched]).shownLines
  }

  /// Which models the hashes and checksums were looked for in.
  private var searched: String {
    let names = models.map { "\($0.name) (\(counted($0.versions.count, "version")))" }
    return names.isEmpty
      ? "no model was searched: name the project with -C"
      : "models searched: \(names.joined(separator: ", "))"
  }

  private func line(_ digest: RecognisedDigest) -> String {
    let shown = digest.digits.beginning.prefix(16) + "…" + digest.digits.end
    guard !digest.entities.isEmpty else { return "the hash \(shown): no entity of a known version has it" }
    let entities = digest.entities.map { entity in
      let first = entity.versions.first.map { "\($0.versionName) of \($0.modelName)" } ?? ""
      let last = entity.versions.last.map(\.versionName) ?? ""
      let count = entity.versions.count
      return "'\(entity.name)' in \(count > 1 ? "\(count) versions, \(first) to \(last)" : first)"
    }
    return "the hash \(shown): \(entities.joined(separator: ", "))"
  }

  private func advice(on store: PrintedRecognition) -> [String] {
    guard store.versions.count == 1, let version = store.versions.first, models.count == 1,
      !store.differingFromCurrent.isEmpty
    else { return [] }
    let name = version.versionName.shellWord
    return [
      "what changed since: `modelc diff \(name)`",
      "what a migration of such a store does: `modelc plan --from \(name)`",
    ].map { "  " + $0.runnable }
  }

  static let result = JSONObject<Self>("triage", "What a log says of a store.").adding([
    "log": .value(\.log, "The log, as it was named."),
    "lines": .value(\.triage.lineCount, "How many it has."),
    "findings": .value(\.triage.findings, "Kinds of trouble."),
    "unknownErrors": .value(
      { $0.triage.unknownErrors.map(\.description) }, "Errors that modelc does not know."),
    "stores": .value(\.stores, "Stores whose hashes are printed."),
    "checksums": .list(\.checksums, of: checksum, "Version checksums that are printed."),
    "digests": .list(\.digests, of: digest, "Hashes without the name of an entity."),
    "systemStores": .list(
      \.triage.systemStores, of: systemStore, "Stores of the system, whose errors are not findings."),
    "modelsSearched": .value({ $0.models.map(\.name) }, "In which hashes were looked for."),
    "paths": .value(\.triage.stores, "Stores that are named."),
    "diagnostics": .diagnostics(\.diagnostics),
  ])

  private static let digest = JSONObject<RecognisedDigest>(
    "printedDigest", "A hash, and the entities that have it."
  ).adding([
    "beginning": .value(\.digits.beginning, "Its first digits, hexadecimal."),
    "end": .value(\.digits.end, "Its last digits, where it is shortened."),
    "entities": .list(\.entities, of: digestEntity),
  ])

  private static let digestEntity = JSONObject<(name: String, versions: [RecognisedVersion])>(
    "digestEntity", "An entity with that hash."
  ).adding(["entity": .value(\.name), "versions": .list(\.versions, of: RecognisedVersion.printed)])

  private static let systemStore = JSONObject<(owner: String, line: Int, count: Int)>(
    "systemStore", "A store of the system."
  ).adding([
    "owner": .value(\.owner, "The app or service."), "line": .value(\.line),
    "count": .value(\.count, "How many lines."),
  ])

  private static let checksum = JSONObject<(checksum: String, versions: [RecognisedVersion])>(
    "printedChecksum", "A version checksum, and whose it is."
  ).adding(["checksum": .value(\.checksum), "versions": .list(\.versions, of: RecognisedVersion.printed)])

  static let refusal = JSONShape.refusal.adding(
    "logRefusal", "A log that cannot be read.", ["log": .text("The log, as it was named.")])
}

extension LogTriage.Finding: JSONResult {
  fileprivate func lines(number: Int) -> [String] {
    let errors = errors.isEmpty ? "" : " (\(errors.map(\.description).joined(separator: ", ")))"
    let times = count > 1 ? ", \(count) times" : ""
    var lines = ["\(number). \(kind.title)\(errors), line \(line)\(times)", "   > \(excerpt)"]
    lines += paragraph(kind.meaning)
    lines += paragraph("What is lost: \(kind.loss)")
    // A command stays on one line, to be pasted.
    lines += runnableAdvice.map { "   - \($0)" }
    if !kind.codes.isEmpty {
      let commands = kind.codes.map { "`modelc explain \($0)`".runnable }
      lines.append("   More: \(commands.joined(separator: ", "))")
    }
    return lines
  }

  private func paragraph(_ text: String) -> [String] {
    wrapped(text, width: proseWidth - 4).map { "   " + $0 }
  }

  /// What to do, with commands that run here.
  var runnableAdvice: [String] { kind.advice.map(\.runnable) }

  static let result = JSONObject<Self>("logFinding", "A kind of problem in the log.").adding([
    "kind": .value(\.kind.name, "Its name."), "title": .value(\.kind.title),
    "errors": .value({ $0.errors.map(\.description) }, "Error domains and codes."),
    "line": .value(\.line, "Where it was first."), "count": .value(\.count, "How often."),
    "excerpt": .value(\.excerpt), "whatItMeans": .value(\.kind.meaning),
    "ifNothingIsDone": .value(\.kind.loss), "whatToDo": .value(\.runnableAdvice, "One step each."),
    "codes": .value(\.kind.codes, "modelc's own codes for it."),
  ])
}

extension [RecognisedVersion] {
  fileprivate var names: String { map { "\($0.versionName) of \($0.modelName)" }.joined(separator: " or ") }
}

extension PrintedRecognition: JSONResult {
  /// Which versions a log's hashes are of.
  func lines(hasModels: Bool) -> [String] {
    let count = counted(printed.digits.count, "entity", plural: "entities")
    let entities = count + (printed.isClosed ? "" : ", and the log is cut there")
    let digits = isWhole ? "all their digits" : "the digits that it prints"
    guard versions.isEmpty else {
      return ["  \(entities): \(versions.names), by \(digits)"]
        + (differingFromCurrent.isEmpty
          ? [] : ["  different in the current version: \(differingFromCurrent.joined(atMost: 6))"])
    }
    guard hasModels else { return ["  \(entities): there is no model here to compare it with"] }
    let unknown = "  \(entities): of no known version" + (isWhole ? "" : "; none has \(digits)")
    guard let nearest else { return [unknown] }
    return [
      unknown,
      "  nearest: \(nearest.versionName) of \(nearest.modelName), \(nearest.equal) equal; "
        + "different: \(nearest.differing.joined(atMost: 6))",
    ]
  }

  static let result = JSONObject<Self>("printedStore", "A store whose version hashes a log prints.").adding([
    "entities": .value(\.printed.digits.count, "How many hashes are printed."),
    "whole": .value(\.isWhole, "Whether all digits are."),
    "closed": .value(\.printed.isClosed, "Whether the list ends."),
    "line": .value(\.printed.line, "Where it begins."),
    "versions": .list(\.versions, of: RecognisedVersion.printed, "Versions that have them."),
    "differingFromCurrent": .value(
      \.differingFromCurrent, "Entities that the current version has otherwise."),
    "nearest": .value(\.nearest, orNullAs: nearestVersion),
  ])

  /// The object of `inspect LOG`.
  static let ofLog = JSONObject<(log: String, stores: [Self])>(
    "log", "A text that prints the version hashes of a store."
  ).adding(["log": .value(\.log, "The file, as it was named."), "stores": .value(\.stores)])

  private static let nearestVersion = JSONObject<Nearest>("nearestPrinted", "The version that is nearest.")
    .adding([
      "model": .value(\.modelName), "version": .value(\.versionName),
      "equal": .value(\.equal, "Entities with equal hashes."),
      "differing": .value(\.differing, "The others."),
    ])
}

extension RecognisedVersion {
  fileprivate static let printed = JSONObject<Self>("printedVersion", "A version of a model.")
    .adding(["model": .value(\.modelName), "version": .value(\.versionName)])
}

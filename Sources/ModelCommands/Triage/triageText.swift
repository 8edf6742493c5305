import ManagedModel
import PersistentStore
import StoreRepair

extension TriageAnswer {
  /// As a person reads it.
  var text: String {
    let kinds = counted(triage.findings.count, "kind") + " of trouble"
    var lines = ["\(log): \(kinds) in \(counted(triage.lineCount, "line"))"]
    for (index, finding) in triage.findings.enumerated() { lines += [""] + finding.lines(number: index + 1) }
    if !triage.unknownErrors.isEmpty {
      let errors = triage.unknownErrors.map(\.description).joined(separator: ", ")
      lines += ["", "errors that no kind explains: \(errors)"]
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
      lines.append("line \(store.printed.line) prints the version hashes of a store or a model:")
      lines += store.lines(hasModels: !models.isEmpty) + advice(on: store)
    }
    for checksum in checksums { lines.append("the checksum \(checksum.checksum): \(checksumText(checksum))") }
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
    guard !digest.entities.isEmpty else { return "the hash \(shown): of no entity of a known version" }
    let entities = digest.entities.map { entity in
      let first = entity.versions.first.map { "\($0.versionName) of \($0.modelName)" } ?? ""
      let last = entity.versions.last.map(\.versionName) ?? ""
      let count = entity.versions.count
      return "'\(entity.name)' in \(count > 1 ? "\(count) versions, \(first) to \(last)" : first)"
    }
    return "the hash \(shown): \(entities.joined(separator: ", "))"
  }

  private func checksumText(_ checksum: RecognisedChecksum) -> String {
    if !checksum.versions.isEmpty { return checksum.versions.names }
    return models.isEmpty ? "there is no model here to compare it with" : "of no known version"
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
}

extension LogTriage.Finding {
  fileprivate func lines(number: Int) -> [String] {
    let errors = errors.isEmpty ? "" : " (\(errors.map(\.description).joined(separator: ", ")))"
    let times = count > 1 ? ", \(count) times" : ""
    var lines = ["\(number). \(kind.title)\(errors), line \(line)\(times)", "   > \(excerpt)"]
    lines += paragraph(kind.meaning)
    lines += paragraph("If nothing is done: \(kind.loss)")
    // A command stays on one line, to be pasted.
    lines += runnableAdvice.map { "   - \($0)" }
    if !kind.codes.isEmpty {
      let commands = kind.codes.map { "`modelc explain \($0)`".runnable }
      lines.append("   More: \(commands.joined(separator: ", "))")
    }
    return lines
  }

  private func paragraph(_ text: String) -> [String] { wrapped(text, width: 96).map { "   " + $0 } }

  /// What to do, with commands that run here.
  var runnableAdvice: [String] { kind.advice.map(\.runnable) }
}

extension [RecognisedVersion] {
  fileprivate var names: String { map { "\($0.versionName) of \($0.modelName)" }.joined(separator: " or ") }
}

extension PrintedRecognition {
  /// Which versions a log's hashes are of.
  func lines(hasModels: Bool) -> [String] {
    let count = counted(printed.digits.count, "entity", plural: "entities")
    let entities = count + (printed.isClosed ? "" : ", and the log is cut there")
    let digits = isWhole ? "all their digits" : "the digits that it prints"
    guard versions.isEmpty else {
      return ["  \(entities): \(versions.names), by \(digits)"]
        + (differingFromCurrent.isEmpty
          ? [] : ["  different in the current version: \(firstNames(differingFromCurrent))"])
    }
    guard hasModels else { return ["  \(entities): there is no model here to compare it with"] }
    let unknown = "  \(entities): of no known version" + (isWhole ? "" : "; none has \(digits)")
    guard let nearest else { return [unknown] }
    return [
      unknown,
      "  nearest: \(nearest.versionName) of \(nearest.modelName), \(nearest.equal) equal; "
        + "different: \(firstNames(nearest.differing))",
    ]
  }
}

/// A few of the names, and how many more there are.
private func firstNames(_ names: [String]) -> String {
  names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and \(names.count - 6) more" : "")
}

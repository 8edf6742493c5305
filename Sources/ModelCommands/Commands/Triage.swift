import ArgumentParser
import Foundation
import ManagedModel
import ReleaseChecks
import StoreRepair

struct Triage: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explain what a log says about a store that does not open: what it means, what to do.",
    discussion: """
      Reads an app's console log, a crash report or a printed error, of any size. The version hashes in it are looked for \
      among the project's versions and in the history of its repository, even if only some digits are printed. Exits \
      with 1 if the log says nothing about a store or a model.
      """)

  @OptionGroup var project: ProjectFolderOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: "The log; - for standard input.")
  var file: String

  var refusalHead: JSONValue { ["log": .string(file)] }

  func work() throws {
    let triage = try readLog(file, kinds: logKinds)
    let (models, findings) = project.modelsAtHand()
    let stores = triage.printed.map { recogniseStore(printed: $0, among: models) }
    var answer = TriageAnswer(
      log: file, triage: triage, stores: stores, checksums: [],
      digests: triage.digests.map { RecognisedDigest($0, among: models) }, models: models,
      diagnostics: findings)
    for text in triage.checksums { answer.add(text) }
    let search = history.search(project.project)
    answer.diagnostics += stores.filter(\.versions.isEmpty).flatMap { store in
      search.findings(of: file) { store.printed.fit($0.entityVersionHashesByName) }
    }
    if triage.saysNothing || triage.isStore { answer.diagnostics.append(.saysNothing(file, triage)) }
    // A log of a simulator names stores that are here.
    RunContext.with({ $0.commands.store = triage.stores.first(where: \.isSQLiteFile) }) {
      output.report(answer.diagnostics)
      output.print(answer.json, else: answer.text)
    }
    if answer.diagnostics.hasErrors { throw ExitCode(exitStatus(for: answer.diagnostics)) }
  }
}

/// Reads a log, `-` for standard input.
func readLog(_ path: String, kinds: [LogKind]) throws -> LogTriage {
  if path == "-" {
    return try triageLog(kinds: kinds, systemStores: systemStores) {
      try FileHandle.standardInput.read(upToCount: $0)
    }
  }
  try path.requireFile()
  guard isFolder(URL(filePath: path)) != true, let handle = FileHandle(forReadingAtPath: path) else {
    throw DiagnosticsError(
      .fileUnreadable, "'\(path)' cannot be read as a log",
      help: ["name a readable text file; in a folder, name the file itself"])
  }
  defer { try? handle.close() }
  return try triageLog(kinds: kinds, systemStores: systemStores) { try handle.read(upToCount: $0) }
}

extension Diagnostic.Code { static let logSaysNothing = Self("MC0015") }

extension Diagnostic {
  fileprivate static func saysNothing(_ path: String, _ triage: LogTriage) -> Self {
    if triage.isStore {
      return Self(
        .logSaysNothing, .error, "'\(path)' is not a log but a SQLite file",
        help: ["look at it: `modelc inspect \(path.shellWord)`"])
    }
    let what = triage.isText ? "says nothing about a store or a model" : "is not text"
    return Self(
      .logSaysNothing, .error, "'\(path)' \(what)",
      notes: ["it has \(counted(triage.lineCount, "line")) and \(Int64(triage.byteCount).humanSize)"],
      help: [
        "take the lines around the failure, beginning with 'CoreData: error', or print the error with its userInfo"
      ])
  }
}

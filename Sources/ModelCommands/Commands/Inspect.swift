import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import PersistentStore
import ReleaseChecks
import StoreRepair

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what a store or a model is.",
    discussion: "Never writes: a store is left without a trace, even while an app has it open.")

  @OptionGroup var project: ProjectFolderOptions
  @OptionGroup var output: OutputOptions

  @Flag(
    help:
      "Also count the rows and bytes of a large store, by reading all of it; small ones are always counted.")
  var count = false

  @Option(
    help: .text(
      """
      Print the SQL of a fetch request of the store's model, and how SQLite would run it. As a command with {} and \
      {file} ('aws s3 cp {} {file}'): fetch each store with it, if the names are not local files.
      """, "name"))
  var fetch: String?

  @Option(
    help: .text(
      """
      Compare the store's hashes with those of a model, entity by entity; exits with 1 if one differs. Shows whether modelc \
      reads Swift source correctly.
      """, "model"))
  var against: String?

  @OptionGroup var history: HistoryOptions
  @OptionGroup var fleet: FleetOptions

  @Flag(
    name: .customLong("history"),
    help: "Summarize a store's persistent history: who saved, when, and how much of what.")
  var showsHistory = false

  @Flag(
    name: .customLong("sizes"),
    help:
      "Show what takes up space in a store, largest first, and the objects that no longer have an owner; reads all of it."
  )
  var showsSizes = false

  @Flag(name: .customLong("model"), help: "Print the model that a store itself contains, as YAML.")
  var showsModel = false

  @Argument(
    help: .text(
      "Stores, folders of them, .momd bundles, .xcdatamodeld packages, also REV:path, apps: .app, .ipa, .xcarchive.",
      "path"))
  var paths: [String] = []

  func validate() throws {
    try refuse(paths.isEmpty && fleet.list == nil, "name a store or a bundle")
    let asked = [against != nil, fetch != nil && transport == nil, showsHistory, showsSizes, showsModel]
    try refuse(
      asked.count { $0 } > 1,
      "--against, --fetch, --history, --sizes and --model exclude each other: run them separately")
    _ = try fleet.areSeveralRead(paths)
  }

  func run() throws {
    // A store can be looked at without any model; one that was named or is there, and cannot be read, is a finding.
    var (models, findings) = ([VersionedModel](), [Diagnostic]())
    if !showsModel, against == nil, paths.isEmpty || !paths.allSatisfy(isBundle) {
      (models, findings) = project.modelsAtHand()
    }
    if fleet.isGiven || transport != nil { return try runFleet(models, findings) }
    let history = history.search(project.project)
    var objects: [JSONValue] = []
    var worst: Int32 = 0
    for path in paths {
      do {
        let shown = try inspect(path, among: models, findings, history)
        objects.append(shown.json)
        if shown.hasErrors, worst == 0 { worst = 1 }
      } catch {
        let (diagnostics, code) = output.explain(error)
        output.report(diagnostics)
        objects.append(["store": .string(path), "diagnostics": .array(diagnostics.map(\.json))])
        if worst == 0 { worst = code }
      }
    }
    output.report(findings)
    if output.writesJSON { output.print(.oneOrSeveral(objects)) }
    if worst == 0 { worst = exitStatus(for: findings) }
    if worst != 0 { throw ExitCode(worst) }
  }

  /// No fetch request has such a name.
  private var transport: StoreTransport? {
    fetch.flatMap { $0.contains("{file}") ? StoreTransport(fetch: $0, put: nil) : nil }
  }

  /// The same for many: what is printed for each stands in its record; git's history is not searched.
  private func runFleet(_ models: [VersionedModel], _ findings: [Diagnostic]) throws {
    output.report(findings)
    var inspect = self
    inspect.output.format = .json
    if transport != nil { inspect.fetch = nil }
    try Fleet(
      options: fleet, stores: paths, output: output, transport: transport,
      isDone: { $0.status == .inspected }
    ).run { [inspect] store in
      let (record, hasErrors) = try inspect.inspect(store.file, among: models, findings, VersionSearch(nil))
      // Of several versions with the same hashes each is named.
      let versions: [JSONValue] = if case .array(let names)? = record["versions"] { names } else { [] }
      return FleetResult(
        store: store.name, status: hasErrors ? .failed : .inspected, code: hasErrors ? 1 : 0, record: record,
        message: versions.compactMap { if case .string(let name) = $0 { name } else { nil } }
          .joined(separator: ", "))
    }
  }

  /// Whether the path is that of a model, not of a store.
  func isBundle(_ path: String) -> Bool {
    path.isModelPath || path.isModelFolder || path.isExistingFolder && path.isSwiftSource
  }

  private func inspect(
    _ path: String, among models: [VersionedModel], _ findings: [Diagnostic], _ history: VersionSearch
  ) throws -> (json: JSONValue, hasErrors: Bool) {
    if let against { return try compare(path, against: against) }
    if showsModel { return (try showModel(of: path), false) }
    if showsHistory { return (try showHistory(of: path, among: models), false) }
    if showsSizes { return (try showSizes(of: path, among: models), false) }
    if ModelSourceKind(path) == .build { return try inspectBuild(path) }
    if isBundle(path) {
      try path.requireFile()
      let (model, diagnostics) = project.project.reader.read(path)
      guard let model else { throw DiagnosticsError(diagnostics) }
      output.report(diagnostics)
      if !output.writesJSON { output.print(model.summary(ofModelAt: path)) }
      return (VersionedModel.result.json(of: (path, model)), diagnostics.hasErrors)
    }
    if path.isExistingFolder { return (try inspectFolder(path, among: models), false) }
    let connection: StoreConnection
    do {
      connection = try openStore(path, among: models)
    } catch let error as DiagnosticsError {
      // A pipe would be waited for.
      guard error.diagnostics.first?.code == .notASQLiteFile, FileFacts(ofFileAt: path)?.isRegular == true,
        let log = try inspectLog(path, among: models)
      else { throw error }
      return (log, false)
    }
    var (inspection, explained) = try connection.read { db in
      let inspection = try inspectStore(
        db, among: models, path: connection.file.path, counting: count ? .exact : .automatic)
      return (inspection, try fetch.map { try explain($0, inspection, db) })
    }
    // A store that nothing may be written beside is read as if it had no log.
    if connection.file.usesWAL { inspection.journalMode = "wal" }
    try connection.close()
    if let explained {
      if !output.writesJSON { output.print(explained.text(path: path)) }
      return (FetchExplanation.ofStore.json(of: (path, explained)), false)
    }
    if inspection.recognition.versions.isEmpty {
      inspection.diagnostics += history.findings(of: path, inspection.metadata)
    }
    if !output.writesJSON {
      output.print(inspection.text(path: path, hasModels: !models.isEmpty))
      output.report(inspection.diagnostics)
    }
    inspection.diagnostics += findings
    return (StoreInspection.result.json(of: (path, inspection)), false)
  }

  private func explain(
    _ name: String, _ inspection: StoreInspection, _ db: StoreDatabase
  ) throws -> FetchExplanation {
    guard let model = inspection.model else {
      throw UsageError(
        .unknownKeyPath, "the store matches no version and contains no model, so '\(name)' is not known",
        help: ["name the project that has its model with `-C`"])
    }
    let requests = model.namedFetchRequests
    guard let request = requests.first(where: { $0.name == name }) else {
      let names = requests.map(\.name)
      throw UsageError(
        .unknownKeyPath, "the store's model has no fetch request '\(name)'",
        notes: names.isEmpty
          ? ["it has none at all"] : ["it has \(names.map { "'\($0)'" }.joined(separator: ", "))"],
        help: .didYouMean(name, among: names))
    }
    return try db.explain(request, schema: inspection.schema, model: model)
  }

  /// What a log says of a store: which versions have the hashes that it prints.
  ///
  /// - Returns: nil if the file is not text, or prints none.
  func inspectLog(_ path: String, among models: [VersionedModel]) throws -> JSONValue? {
    let log = try readLog(path, kinds: [])
    let found = log.printed.map { recogniseStore(printed: $0, among: models) }
    guard log.isText, !found.isEmpty else { return nil }
    if !output.writesJSON {
      let advice = "  what else it says: `modelc triage \(path.shellWord)`"
      output.print(
        ([path + ": not a store, but a text with the version hashes of one"]
          + found.flatMap { $0.lines(hasModels: !models.isEmpty) } + [advice.runnable]).shownLines)
    }
    return PrintedRecognition.ofLog.json(of: (path, found))
  }

  /// Prints a store's own model, or a bundle's current one, as YAML.
  ///
  /// A store may keep an old model that was left behind; it is shown, and said not to be trusted.
  func showModel(of path: String) throws -> JSONValue {
    if isBundle(path) {
      let (bundle, diagnostics) = project.project.reader.read(path)
      output.report(diagnostics)
      guard let bundle, let model = bundle.currentVersion?.model else { throw DiagnosticsError(diagnostics) }
      return show(model, of: path, isTrusted: true, diagnostics)
    }
    let stored = try readStoreModel(at: path).cached
    switch stored {
    case .trusted(let model): return show(model, of: path, isTrusted: true, [])
    case .untrusted(let model, _):
      let findings = [stored.finding(ofStore: path, .warning)]
      output.report(findings)
      return show(model, of: path, isTrusted: false, findings)
    case .absent, .unreadable: throw DiagnosticsError(stored.finding(ofStore: path, .error))
    }
  }

  private func show(
    _ model: ManagedObjectModel, of path: String, isTrusted: Bool, _ findings: [Diagnostic]
  ) -> JSONValue {
    let yaml = writeModel(model)
    if !output.writesJSON {
      // The file's own line says it too, for whoever keeps the text.
      let remark = isTrusted ? "" : "# Not trusted: its hashes are not those of the store.\n"
      output.print(data: (remark + yaml).trimmingCharacters(in: .newlines))
    }
    return Self.carriedModel.json(of: (path, isTrusted, yaml, findings))
  }

  static let carriedModel = JSONObject<
    (store: String, isTrusted: Bool, yaml: String, findings: [Diagnostic])
  >("carriedModel", "The model that a store contains.").adding([
    "store": .store(\.store), "trusted": .value(\.isTrusted, "Whether the store's hashes confirm it."),
    "model": .value(\.yaml, "A version file, in YAML."), "diagnostics": .diagnostics(\.findings),
  ])
}

extension VersionedModel {
  /// For `inspect`: its versions with their checksums.
  func summary(ofModelAt path: String) -> String {
    let table = TextTable(
      .left, .right, .left,
      rows: versions.map { version in
        let entities = counted(version.entityVersionHashesByName.count, "entity", plural: "entities")
        return [version.name, entities, version.versionChecksum]
      })
    return ([head(at: path)] + table.lines(indent: 2)).shownLines
  }
}

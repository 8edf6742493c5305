import ArgumentParser
import Foundation
import ManagedModel
import ModelMigration
import ReleaseChecks

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write models and objects in formats that other tools and people read.",
    discussion: """
      xcdatamodeld: Xcode's model, with all versions or one (V4, App.momd#V4). In an existing package only what \
      was edited changes: git shows no other difference. A package with versions that the project does not have is refused.

      momd: the compiled bundle.

      xcmappingmodel: the mapping of a step, V1-V2, for Xcode, as `modelc map export` writes it; without a name, of every \
      step that has a mapping file.

      swift: a file for each version (or for one) with a type for each entity, V4.Hut, so that the compiler checks \
      what a migration policy names.

      swiftdata: Swift source for SwiftData, a VersionedSchema with its classes for each version (or for one), and the \
      SchemaMigrationPlan. What SwiftData cannot express is reported, and whether that changes version hashes. Files with \
      other content are not changed.

      json-schema: the JSON Schemas of version files, versions.yaml and mapping models, by which editors complete and \
      check them; written to Models/Schemas, where the first line of each file refers to them.

      yaml, jsonl: the objects of a store, by entity and primary key, references as Entity/p1. `modelc fixture \
      --objects` makes a store of the YAML file. jsonl has one object per line and takes stores of any size.

      sqlite, csv, views: the objects as plain tables, with the model's names, ISO dates, UUIDs as text and references as \
      hut_id: a SQLite file, a folder of CSV files, or SQL with temporary views over the store itself. A table holds the \
      objects of an entity and those below it; these are views of their own. In CSV a text that begins with =, +, - or @ is \
      written as it is, and a spreadsheet takes it for a formula; --csv-safe writes an apostrophe before it.

      html: a model with all its versions as one page for a browser, without a server or a network: a diagram to pan, \
      zoom and search, every entity's facts, and what each step changes, drops and needs.

      site: a folder for GitHub Pages or any server of files: an index, and for each model that page, a picture, and its tables \
      and columns for people who query stores.

      mermaid, dot, svg: a picture of a version, or of what a step (V3-V4) changes; Mermaid for Markdown on GitHub, DOT \
      for Graphviz. dbml: the plain tables of a version, for dbdiagram.io.

      ckdb: the CloudKit schema that mirroring needs for a version, for `cktool import-schema`; of a step (V3-V4), or \
      with --since, only what is new. A field that would change its type is an error: in production a schema only grows. \
      What Apple does not document is marked by comments.
      """)

  @OptionGroup var project: ProjectOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var fleet: FleetOptions
  @OptionGroup var fetch: FetchOptions

  @Option(
    name: .customLong("as"),
    help: """
      What to write: xcdatamodeld, momd, xcmappingmodel, swift, swiftdata or json-schema; a picture as html, site, mermaid, \
      dot, svg or dbml; CloudKit's schema as ckdb; or the objects of a store as yaml, jsonl, sqlite, csv or views.
      """
  )
  var kind: ExportForm

  @Option(
    name: [.customShort("o")],
    help: .text(
      """
      The folder to write to, created if absent, or the package itself, by its extension; by default the project's \
      Build. For objects and pictures the file, instead of standard output; for the objects of several stores a folder, in which \
      each store's file has the store's path.
      """, "path"))
  var outputPath: String?

  @Flag(
    name: .customLong("with-files"),
    help: "In plain tables, write the contents of external data files instead of their paths.")
  var withFiles = false

  @Flag(help: "In CSV: write an apostrophe before texts that a spreadsheet would read as formulas (= + - @).")
  var csvSafe = false

  @Flag(help: "With --as json-schema: the layout of schemastore.org, below -o.")
  var schemastore = false

  @Option(
    help: .text(
      """
      With --as json-schema: the schema of a result instead, to standard output or to -o; all of them with 'all' into \
      the folder -o.
      """, "result"))
  var of: ResultChoice?

  @Option(
    help: .text(
      "With --as ckdb: write only what this schema, written by `cktool export-schema`, lacks.", "ckdb"))
  var since: String?

  @Argument(
    help: .text(
      """
      A model, by name or path, or one version; by default all models of the project. For mappings the step, for objects \
      the store; for pictures and ckdb a version or a step.
      """, "source"))
  var source: String?

  func validate() throws {
    if fleet.isGiven || fetch.fetch != nil {
      _ = try fleet.areSeveralRead(source.map { [$0] } ?? [])
      try refuse(
        !kind.isOfObjects || outputPath == nil,
        "of several stores the objects are written: --as yaml, jsonl, sqlite, csv or views, -o FOLDER")
    } else {
      try refuse(kind.isOfObjects && source == nil, "name the store whose objects to write")
    }
    try refuse(
      outputPath == "" || (kind == .sqlite || kind == .csv) && outputPath == nil,
      "-o names the \(kind == .csv ? "folder" : "file") to write")
    try refuse(withFiles && kind != .sqlite && kind != .csv, "--with-files is for --as sqlite and --as csv")
    try refuse(csvSafe && kind != .csv, "--csv-safe is for --as csv")
    try refuse(kind == .jsonSchema && source != nil, "the schemas are those of all models")
    try refuse(
      kind != .jsonSchema && (of != nil || schemastore), "--of and --schemastore are for --as json-schema")
    try refuse(of != nil && schemastore, "--of and --schemastore exclude each other")
    try refuse(since != nil && kind != .ckdb, "--since is for --as ckdb")
    try refuse(
      outputPath == nil && (of?.isAll == true || schemastore || kind == .site),
      "-o names the folder to write to")
  }

  func run() throws {
    if fleet.isGiven || fetch.fetch != nil { return try exportFleet() }
    if kind.isOfObjects, let source { return try export(source) }
    if kind == .ckdb { return try write { try project.project.cloudKitSchema(of: source, since: since) } }
    if kind.isPicture { return try write { try project.project.diagram(of: source, as: kind) } }
    try output.run {
      switch kind {
      case .xcdatamodeld, .momd:
        let exports = try project.project.exportModels(source, as: kind, to: place)
        let lines = exports.map { $0.model.head(at: $0.path) }
        output.print(written: exports.map(\.path), lines.shownLines, exports.flatMap(\.diagnostics).ordered)
      case .xcmappingmodel:
        output.print(
          try project.project.exportMappings(source.map { [$0] } ?? [], to: outputPath, overwrites: false))
      case .swift:
        let files = try project.project.exportSwift(source, to: place)
        output.print(written: files, files.shownLines)
      case .swiftdata:
        let (files, findings) = try project.project.exportSwiftData(source, to: place)
        output.print(written: files, files.shownLines, findings)
      case .site:
        let (pages, findings) = try project.project.modelPages(of: source)
        try output.write(ModelSite(pages: pages).files(in: outputPath ?? ""), findings)
      case .jsonSchema, .yaml, .jsonl, .sqlite, .csv, .views, .html, .mermaid, .dot, .svg, .dbml, .ckdb:
        if let of { return try writeSchemas(of: of) }
        try output.write(
          schemastore
            ? schemaStoreFiles(in: outputPath ?? "")
            : schemaFiles(in: outputPath ?? project.project.schemaFolder()))
      }
    }
  }

  private func writeSchemas(of choice: ResultChoice) throws {
    let target = outputPath ?? ""
    let files = choice.results.map {
      ProjectFile(path: choice.isAll ? join(target, $0.fileName) : target, text: $0.schema)
    }
    guard outputPath != nil else { return output.print(data: files.map(\.text).joined()) }
    try output.write(files)
  }

  private func write(_ content: () throws -> (text: String, findings: [Diagnostic])) throws {
    try output.run {
      let (text, findings) = try content()
      if let outputPath {
        try ProjectFile(path: outputPath, text: text.hasSuffix("\n") ? text : text + "\n").write(
          isNamed: true)
        output.print(written: [outputPath], "Wrote \(outputPath)", findings)
      } else {
        output.report(findings)
        output.print(data: text)
      }
      if kind == .ckdb, findings.hasErrors { throw ExitCode(1) }
    }
  }

  private var place: String { outputPath ?? project.project.buildFolder }

  /// Of a store: its objects, in a file or as text.
  private func export(_ store: String) throws {
    try output.run(json: ["store": .string(store)]) {
      let (written, findings) = try endingOnSignals("export", output) { monitor in
        try write(store, models, to: outputPath, monitor)
      }
      output.report(findings)
      guard let outputPath else { return }
      if output.writesJSON { output.print(written.json) }
      output.say("Wrote \(written.text) of \(store) to \(outputPath)")
    }
  }

  private func exportFleet() throws {
    let (export, models, folder) = (self, models, outputPath ?? "")
    try Fleet(
      options: fleet, stores: source.map { [$0] } ?? [], output: output,
      transport: fetch.transport(), isDone: { $0.status == .exported }
    ).run { store in
      let path = store.name.split(separator: "/").filter { $0 != "." && $0 != ".." }.joined(separator: "/")
      let place = join(folder, "\(path).\(export.kind.rawValue)")
      try FileManager.default.createDirectory(atPath: place.parentPath, withIntermediateDirectories: true)
      let (written, findings) = try export.write(store.file, models, to: place, store.monitor)
      return FleetResult(
        store: store.name, status: .exported, record: written.json,
        message: "\(written.text) in \(place)" + (findings.isEmpty ? "" : ", \(summary(of: findings))"))
    }
  }

  /// A store with a model of its own needs no project.
  private var models: [VersionedModel] { (try? project.project.readModels())?.models ?? [] }

  /// - Returns: what was written, for people and programs.
  private func write(
    _ store: String, _ models: [VersionedModel], to place: String?, _ monitor: MigrationMonitor
  ) throws -> (written: (text: String, json: JSONValue), findings: [Diagnostic]) {
    if kind.isPlain {
      if let place, FileManager.default.fileExists(atPath: place) { throw UsageError(.taken(place)) }
      let export = PlainExport(
        store: store, models: models, withFiles: withFiles, isCSVSafe: csvSafe, monitor: monitor)
      let (rows, findings) = try export.write(kind, to: place)
      let json = Self.written("rows").json(of: (store, place ?? "", rows, findings))
      return ((kind == .views ? "views" : counted(rows, "row"), json), findings)
    }
    let sink = try TextSink(place)
    let (count, findings) = try exportObjects(ofStoreAt: store, as: kind, among: models) {
      try monitor.checkCancellation()
      try sink.write($0)
    }
    try sink.finish()
    let json = Self.written("objects").json(of: (store, place ?? "", count, findings))
    return ((counted(count, "object"), json), findings)
  }

  typealias Written = (store: String, file: String, count: Int, findings: [Diagnostic])

  /// - Parameter unit: `objects` or `rows`.
  static func written(_ unit: String) -> JSONObject<Written> {
    JSONObject<Written>("\(unit)Written", "A store's \(unit), written to a file.").adding([
      "store": .store(\.store), "written": .value(\.file, "The file."), unit: .value(\.count, "How many."),
      "diagnostics": .diagnostics(\.findings),
    ])
  }
}

import ArgumentParser
import ManagedModel
import ModelMigration
import PersistentStore
import ReleaseChecks

struct Query: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read a store's objects by a predicate.",
    discussion: """
      modelc query Trails.sqlite 'Visit WHERE hut.name BEGINSWITH "A" ORDER BY date DESC LIMIT 20'

      [SELECT value, … FROM] Entity [WHERE predicate] [GROUP BY value, …] [ORDER BY value [DESC], …] [LIMIT number]

      Predicates and values are Core Data's, with the meaning of a fetch request: hut.name follows a relationship, \
      visits.@count counts one. @count, @sum.key, @avg.key, @min.key and @max.key alone are about a group, or about all \
      objects without GROUP BY. Hut/p3, as rows print an object, stands for it: hut == Hut/p3.

      In a spreadsheet a text that begins with =, +, - or @ is a formula; --csv-safe writes an apostrophe before it.

      The store is left without a trace, even while an app has it open. Ctrl-C stops a query.
      """)

  @OptionGroup var project: ProjectFolderOptions

  @Option(help: "How the rows are written: table, json, jsonl or csv.")
  var format: QueryFormat = .table

  @Flag(help: "In CSV: write an apostrophe before texts that a spreadsheet would read as formulas (= + - @).")
  var csvSafe = false

  @OptionGroup var terminal: TerminalOptions

  @Flag(help: "Print the query's SQL, SQLite's plan and how many rows it may read, without running it.")
  var explain = false

  @Argument(help: "The store.")
  var store: String

  @Argument(help: "What to read.")
  var query: String

  func validate() throws {
    try refuse(csvSafe && format != .csv, "--csv-safe is for --format csv")
    try refuse(explain && format == .csv, "--explain prints text, or an object with --format json")
  }

  var output: OutputOptions {
    // Lines are rows; a refusal among them would be none.
    terminal.output(json: format == .json || (explain && format == .jsonl))
  }

  var refusalHead: JSONValue { ["store": .string(store)] }

  func work() throws {
    let query = try parseObjectQuery(query)
    // A store with a model of its own needs no project.
    let models = (try? project.project.readModels())?.models ?? []
    do {
      let connection = try openStore(store, among: models)
      // Also with JSON, which is rows alone.
      terminal.output(json: false).report(connection.file.examineLog())
      try connection.read { db in try read(query, db, among: models) }
    } catch let error as DiagnosticsError where error.diagnostics.first?.code == .budgetExceeded {
      let command = "modelc query \(store.shellWord) \(self.query.shellWord)\(project.arguments) --explain"
      throw DiagnosticsError(
        error.diagnostics.map { $0.with { $0.help = ["`\(command)` shows what it reads; narrow it"] } })
    }
  }

  private func read(_ query: ObjectQuery, _ db: StoreDatabase, among models: [VersionedModel]) throws {
    let source = try db.readStoreSource(path: store, among: models)
    let compiled = try compileObjectQuery(query, schema: source.schema, model: source.version.model)
    if !output.writesJSON { output.report(compiled.findings) }
    let plan = try db.plan(compiled, schema: source.schema)
    if explain {
      return output.print(Self.plan.json(of: (store, compiled, plan)), else: planText(compiled, plan))
    }
    if plan.isLong { output.say("\(plan.costText); this may take a while; Ctrl-C stops it") }
    let writer = QueryWriter(
      format, columns: compiled.columns.map(\.name), store: store, sink: try TextSink(nil), isSafe: csvSafe)
    try endingOnSignals("query", output) { monitor in
      try db.interrupting(when: { monitor.isCancelled }) {
        try db.readRows(compiled, schema: source.schema, writer.write)
      }
    }
    try writer.finish()
  }

  static let rowShape = JSONShape.named(.anything, "A row: the query's columns by name.")

  static let plan = JSONObject<(store: String, query: CompiledQuery, plan: QueryPlan)>(
    "queryPlan", "How SQLite runs a query (--explain)."
  ).adding([
    "store": .store(\.store), "sql": .value(\.query.sql),
    "plan": .value(\.plan.lines, "SQLite's plan, a line each."), "scans": .list(\.plan.scans, of: scan),
    "rows": .value(\.plan.rowCount, "How many may be read."),
    "long": .value(\.plan.isLong, "Whether it may take long."),
    "diagnostics": .diagnostics(\.query.findings),
  ])

  private static let scan = JSONObject<QueryPlan.Scan>("scan", "A table that is read completely.")
    .adding(["table": .value(\.table), "rows": .value(\.rowCount)])
}

private func planText(_ query: CompiledQuery, _ plan: QueryPlan) -> String {
  let scans = plan.scans.map { "  reads all of \($0.table): up to \(grouped($0.rowCount)) rows" }
  let warning = plan.isLong ? ["  This may take a while. Narrow it by an indexed attribute."] : []
  return
    (["  \(query.sql)", "", "  plan:"] + plan.lines.map { "    \($0)" } + [""] + scans
    + ["  \(plan.costText)"] + warning).shownLines
}

extension QueryPlan {
  /// Some seconds' work: SQLite looks at a few million rows in one.
  fileprivate var isLong: Bool { rowCount > 10_000_000 }

  fileprivate var costText: String {
    rowCount < 1e15
      ? "about \(grouped(Int64(rowCount))) rows are read" : "the query would read too many rows"
  }
}

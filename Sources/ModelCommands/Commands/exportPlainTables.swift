import Foundation
import ManagedModel
import ModelMigration
import PersistentStore

/// Writes a store's objects as plain tables: a SQLite file, a folder of CSV files, or views of SQL over the store itself.
///
/// What is written exists only once it is complete. Cells whose content is not a value of their property are left empty and
/// reported.
struct PlainExport {
  let store: String
  let models: [VersionedModel]
  /// Whether the contents of files of external data are written, and not their paths.
  let withFiles: Bool
  /// Whether spreadsheets must not take a text of CSV for a formula.
  let isCSVSafe: Bool
  /// Can end it.
  let monitor: MigrationMonitor

  /// - Returns: how many rows there were, what was left empty, and what is in none of them.
  func write(_ form: ExportForm, to output: String?) throws -> (rows: Int, findings: [Diagnostic]) {
    try openStore(store, among: models).read { db in
      try db.interrupting(when: { monitor.isCancelled }) {
        let source = try db.readStoreSource(path: store, among: models)
        let (layout, tally) = (PlainLayout(source.schema, source.version.model), Tally(store: store))
        switch (form, output) {
        case (.sqlite, let output?): try writeSQLite(layout, db, tally, to: output)
        case (.csv, let output?):
          let folder = URL(filePath: output)
          try replaceFolder(at: folder, isNew: true) { try writeCSV(layout, db, tally, in: $0) }
        default: try writeViews(layout, to: output)
        }
        // Views are written without a look at the rows.
        let unread = form == .views ? [] : try source.findUnreadRows(db, path: store)
        return (tally.rows, unread + tally.findings)
      }
    }
  }

  private func writeSQLite(
    _ layout: PlainLayout, _ db: StoreDatabase, _ tally: Tally, to output: String
  ) throws {
    let file = try createNewStoreFile(at: privatePath(besides: output), for: output)
    try file.write { target in
      for table in layout.tables {
        try target.executeStatement(table.creation)
        let insertion = try RowStatement(target, sql: table.insertion)
        try table.forEachRow(db) { row in
          tally.add(row, to: table)
          for (place, value) in row.enumerated() {
            try insertion.bind(content(of: value, tally).plainCell(path: path), at: place)
          }
          try insertion.run()
        }
      }
      for view in layout.views {
        try target.executeStatement("CREATE VIEW \(view.name.sqlIdentifier) AS \(view.sql)")
      }
    }
    try file.finish(.rollback)
    try file.publish(at: output)
  }

  private func writeCSV(_ layout: PlainLayout, _ db: StoreDatabase, _ tally: Tally, in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for table in layout.tables {
      let sink = try TextSink(folder.appending(path: table.name + ".csv").path)
      try sink.write(table.columns.map(\.name).csvLine)
      try table.forEachRow(db) { row in
        tally.add(row, to: table)
        try sink.write(
          (row.map { value in
            if case .unreadable = value { return nil }
            let value = try content(of: value, tally)
            return isCSVSafe ? value.safeText(ofStoreAt: store) : value.csvText(ofStoreAt: store)
          }).csvLine)
      }
      try sink.finish()
    }
  }

  private func writeViews(_ layout: PlainLayout, to output: String?) throws {
    let sink = try TextSink(output)
    // Temporary views: the store is not touched, and may be opened read-only.
    try sink.write("-- sqlite3 -readonly -init FILE STORE\n")
    for view in layout.tables.map({ ($0.name, $0.ownSQL) }) + layout.views.map({ ($0.name, $0.sql) }) {
      try sink.write("CREATE TEMP VIEW \(view.0.sqlIdentifier) AS\n\(view.1);\n")
    }
    try sink.finish()
  }

  private func path(_ file: String) -> String { ExternalFolder.data.path(ofStoreAt: store) + "/" + file }

  private func content(of value: QueryValue, _ tally: Tally) throws -> QueryValue {
    guard withFiles, case .external(let file) = value else { return value }
    guard let data = try readExternalData(file, ofStoreAt: store) else {
      // A path among contents would be taken for one.
      tally.missingFiles += 1
      return .absent
    }
    return .value(.binary(data))
  }
}

/// Counts rows, and cells that are left empty.
private final class Tally {
  private let store: String
  private(set) var rows = 0
  var missingFiles = 0
  private var counts: [String: (table: String, column: String, count: Int)] = [:]

  init(store: String) { self.store = store }

  func add(_ row: [QueryValue], to table: PlainLayout.Table) {
    rows += 1
    for (column, value) in zip(table.columns, row) {
      guard case .unreadable = value else { continue }
      counts["\(table.name).\(column.name)", default: (table.name, column.name, 0)].count += 1
    }
  }

  var findings: [Diagnostic] {
    var found = counts.values.map { table, column, count in
      Diagnostic(
        .cellOfWrongType, .warning,
        "'\(column)' of \(counted(count, "row")) of '\(table)' holds no value of its type, and is left empty",
        help: ["`modelc export \(store.shellWord) --as jsonl` says what the cells hold"])
    }
    if missingFiles > 0 {
      found.append(
        .externalDataMissing, .warning,
        "\(counted(missingFiles, "file")) of external data \(missingFiles == 1 ? "is" : "are") missing: the cells are left empty",
        help: ["`modelc verify \(store.shellWord)` says which"])
    }
    return found.ordered
  }
}

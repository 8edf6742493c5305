import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Cells that no app would write: whatever the way, they come out as they went in, or are counted, or the plan refuses.
@Suite("Hostile values, on every route") struct HostileValueTests {
  private static let old: String = """
    entities:
      Note:
        attributes:
          text: string?
          link: uri?
          small: integer16?
          big: integer64?
          ratio: double?
          price: decimal?
          day: date?
          flag: boolean?
          token: uuid?
          bytes: binary?
          file: {type: binary?, externalStorage: true}

    """
  private static let added: String = Self.old + "      rank: integer16 = 3\n"
  private static let retyped: String =
    Self.old.replacing("small: integer16?", with: "small: integer32?")
    .replacing("big: integer64?", with: "big: double?").replacing("ratio: double?", with: "ratio: integer32?")
    .replacing("price: decimal?", with: "price: double?")
  private static let dropped: String = "entities:\n  Note: {attributes: {rank: integer16 = 3}}\n"

  /// A column and what stands in it, as SQL.
  struct Cell: CustomTestStringConvertible, Sendable {
    var column: String
    var value: String

    var testDescription: String { "\(column) = \(value)" }
  }

  static let cells: [Cell] = [
    Cell(column: "ZTEXT", value: "CAST(x'610062' AS TEXT)"),
    Cell(column: "ZTEXT", value: "CAST(x'00' AS TEXT)"),
    Cell(column: "ZTEXT", value: "CAST(x'61eda080' AS TEXT)"),
    Cell(column: "ZTEXT", value: "CAST(x'eda080edb080' AS TEXT)"),
    Cell(column: "ZTEXT", value: "CAST(x'ff41' AS TEXT)"),
    Cell(column: "ZTEXT", value: "CAST(x'c0af' AS TEXT)"), Cell(column: "ZTEXT", value: "x'ff'"),
    Cell(column: "ZLINK", value: "CAST(x'68ff' AS TEXT)"),
    Cell(column: "ZSMALL", value: "'twelve'"), Cell(column: "ZSMALL", value: "'12 apples'"),
    Cell(column: "ZSMALL", value: "40000"), Cell(column: "ZSMALL", value: "1e300"),
    Cell(column: "ZSMALL", value: "x'0c'"), Cell(column: "ZBIG", value: "'99999999999999999999x'"),
    Cell(column: "ZBIG", value: "1.5"), Cell(column: "ZBIG", value: "9007199254740993"),
    Cell(column: "ZRATIO", value: "9e999"), Cell(column: "ZRATIO", value: "'abc'"),
    Cell(column: "ZRATIO", value: "x'00'"), Cell(column: "ZRATIO", value: "-9e999"),
    Cell(column: "ZPRICE", value: "'NaN'"), Cell(column: "ZPRICE", value: "'Inf'"),
    Cell(column: "ZPRICE", value: "9e999"), Cell(column: "ZPRICE", value: "1e200"),
    Cell(column: "ZPRICE", value: "'1,5'"), Cell(column: "ZDAY", value: "1e300"),
    Cell(column: "ZDAY", value: "-1e15"), Cell(column: "ZDAY", value: "9e999"),
    Cell(column: "ZDAY", value: "'soon'"), Cell(column: "ZDAY", value: "9223372036854775807"),
    Cell(column: "ZFLAG", value: "2"), Cell(column: "ZFLAG", value: "'YES'"),
    Cell(column: "ZTOKEN", value: "x'0102'"), Cell(column: "ZTOKEN", value: "'E621'"),
    Cell(column: "ZBYTES", value: "'text'"), Cell(column: "ZBYTES", value: "x''"),
    Cell(column: "ZFILE", value: "x''"), Cell(column: "ZFILE", value: "x'03'"),
    Cell(column: "ZFILE", value: "x'02' || CAST('../../etc/passwd' AS BLOB) || x'00'"),
  ]

  /// The ways a step may go, and what it does.
  enum Way: CaseIterable { case inPlace, clone, newFile, statements, objects }

  private struct Outcome {
    /// By column, type and bytes.
    var cells: [String: String]?
    var said: [String] = []
    var losses: [MigrationPlan.Loss] = []
    var isRefused = false
    var planIsGreen = false
  }

  /// By primary key and column, what a cell is and its bytes; nothing for those that are null.
  private func contents(_ store: TestStore) throws -> [String: String] {
    try store.read { db in
      var found: [String: String] = [:]
      for column in try db.columns(in: "ZNOTE").map(\.name) where !column.hasPrefix("Z_") {
        let sql =
          "SELECT Z_PK, typeof(\(column)) || ' ' || hex(CAST(\(column) AS BLOB)) FROM ZNOTE WHERE \(column) IS NOT NULL"
        for row in try Row.fetchAll(db, sql: sql) { found["\(row[0] as Int64).\(column)"] = row[1] }
      }
      return found
    }
  }

  private func outcome(_ store: TestStore, _ way: Way, to second: String) throws -> Outcome {
    let isCustom = way == .statements || way == .objects
    let mapping = """
      entityMappings:
        NoteToNote: {source: Note, destination: Note}
        Extra: {source: Note, destination: Extra, attributes: {name: '"x"'}}
      """
    var trial = try CustomTrial(
      [Self.old, second + (isCustom ? "  Extra: {attributes: {name: string?}}\n" : "")],
      mappings: isCustom ? [mapping] : [])
    trial.custom.usesObjectCopy = way == .objects
    trial.options.route =
      way == .inPlace ? .inPlace : way == .clone ? .clone : .auto
    trial.options.acceptedLosses = [.narrowedNumbers, .droppedData]
    var outcome = Outcome()
    let plan = try trial.plan(store)
    outcome.planIsGreen = !plan.isBlocked
    outcome.losses = plan.losses
    outcome.said = plan.diagnostics.map { "\($0.code)" }
    do {
      let report = try trial.migrate(store)
      outcome.cells = try contents(store)
      outcome.said += report.diagnostics.map { "\($0.code)" }
    } catch let error as MigrationRefusedError {
      outcome.isRefused = true
      outcome.said += error.plan.diagnostics.map { "\($0.code)" }
    } catch let error as DiagnosticsError {
      outcome.isRefused = true
      outcome.said += error.diagnostics.map { "\($0.code)" }
    } catch let error as MigrationValidationError {
      outcome.isRefused = true
      outcome.said += error.diagnostics.map { "\($0.code)" }
    }
    return outcome
  }

  @Test func `what no decimal can be is counted, and becomes NaN`() throws {
    try withTemporaryFolder { folder in
      let second = Self.old.replacing("ratio: double?", with: "ratio: decimal?")
      let cells = ["'abc'", "x'00'", "1e300", "-9e999", "0.5"].map { Cell(column: "ZRATIO", value: $0) }
      let store = try store(cells, second, in: folder)
      let outcome = try outcome(store, .inPlace, to: second)
      #expect(outcome.losses.map(\.count) == [4])
      let found = try store.read { db in
        try String.fetchAll(db, sql: "SELECT CAST(ZRATIO AS TEXT) FROM ZNOTE ORDER BY Z_PK")
      }
      #expect(found == ["NaN", "NaN", "NaN", "NaN", "0.5"])
    }
  }

  /// A store with a note for each of the cells.
  private func store(_ cells: [Cell], _ second: String, in folder: URL) throws -> TestStore {
    let notes = cells.indices.map { ManagedObject("Note", Int64($0 + 1)) }
    let store = try CustomTrial([Self.old, second]).store(notes, in: folder)
    try store.write { db in
      for (index, cell) in cells.enumerated() {
        try db.execute(sql: "UPDATE ZNOTE SET \(cell.column) = \(cell.value) WHERE Z_PK = \(index + 1)")
      }
    }
    return store
  }

  @Test(arguments: Way.allCases) func `what stays is what it was, byte for byte`(_ way: Way) throws {
    try withTemporaryFolder { folder in
      let store = try store(Self.cells, Self.added, in: folder)
      let before = try contents(store)
      #expect(before.count == Self.cells.count)
      let outcome = try outcome(store, way, to: Self.added)
      let after = try #require(outcome.cells, "\(outcome.said)").filter { !$0.key.hasSuffix(".ZRANK") }
      #expect(after == before)
      #expect(outcome.planIsGreen && outcome.losses == [])
    }
  }

  @Test(arguments: Way.allCases) func `what goes is counted, whatever it is`(_ way: Way) throws {
    try withTemporaryFolder { folder in
      let store = try store(Self.cells, Self.dropped, in: folder)
      let outcome = try outcome(store, way, to: Self.dropped)
      #expect(outcome.cells != nil, "\(outcome.said)")
      let counted = Dictionary(uniqueKeysWithValues: outcome.losses.map { ($0.property ?? "", $0.count) })
      let stored = Dictionary(grouping: Self.cells) { $0.column.dropFirst().lowercased() }
      #expect(counted == stored.mapValues(\.count))
    }
  }

  @Test(arguments: Self.cells.filter { ["ZSMALL", "ZBIG", "ZRATIO", "ZPRICE"].contains($0.column) })
  func `what becomes another number is counted, or refused by the plan`(_ cell: Cell) throws {
    for way in Way.allCases {
      try withTemporaryFolder { folder in
        let store = try store([cell], Self.retyped, in: folder)
        let (before, bytes) = (try contents(store), try Data(contentsOf: store.url))
        let outcome = try outcome(store, way, to: Self.retyped)
        let place = "\(way): \(outcome.said)"
        guard let after = outcome.cells else {
          #expect(try Data(contentsOf: store.url) == bytes, "\(place)")
          #expect(!outcome.planIsGreen, "the plan was green: \(place)")
          return
        }
        let name = cell.column.dropFirst().lowercased()
        let isCounted = outcome.losses.contains { $0.property == name && $0.count == 1 }
        if after != before { #expect(isCounted, "\(place) became \(after)") }
      }
    }
  }
}

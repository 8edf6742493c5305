import ArgumentParser
import Foundation
import ManagedModel
import ModelFormats
import PersistentStore

/// How the rows of a query are written.
enum QueryFormat: String, ExpressibleByArgument, CaseIterable { case table, json, jsonl, csv }

/// Writes rows as they come: memory does not grow with their number.
final class QueryWriter {
  private let format: QueryFormat
  private let columns: [String]
  private let store: String
  private let sink: TextSink
  /// Whether spreadsheets must not take a text of CSV for a formula.
  private let isSafe: Bool
  private var count = 0
  /// The rows of a table whose widths are not known yet.
  private var waiting: [[TableCell]] = []
  private var widths: [Int]?
  private var isCut = true
  /// The width of a terminal that has no room for the columns beside each other: rows are written as records.
  private var recordWidth: Int?
  /// Whether a person sees what is written, from whom control characters are kept.
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  init(_ format: QueryFormat, columns: [String], store: String, sink: TextSink, isSafe: Bool = false) {
    (self.format, self.columns, self.store, self.sink) = (format, columns, store, sink)
    self.isSafe = isSafe
  }

  func write(_ row: [QueryValue]) throws {
    count += 1
    switch format {
    case .json, .jsonl:
      let object = JSONValue.object(zip(columns, row).map { .init($0, $1.json(ofStoreAt: store)) })
      try sink.write((format == .jsonl ? "" : count == 1 ? "[\n  " : ",\n  ") + object.compact)
      if format == .jsonl { try sink.write("\n") }
    case .csv:
      if count == 1 { try writeCSV(columns) }
      try writeCSV(row.map { isSafe ? $0.safeText(ofStoreAt: store) : $0.csvText(ofStoreAt: store) })
    case .table:
      let cells = row.map { TableCell($0, store: store) }
      if widths != nil { return try writeTable(cells) }
      waiting.append(cells)
      if waiting.count == 1_000 { try measure() }
    }
  }

  func finish() throws {
    switch format {
    case .json: try sink.write(count == 0 ? "[]\n" : "\n]\n")
    case .jsonl: break
    case .csv: if count == 0 { try writeCSV(columns) }
    case .table:
      if widths == nil { try measure() }
      try sink.write("\(counted(count, "row"))\n")
    }
    try sink.finish()
  }

  private func writeCSV(_ cells: [String?]) throws {
    let line = cells.csvLine
    // `\r` stays in data for programs; a terminal would go back to the line's beginning.
    try sink.write(isTerminal ? line.lines.dropLast().shownLines + "\n" : line)
  }

  /// Widths that fit the rows so far, and together the terminal.
  private func measure() throws {
    let header = columns.map { TableCell(text: $0) }
    var widths = columns.indices.map { column in
      min(1_000, ([header] + waiting).map { $0[column].text.displayWidth }.max() ?? 0)
    }
    if let limit = terminalWidth(isTerminal: isTerminal) {
      let gaps = 2 * max(0, widths.count - 1)
      if widths.reduce(gaps, +) > limit, widths.reduce(gaps, { $0 + min($1, 8) }) > limit {
        (self.widths, recordWidth) = (widths, limit)
        for cells in waiting { try writeTable(cells) }
        waiting = []
        return
      }
      while widths.reduce(gaps, +) > limit, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
        widths[widest] > 4
      {
        widths[widest] -= 1
      }
    }
    // Without a terminal nothing is cut: a long value is longer than its column, and only its own row is.
    isCut = terminalWidth(isTerminal: isTerminal) != nil
    if !isCut { widths = widths.map { min($0, 40) } }
    self.widths = widths
    try writeTable(header)
    try writeTable(widths.map { TableCell(text: String(repeating: "-", count: $0)) })
    for cells in waiting { try writeTable(cells) }
    waiting = []
  }

  private func writeTable(_ cells: [TableCell]) throws {
    if let recordWidth { return try writeRecord(cells, width: recordWidth) }
    let padded = zip(cells, widths ?? []).map { cell, width in
      isCut || cell.text.displayWidth <= width ? cell.padded(to: width) : cell.text
    }
    try sink.write(padded.joined(separator: "  ").trimmed + "\n")
  }

  /// A line for each value, and an empty one behind them. A long name has a line of its own.
  private func writeRecord(_ cells: [TableCell], width: Int) throws {
    let names = columns.map { TableCell(text: $0) }
    let indent = min(names.map { $0.text.displayWidth }.max() ?? 0, max(4, width / 3))
    for (name, cell) in zip(names, cells) {
      let room = max(4, width - indent - 2)
      let text = cell.text.displayWidth > room ? cell.padded(to: room) : cell.text
      let isLong = name.text.displayWidth > indent
      let label =
        isLong && !text.isEmpty
        ? "\(name.text)\n\(String(repeating: " ", count: indent))" : name.padded(to: indent)
      try sink.write(text.isEmpty ? name.text + "\n" : "\(label)  \(text)\n")
    }
    try sink.write("\n")
  }
}

/// A cell of a table, safe on a terminal.
private struct TableCell {
  var text: String
  var isNumber = false

  init(text: String) { self.text = text.printable }

  init(_ value: QueryValue, store: String) {
    switch value {
    case .value(.binary(let data)): self.init(text: counted(data.count, "byte"))
    case .value(.integer), .value(.double), .value(.decimal):
      self.init(text: value.csvText(ofStoreAt: store) ?? "")
      isNumber = true
    default:
      let text = value.csvText(ofStoreAt: store) ?? ""
      self.init(text: String(String.UnicodeScalarView(text.unicodeScalars.prefix(1_000))))
    }
  }

  func padded(to width: Int) -> String {
    let own = text.displayWidth
    if own <= width {
      let space = String(repeating: " ", count: width - own)
      return isNumber ? space + text : text + space
    }
    var (cut, taken) = ("", 0)
    for cell in text.displayCells {
      guard taken + cell.width < width else { break }
      cut += cell.text
      taken += cell.width
    }
    return cut + "…" + String(repeating: " ", count: width - taken - 1)
  }
}

extension [String?] {
  /// A line of CSV as RFC 4180 has it, with a line feed. An empty text is quoted, so that nothing and empty differ.
  var csvLine: String {
    map { cell in
      guard let cell else { return "" }
      let isPlain = !cell.isEmpty && cell.utf8.allSatisfy { !#"",;"#.utf8.contains($0) && $0 > 0x20 }
      return isPlain ? cell : "\"" + cell.escaped { $0 == "\"" ? "\"\"" : nil } + "\""
    }.joined(separator: ",") + "\n"
  }
}

extension String {
  /// A text that no spreadsheet takes for a formula. A tab and a carriage return count as what follows them.
  var spreadsheetText: String {
    unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == true ? "'\(self)" : self
  }
}

extension QueryValue {
  fileprivate func json(ofStoreAt store: String) -> JSONValue {
    switch self {
    case .absent: .null
    case .unreadable(let text): ["unreadable": .string(text)]
    case .value(.date), .object, .external: JSONValue(csvText(ofStoreAt: store))
    case .value(let value): value.json
    }
  }

  /// The same for spreadsheets: what is no number and starts as a formula does has an apostrophe before it.
  func safeText(ofStoreAt store: String) -> String? {
    switch self {
    case .absent, .value(.integer), .value(.double), .value(.decimal): csvText(ofStoreAt: store)
    default: csvText(ofStoreAt: store).map(\.spreadsheetText)
    }
  }

  /// Nil if there is nothing.
  func csvText(ofStoreAt store: String) -> String? {
    switch self {
    case .absent: nil
    case .value(.date(let seconds)): seconds.isoDate ?? AttributeValue.date(seconds).objectText
    case .value(let value): value.objectText
    case .object(let id): id.description
    case .external(let file): ExternalFolder.data.path(ofStoreAt: store) + "/" + file
    case .unreadable(let text): "unreadable: \(text)"
    }
  }
}

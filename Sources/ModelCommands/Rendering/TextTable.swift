import Foundation

/// Rows of cells, printed with aligned columns and two spaces between them.
package struct TextTable {
  package enum Alignment: Hashable, Sendable {
    case left, right
  }

  private let alignments: [Alignment]
  private let rows: [[String]]

  /// - Parameters:
  ///   - alignments: one for each column; columns beyond them are aligned left.
  ///   - rows: one may be shorter than others.
  package init(_ alignments: Alignment..., header: [String]? = nil, rows: [[String]]) {
    self.alignments = alignments
    self.rows = ([header].compactMap(\.self) + rows).map { $0.map(\.printable) }
  }

  /// The lines, without spaces at their ends. A last cell that a terminal is too narrow for goes on below.
  ///
  /// - Parameters:
  ///   - indent: spaces before each line.
  ///   - width: where lines end; by default that of the terminal, if there is one.
  package func lines(indent: Int = 0, width: Int? = nil) -> [String] {
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? $0[column].displayWidth : 0 }.max() ?? 0
    }
    func alignsRight(_ column: Int) -> Bool {
      alignments.indices.contains(column) && alignments[column] == .right
    }
    let margin = widths.dropLast().reduce(indent) { $0 + $1 + 2 }
    let end = width ?? (isatty(STDOUT_FILENO) == 1 ? terminalWidth(isTerminal: true) : nil)
    let room = alignsRight(widths.count - 1) ? nil : end.map { $0 - margin }.flatMap { $0 < 20 ? nil : $0 }
    return rows.flatMap { row -> [String] in
      let last = row.count == widths.count ? room.map { wrapped(row.last ?? "", width: $0) } : nil
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.displayWidth)
        if let first = last?.first, column == row.count - 1 { return first }
        return alignsRight(column) ? space + cell : cell + space
      }
      return [(String(repeating: " ", count: indent) + cells.joined(separator: "  ")).trimmed]
        + (last ?? []).dropFirst().map { String(repeating: " ", count: margin) + $0 }
    }
  }
}

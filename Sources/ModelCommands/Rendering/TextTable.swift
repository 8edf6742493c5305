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
    let margin = widths.dropLast().reduce(indent) { $0 + $1 + 2 }
    let end = width ?? (isatty(STDOUT_FILENO) == 1 ? terminalWidth(isTerminal: true) : nil)
    let room = (end ?? 0) - margin
    return rows.flatMap { row -> [String] in
      let last = row.count == widths.count && room >= 20 ? wrapped(row.last ?? "", width: room) : []
      let shown = last.count > 1 ? Array(row.dropLast()) + last.prefix(1) : row
      let cells = shown.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.displayWidth)
        let alignsRight = alignments.indices.contains(column) && alignments[column] == .right
        return alignsRight ? space + cell : cell + space
      }
      return [(String(repeating: " ", count: indent) + cells.joined(separator: "  ")).trimmed]
        + last.dropFirst().map { String(repeating: " ", count: margin) + $0 }
    }
  }
}

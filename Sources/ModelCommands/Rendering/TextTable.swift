/// Rows of cells, printed with aligned columns and two spaces between them.
package struct TextTable {
  package enum Alignment: Hashable, Sendable { case left, right }

  private let alignments: [Alignment]
  private let rows: [[String]]

  /// - Parameters:
  ///   - alignments: one for each column; columns beyond them are aligned left.
  ///   - rows: one may be shorter than others.
  package init(_ alignments: Alignment..., header: [String]? = nil, rows: [[String]]) {
    self.alignments = alignments
    self.rows = ([header].compactMap(\.self) + rows).map { $0.map(\.printable) }
  }

  /// The lines, without spaces at their ends.
  ///
  /// - Parameter indent: spaces before each line.
  package func lines(indent: Int = 0) -> [String] {
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      rows.map { column < $0.count ? $0[column].displayWidth : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.displayWidth)
        let alignsRight = alignments.indices.contains(column) && alignments[column] == .right
        return alignsRight ? space + cell : cell + space
      }
      return (String(repeating: " ", count: indent) + cells.joined(separator: "  ")).trimmed
    }
  }
}

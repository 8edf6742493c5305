import Foundation
import ManagedModel

/// The line of a source that a finding is about, with a mark under the place.
struct SourceExcerpt {
  var line: String
  /// Spaces up to the place, then a caret for each column of it.
  var mark: String

  /// - Parameters:
  ///   - text: the line without its end.
  ///   - range: a place that begins in this line; what lies beyond the line's end is not marked.
  ///   - limit: the most columns to show; a longer line is cut around the place.
  init(_ text: String, range: SourceRange, limit: Int) {
    let cells = text.displayCells
    let endColumn = range.end.line == range.start.line ? range.end.column : Int.max
    let first = Self.cell(atColumn: range.start.column, of: cells)
    let end = max(first, Self.cell(atColumn: endColumn, of: cells))
    let shown = Self.window(around: first, cells, limit: limit)

    let prefix = shown.lowerBound > 0 ? "…" : ""
    let suffix = shown.upperBound < cells.count ? "…" : ""
    self.line = prefix + cells[shown].map(\.text).joined() + suffix
    let indent = prefix.count + Self.width(cells[shown.lowerBound..<first])
    let marked = Self.width(cells[first..<max(first, min(end, shown.upperBound))])
    self.mark = String(repeating: " ", count: indent) + String(repeating: "^", count: max(1, marked))
  }

  /// The cell that holds the scalar of the column; the one after the last where the line is shorter.
  private static func cell(atColumn column: Int, of cells: [DisplayCell]) -> Int {
    var scalars = 1
    for (index, cell) in cells.enumerated() {
      scalars += cell.scalarCount
      if column < scalars { return index }
    }
    return cells.count
  }

  /// The cells to show: all, or about a third of the limit before the place and the rest after it.
  private static func window(around place: Int, _ cells: [DisplayCell], limit: Int) -> Range<Int> {
    guard width(cells[...]) > limit else { return 0..<cells.count }
    let room = max(1, limit - 2)
    var start = place
    var before = 0
    while start > 0, before + cells[start - 1].width <= room / 3 {
      start -= 1
      before += cells[start].width
    }
    var end = start
    var used = 0
    while end < cells.count, used + cells[end].width <= room {
      used += cells[end].width
      end += 1
    }
    // Where the line ends within the window, the rest of the room goes to the front.
    while start > 0, used + cells[start - 1].width <= room {
      start -= 1
      used += cells[start].width
    }
    return start..<max(end, place)
  }

  private static func width(_ cells: ArraySlice<DisplayCell>) -> Int { cells.reduce(0) { $0 + $1.width } }
}

/// The lines of source files, for excerpts: each file is read once, and only where a finding needs it.
struct SourceTexts {
  /// Bytes; a file beyond it is shown without excerpts.
  static let sizeLimit = 2 << 20
  /// Bytes; a line beyond it is not shown: where a whole file is one line, an excerpt of it shows nothing.
  static let lineLimit = 4096

  private let read: (String) -> String?
  private var linesByFile: [String: [String]] = [:]

  /// - Parameter read: the text of a file under its path as findings give it; nil if absent.
  init(read: @escaping (String) -> String?) { self.read = read }

  /// - Parameter number: counted from 1.
  mutating func line(_ number: Int, of file: String) -> String? {
    let lines = lines(of: file)
    guard lines.indices.contains(number - 1) else { return nil }
    return lines[number - 1].utf8.count <= Self.lineLimit ? lines[number - 1] : nil
  }

  private mutating func lines(of file: String) -> [String] {
    if let known = linesByFile[file] { return known }
    let lines = read(file)?.lines ?? []
    linesByFile[file] = lines
    return lines
  }

  /// Reads the file, unless it is missing, huge or no UTF-8 text.
  static func readFile(_ path: String) -> String? {
    let url = URL(filePath: path)
    guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= sizeLimit,
      let data = try? Data(contentsOf: url)
    else { return nil }
    return String(data: data, encoding: .utf8)
  }
}

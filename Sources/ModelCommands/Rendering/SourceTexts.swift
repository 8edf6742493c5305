import Foundation

/// The lines of source files, for excerpts: each file is read once, and only where a finding needs it.
struct SourceTexts {
  /// Bytes; a file beyond it is shown without excerpts.
  static let sizeLimit = 2 << 20
  /// Bytes; a line beyond it is not shown: where a whole file is one line, an excerpt of it shows nothing.
  static let lineLimit = 4096

  private let read: (String) -> String?
  private var linesByFile: [String: [Substring.UnicodeScalarView]] = [:]

  /// - Parameter read: the text of a file under its path as findings give it; nil if absent.
  init(read: @escaping (String) -> String?) { self.read = read }

  /// - Parameter number: counted from 1.
  mutating func line(_ number: Int, of file: String) -> String? {
    let lines = lines(of: file)
    guard lines.indices.contains(number - 1) else { return nil }
    let line = Substring(lines[number - 1])
    return line.utf8.count <= Self.lineLimit ? String(line) : nil
  }

  private mutating func lines(of file: String) -> [Substring.UnicodeScalarView] {
    if let known = linesByFile[file] { return known }
    let lines = read(file).map(splitLines) ?? []
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

/// Lines end with LF, CR LF or CR, as YAML and XML have it.
private func splitLines(_ text: String) -> [Substring.UnicodeScalarView] {
  var lines: [Substring.UnicodeScalarView] = []
  let scalars = text.unicodeScalars
  var start = scalars.startIndex
  var index = start
  while index < scalars.endIndex {
    let scalar = scalars[index]
    let end = index
    scalars.formIndex(after: &index)
    guard scalar == "\n" || scalar == "\r" else { continue }
    if scalar == "\r", index < scalars.endIndex, scalars[index] == "\n" { scalars.formIndex(after: &index) }
    lines.append(scalars[start..<end])
    start = index
  }
  lines.append(scalars[start...])
  return lines
}

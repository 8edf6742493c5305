import Foundation
import ManagedModel

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

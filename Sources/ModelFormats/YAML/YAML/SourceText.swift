import Foundation
package import ManagedModel

/// The bytes of a text file with what places need: where each line begins and where its text ends.
///
/// Lines end in `\n`, `\r\n` or `\r`, as in an editor; YAML also counts U+0085, U+2028 and U+2029, which is why
/// places are computed here, from libyaml's character indexes, and only for those who ask.
package final class SourceText: Sendable {
  let file: String
  /// Without a byte order mark.
  let bytes: Data
  let diagnostics: [Diagnostic]
  /// Whether the text can go to the parser: it can with a byte order mark, which is cut off.
  let isReadable: Bool
  private let lines: [Line]
  /// In Unicode scalars.
  private let count: Int

  /// A line, in Unicode scalars from the file's beginning.
  private struct Line {
    var start: Int
    /// After its last character that is neither a blank nor a tab.
    var trimmedEnd: Int
    /// The scalars of its indentation, up to the last tab of it; 0 where it has none.
    var tabbedIndentation: Int
    /// In bytes.
    var offset: Int
  }

  /// Refuses what is not UTF-8 or holds characters that YAML forbids; each place once, a hundred at most.
  init(_ data: Data, file: String) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let hasMark = data.starts(with: mark)
    bytes = hasMark ? Data(data.dropFirst(3)) : data
    guard !bytes.looksLikeUTF16 else {
      diagnostics = [.notUTF8(in: file, "the file is UTF-16 or UTF-32")]
      (isReadable, lines, count) = (false, [], 0)
      return
    }
    let scan = Scan(of: [UInt8](bytes))
    (lines, count, isReadable) = (scan.lines, scan.index, scan.refusals.isEmpty)
    var findings: [Diagnostic] = hasMark ? [.notUTF8(in: file, "the file begins with a byte order mark")] : []
    for (index, what) in scan.refusals {
      let start = Self.location(at: index, in: scan.lines)
      let end = SourceLocation(line: start.line, column: start.column + 1)
      findings.append(
        .notUTF8, .error, "\(what) is not allowed in a YAML file",
        place: SourceRange(file: file, start: start, end: end),
        help: ["remove it, or write it as an escape in double quotes"])
    }
    diagnostics = findings
  }

  /// 1-based, for a count of scalars from the beginning.
  func location(at index: Int) -> SourceLocation { Self.location(at: index, in: lines) }

  private static func location(at index: Int, in lines: [Line]) -> SourceLocation {
    let number = lineNumber(at: index, in: lines)
    guard lines.indices.contains(number) else { return SourceLocation(line: 1, column: 1) }
    return SourceLocation(line: number + 1, column: index - lines[number].start + 1)
  }

  /// Ends at the text's end where `end` lies beyond it.
  func range(from start: Int, to end: Int) -> SourceRange {
    let (start, end) = (min(start, count), min(end, count))
    return SourceRange(file: file, start: location(at: start), end: location(at: max(start, end)))
  }

  /// The position after the last visible character before `index`, no further back than `start`.
  func trimmedEnd(before index: Int, from start: Int) -> Int {
    var number = lineNumber(at: index)
    while number > 0, lines[number].start >= index || lines[number].trimmedEnd == lines[number].start {
      number -= 1
    }
    return max(start, min(index, lines[number].trimmedEnd))
  }

  /// The tabs that indent a line, from its beginning: for every line that has one.
  var tabbedIndentations: [SourceRange] {
    lines.filter { $0.tabbedIndentation > 0 }.map {
      range(from: $0.start, to: $0.start + $0.tabbedIndentation)
    }
  }

  /// Whether every indented line begins with tabs and nothing else.
  var isIndentedByTabsOnly: Bool {
    lines.allSatisfy { line in
      let first = bytes.dropFirst(line.offset).first
      guard first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), line.trimmedEnd > line.start else {
        return true
      }
      let tabs = bytes.dropFirst(line.offset).prefix { $0 == UInt8(ascii: "\t") }.count
      return tabs == line.tabbedIndentation && tabs > 0
        && bytes.dropFirst(line.offset + tabs).first != UInt8(ascii: " ")
    }
  }

  func isTabIndented(at index: Int) -> Bool { lines[lineNumber(at: index)].tabbedIndentation > 0 }

  /// Where the line begins that the character stands in.
  func lineStart(at index: Int) -> Int { lines[lineNumber(at: index)].start }

  /// The last visible character's end in the line that the character stands in.
  func lineEnd(at index: Int) -> Int { lines[lineNumber(at: index)].trimmedEnd }

  /// Where the next line begins, or the text's end.
  func nextLineStart(after index: Int) -> Int {
    let number = lineNumber(at: index) + 1
    return number < lines.count ? lines[number].start : count
  }

  /// The characters of a stretch.
  func text(from start: Int, to end: Int) -> String {
    guard start < end, start >= 0, end <= count else { return "" }
    let line = lines[lineNumber(at: start)]
    let tail = String(decoding: bytes[(bytes.startIndex + line.offset)...], as: UTF8.self).unicodeScalars
    guard let lower = tail.index(tail.startIndex, offsetBy: start - line.start, limitedBy: tail.endIndex),
      let upper = tail.index(lower, offsetBy: end - start, limitedBy: tail.endIndex)
    else { return "" }
    return String(tail[lower..<upper])
  }

  private func lineNumber(at index: Int) -> Int { Self.lineNumber(at: index, in: lines) }

  private static func lineNumber(at index: Int, in lines: [Line]) -> Int {
    max(0, lines.indices.end { lines[$0].start <= index } - 1)
  }

  /// The state of one pass over the bytes.
  private struct Scan {
    var lines: [Line] = []
    var refusals: [(index: Int, what: String)] = []
    /// In scalars.
    var index = 0
    private var line = Line(start: 0, trimmedEnd: 0, tabbedIndentation: 0, offset: 0)

    init(of bytes: [UInt8]) {
      var offset = 0
      while offset < bytes.count {
        let byte = bytes[offset]
        if byte < 0x80 {
          offset += 1
          take(ascii: byte, next: offset < bytes.count ? bytes[offset] : 0, offset)
        } else if let (scalar, length) = decodeScalar(bytes, at: offset) {
          take(scalar)
          offset += length
        } else {
          refuse("byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8,")
          offset += 1
        }
      }
      endLine(next: index, bytes.count)
    }

    private mutating func take(ascii byte: UInt8, next: UInt8, _ offset: Int) {
      index += 1
      switch byte {
      case UInt8(ascii: "\n"): endLine(next: index, offset)
      case UInt8(ascii: "\r"): if next != UInt8(ascii: "\n") { endLine(next: index, offset) }
      case UInt8(ascii: " "): break
      case UInt8(ascii: "\t"):
        // Only blanks before it: it is part of the indentation.
        if line.trimmedEnd == line.start { line.tabbedIndentation = index - line.start }
      case 0..<0x20, 0x7F:
        index -= 1
        refuse("control character U+\(byte.hexadecimal(width: 4))")
      default: line.trimmedEnd = index
      }
    }

    private mutating func take(_ scalar: UInt32) {
      switch scalar {
      case 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF:
        index += 1
        line.trimmedEnd = index
      default: refuse("character U+\(scalar.hexadecimal(width: 4))")
      }
    }

    private mutating func refuse(_ what: String) {
      if refusals.count < 100 { refusals.append((index, what)) }
      index += 1
      line.trimmedEnd = index
    }

    private mutating func endLine(next: Int, _ offset: Int) {
      lines.append(line)
      line = Line(start: next, trimmedEnd: next, tabbedIndentation: 0, offset: offset)
    }
  }
}

/// Reads one well-formed UTF-8 sequence of two to four bytes.
private func decodeScalar(_ bytes: [UInt8], at index: Int) -> (scalar: UInt32, length: Int)? {
  var (decoder, rest) = (UTF8(), bytes[index...].makeIterator())
  guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
  return (scalar.value, UTF8.width(scalar))
}

extension Data {
  /// A byte order mark of UTF-16 or UTF-32, or a first character with a byte of zero.
  fileprivate var looksLikeUTF16: Bool {
    let head = [UInt8](prefix(2))
    guard head.count == 2 else { return false }
    return head == [0xFE, 0xFF] || head == [0xFF, 0xFE] || (head[0] == 0) != (head[1] == 0)
      || (head == [0, 0] && count >= 4 && [UInt8](prefix(4)).suffix(2) != [0, 0])
  }
}

extension Diagnostic.Code { package static let notUTF8 = Self("MC0008") }

extension Diagnostic {
  fileprivate static func notUTF8(in file: String, _ message: String) -> Diagnostic {
    Diagnostic(
      .notUTF8, .error, message, place: SourceRange(startOf: file),
      help: ["save it as UTF-8 without a byte order mark"])
  }
}

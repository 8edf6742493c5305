import Foundation
public import ManagedModel

/// The bytes of a text file with what places need: where each line begins and where its text ends.
///
/// Lines end in `\n`, `\r\n` or `\r`, as in an editor; YAML also counts U+0085, U+2028 and U+2029, which is why
/// places are computed here, from libyaml's character indexes.
struct SourceText {
  let file: String
  let bytes: Data
  private(set) var diagnostics: [Diagnostic] = []
  /// Whether the text can go to the parser: it can with a byte order mark, which is cut off.
  private(set) var isReadable = true
  private var lines: [Line] = []
  /// In Unicode scalars.
  private var count = 0

  /// A line, in Unicode scalars from the file's beginning.
  private struct Line {
    var start: Int
    /// After its last character that is neither a blank nor a tab.
    var trimmedEnd: Int
    /// The scalars of its indentation, up to the last tab of it; 0 where it has none.
    var tabbedIndentation: Int
  }

  /// Refuses what is not UTF-8 or holds characters that YAML forbids; each place once, a hundred at most.
  init(_ data: Data, file: String) {
    self.file = file
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let hasMark = data.starts(with: mark)
    bytes = hasMark ? Data(data.dropFirst(3)) : data
    if hasMark { diagnostics.append(.byteOrderMark(in: file)) }
    if bytes.looksLikeUTF16 {
      diagnostics = [.notUTF8(in: file, "the file is UTF-16 or UTF-32")]
      isReadable = false
      return
    }
    scan()
  }

  /// 1-based, for a count of scalars from the beginning.
  func location(at index: Int) -> SourceLocation {
    let number = lineNumber(at: index)
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

  func isTabIndented(at index: Int) -> Bool { lines[lineNumber(at: index)].tabbedIndentation > 0 }

  private func lineNumber(at index: Int) -> Int {
    var (low, high) = (0, lines.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if lines[middle].start <= index { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private mutating func scan() {
    var scan = Scan()
    let bytes = [UInt8](self.bytes)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        scan.take(ascii: byte, next: index + 1 < bytes.count ? bytes[index + 1] : 0)
        index += 1
      } else if let (scalar, length) = decodeScalar(bytes, at: index) {
        scan.take(scalar)
        index += length
      } else {
        scan.refuse("byte 0x\(String(byte, radix: 16, uppercase: true)) is not UTF-8")
        index += 1
      }
    }
    scan.endLine(next: scan.index)
    lines = scan.lines
    count = scan.index
    isReadable = scan.refusals.isEmpty
    diagnostics += scan.refusals.map { index, what in
      .badCharacter(at: range(from: index, to: index + 1), what)
    }
  }

  /// The state of one pass over the bytes.
  private struct Scan {
    var lines: [Line] = []
    var refusals: [(index: Int, what: String)] = []
    var index = 0
    private var line = Line(start: 0, trimmedEnd: 0, tabbedIndentation: 0)

    mutating func take(ascii byte: UInt8, next: UInt8) {
      index += 1
      switch byte {
      case UInt8(ascii: "\n"): endLine(next: index)
      case UInt8(ascii: "\r"): if next != UInt8(ascii: "\n") { endLine(next: index) }
      case UInt8(ascii: " "): break
      case UInt8(ascii: "\t"):
        // Only blanks before it: it is part of the indentation.
        if line.trimmedEnd == line.start { line.tabbedIndentation = index - line.start }
      case 0..<0x20, 0x7F:
        index -= 1
        refuse("control character U+\(hexadecimal(UInt32(byte)))")
      default: line.trimmedEnd = index
      }
    }

    mutating func take(_ scalar: UInt32) {
      switch scalar {
      case 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF:
        index += 1
        line.trimmedEnd = index
      default: refuse("character U+\(hexadecimal(scalar))")
      }
    }

    mutating func refuse(_ what: String) {
      if refusals.count < 100 { refusals.append((index, what)) }
      index += 1
      line.trimmedEnd = index
    }

    mutating func endLine(next: Int) {
      lines.append(line)
      line = Line(start: next, trimmedEnd: next, tabbedIndentation: 0)
    }
  }
}

/// Reads one well-formed UTF-8 sequence of two to four bytes.
private func decodeScalar(_ bytes: [UInt8], at index: Int) -> (scalar: UInt32, length: Int)? {
  let lead = bytes[index]
  let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
  guard length > 0, index + length <= bytes.count else { return nil }
  var scalar = UInt32(lead) & (0x7F >> UInt32(length))
  for offset in 1..<length {
    let byte = bytes[index + offset]
    guard byte & 0xC0 == 0x80 else { return nil }
    scalar = scalar << 6 | UInt32(byte & 0x3F)
  }
  let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
  guard scalar >= least, scalar <= 0x10FFFF, !(0xD800...0xDFFF).contains(scalar) else { return nil }
  return (scalar, length)
}

private func hexadecimal(_ scalar: UInt32) -> String {
  let digits = String(scalar, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
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

extension Diagnostic.Code {
  public static let notUTF8 = Self("MC0008")
}

extension Diagnostic {
  fileprivate static func byteOrderMark(in file: String) -> Diagnostic {
    notUTF8(in: file, "the file begins with a byte order mark")
  }

  fileprivate static func notUTF8(in file: String, _ message: String) -> Diagnostic {
    let start = SourceLocation(line: 1, column: 1)
    return Diagnostic(
      .notUTF8, .error, message, place: SourceRange(file: file, start: start, end: start),
      help: ["save it as UTF-8 without a byte order mark"])
  }

  fileprivate static func badCharacter(at place: SourceRange, _ what: String) -> Diagnostic {
    Diagnostic(
      .notUTF8, .error, "\(what) may not stand in a YAML file", place: place,
      help: ["remove it, or write it as an escape in double quotes"])
  }
}

import Foundation

/// A log whose lines were broken at a width, by a terminal or a mail, with its lines as they were.
///
/// A line was broken where the next word did not fit any more: with that word it would be longer than the longest line.
struct UnwrappedLog {
  let text: Data
  /// The number of the first line of each one.
  let numbers: [Int]

  private static let widths = 40...200

  /// - Returns: nil if no line was broken.
  init?(_ log: Data) {
    // Zero bytes: UTF-16.
    guard !log.contains(0) else { return nil }
    let lines = log.split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.line)
    let width = lines.map(Self.width).max() ?? 0
    guard Self.widths.contains(width) else { return nil }
    func isBroken(_ index: Int) -> Bool {
      index > 0 && !lines[index].isEmpty && !lines[index - 1].isEmpty && !Self.beginsRecord(lines[index])
    }
    func isBetweenWords(_ index: Int, within width: Int) -> Bool {
      let (former, word) = (Self.width(lines[index - 1]), Self.width(lines[index].prefix { $0 != 0x20 }))
      return isBroken(index) && former < width && former + 1 + word > width
    }
    // A mail breaks between words; a terminal wherever the line is full, or before a space that ends it.
    let breaksWords = !lines.indices.dropFirst().contains { isBetweenWords($0, within: width - 1) }
    var (text, numbers) = (Data(), [Int]())
    for (index, line) in lines.enumerated() {
      if isBroken(index), Self.width(lines[index - 1]) == width {
        text += breaksWords ? line : [0x20] + line
      } else if index > 0, isBetweenWords(index, within: width) {
        text += [0x20] + line
      } else {
        if index > 0 { text.append(0x0A) }
        text += line
        numbers.append(index + 1)
      }
    }
    guard numbers.count < lines.count else { return nil }
    (self.text, self.numbers) = (text, numbers)
  }

  /// Without what a mail puts before it when it is quoted, and without spaces behind it.
  private static func line(_ line: Data) -> Data {
    var line = line[...]
    while line.first == UInt8(ascii: ">") { line = line.dropFirst().drop { $0 == 0x20 } }
    while let last = line.last, last == 0x20 || last == 0x0D { line.removeLast() }
    return Data(line)
  }

  /// In characters, nearly.
  private static func width(_ line: Data) -> Int { line.count { $0 & 0xC0 != 0x80 } }

  /// A time, a level, or the name of a framework.
  private static func beginsRecord(_ line: Data) -> Bool {
    let text = String(decoding: line.prefix(32), as: UTF8.self)
    return text.firstMatch(of: #/^(\[|\d{2,4}[-\/:.]\d|CoreData:|Error Domain=|[A-Z][a-z]{2} +\d+ \d+:)/#)
      != nil
  }
}

package import ManagedModel

/// A store's version hashes as a log prints them: each whole, or its first and last bytes.
package struct PrintedHashes: Hashable, Sendable {
  /// Hexadecimal digits of one hash.
  package struct Digits: Hashable, Sendable {
    package var beginning: String
    /// Empty if the whole hash is printed, or the log is cut in its middle.
    package var end = ""

    package var isWhole: Bool { beginning.utf8.count == 64 }

    package init(beginning: String, end: String = "") { (self.beginning, self.end) = (beginning, end) }

    package func fit(_ hash: VersionHash) -> Bool {
      let digits = hash.hexadecimal
      return digits.hasPrefix(beginning) && digits.hasSuffix(end)
    }
  }

  package var digits: [String: Digits]
  /// Whether the end of the list is printed, so that there are no other entities.
  package var isClosed: Bool = true
  /// The first line.
  package var line: Int = 1

  /// How many of the entities a version has with such a hash.
  func equalCount(_ hashes: [String: VersionHash]) -> Int {
    digits.count { entity, digits in hashes[entity].map(digits.fit) ?? false }
  }

  /// Whether these are the hashes of a version: of all its entities, where the list is whole.
  package func fit(_ hashes: [String: VersionHash]) -> Bool {
    equalCount(hashes) == digits.count && (!isClosed || digits.count == hashes.count)
  }
}

/// Collects the dictionaries of version hashes in a log, in the forms in which Foundation prints data: `<8b3b0f0e …>` and,
/// since 2019, `{length = 32, bytes = 0x8b3b0f0e … 1a9a3c57 }`, where the middle may be left out.
struct PrintedHashCollector {
  /// Each once, in the order of the log.
  private(set) var found: [PrintedHashes] = []
  /// Hashes that no name stands before.
  private(set) var unnamed: [PrintedHashes.Digits] = []
  private var open = PrintedHashes(digits: [:], isClosed: false)

  private static let most = 64
  private static let mostEntities = 10_000
  private static let longestName = 256

  var isOpen: Bool { !open.digits.isEmpty }

  /// - Parameter line: nothing but a line that is without hashes ends a dictionary.
  mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    var rest = line
    var hasHash = false
    while let start = rest.firstIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") }) {
      let value = rest[start...]
      rest = rest[(start + 1)...]
      guard let (digits, end) = Self.digits(of: value) else { continue }
      guard let name = Self.name(before: start, in: line) else {
        if unnamed.count < Self.most, !unnamed.contains(digits) { unnamed.append(digits) }
        continue
      }
      hasHash = true
      if open.digits.isEmpty { open.line = number }
      if open.digits.count < Self.mostEntities { open.digits[name] = digits }
      rest = line[end...]
      // A dictionary on one line ends on it.
      let next = rest.first { !" ;>\\\"\t".utf8.contains($0) }
      if next == UInt8(ascii: "}") { close(isWhole: true) }
    }
    if isOpen, !hasHash {
      close(isWhole: line.contains(UInt8(ascii: "}")) || line.contains(UInt8(ascii: "]")))
    }
  }

  mutating func close(isWhole: Bool) {
    open.isClosed = isWhole
    let isNew = !found.contains { $0.digits == open.digits }
    if isOpen, isNew, found.count < Self.most { found.append(open) }
    open.digits = [:]
  }

  static let openings = ["{length = 32, bytes = 0x", "{length=32, bytes=0x"].map { Array($0.utf8) }

  /// The digits of a value that begins here: four bytes at least, and of 32 all that is printed.
  private static func digits(of value: ArraySlice<UInt8>) -> (PrintedHashes.Digits, end: Int)? {
    let opening = openings.first(where: value.starts)
    guard opening != nil || value.first == UInt8(ascii: "<") else { return nil }
    let closing = UInt8(ascii: opening != nil ? "}" : ">")
    var (halves, dots, index) = ([""], 0, value.startIndex + (opening?.count ?? 1))
    scan: while index < value.endIndex, index - value.startIndex < 200 {
      switch value[index] {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66:
        if dots > 0, halves.count == 1 { halves.append("") }
        halves[halves.count - 1].unicodeScalars.append(Unicode.Scalar(value[index] | 0x20))
      case UInt8(ascii: "."): dots += 1
      // Editors make one character of three dots.
      case 0xE2 where value[index...].starts(with: "…".utf8): (dots, index) = (3, index + 2)
      case UInt8(ascii: " "): break
      default: break scan
      }
      index += 1
    }
    let isClosed = index < value.endIndex && value[index] == closing
    let isCut = index >= value.endIndex
    let digits = PrintedHashes.Digits(beginning: halves[0], end: halves.count == 2 ? halves[1] : "")
    let isElided = dots == 3 && isClosed || isCut
    guard halves[0].utf8.count >= 8, halves[0].utf8.count + digits.end.utf8.count <= 64,
      isElided || isClosed && dots == 0 && digits.isWhole
    else { return nil }
    // What stands behind the gap of a log that is cut may be no end.
    return (isClosed ? digits : PrintedHashes.Digits(beginning: halves[0]), isClosed ? index + 1 : index)
  }

  /// `Name = `, `"Name": `, `Name: `
  private static func name(before index: Int, in line: ArraySlice<UInt8>) -> String? {
    let head = line[..<index]
    guard let sign = head.lastIndex(where: { $0 != UInt8(ascii: " ") }),
      head[sign] == UInt8(ascii: "=") || head[sign] == UInt8(ascii: ":"),
      let last = head[..<sign].lastIndex(where: { !" \"\\".utf8.contains($0) })
    else { return nil }
    let before = head[...last].suffix(longestName)
    let separators = Set(" \t\"{([,;\\".utf8)
    let start = before.lastIndex { separators.contains($0) }.map { $0 + 1 } ?? before.startIndex
    guard start <= last else { return nil }
    return String(decoding: before[start...], as: UTF8.self)
  }
}

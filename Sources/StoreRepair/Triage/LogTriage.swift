package import Foundation

/// What a log tells of stores and models.
package struct LogTriage: Sendable {
  /// A kind of trouble, and where the log tells of it.
  package struct Finding: Hashable, Sendable {
    package var kind: LogKind
    /// The errors by which it was known; empty if it was a text.
    package var errors: [ReportedError] = []
    /// Of the first line that tells it.
    package var line: Int
    /// That line, or what stands around the text.
    package var excerpt: String
    /// How many lines tell it.
    package var count = 1
  }

  /// In the order of the log; kinds that only say that something failed are the last.
  package fileprivate(set) var findings: [Finding] = []
  /// Errors of Core Data or SQLite that no kind explains.
  package fileprivate(set) var unknownErrors: [ReportedError] = []
  package fileprivate(set) var printed: [PrintedHashes] = []
  /// Hashes that no entity's name stands before.
  package fileprivate(set) var digests: [PrintedHashes.Digits] = []
  /// What the log tells of stores of the system, and how many lines do; nothing of them is a finding.
  package fileprivate(set) var systemStores: [(owner: String, line: Int, count: Int)] = []
  /// Checksums of versions, and digests of all their hashes, in base64; one of 32 bytes may be an entity's hash too.
  package fileprivate(set) var checksums: [String] = []
  /// Paths of stores.
  package fileprivate(set) var stores: [String] = []
  package fileprivate(set) var lineCount = 0
  package fileprivate(set) var byteCount = 0
  package fileprivate(set) var isText = true
  /// Whether the file is not a log but a SQLite file.
  package fileprivate(set) var isStore = false

  package var saysNothing: Bool {
    findings.isEmpty && unknownErrors.isEmpty && printed.isEmpty && checksums.isEmpty && digests.isEmpty
      && systemStores.isEmpty
  }

  /// How much it says.
  fileprivate var weight: Int {
    // A hash that is cut, or that lost its name to the line before it, says less.
    let named = printed.flatMap(\.digits.values).map { 300 + $0.beginning.count + $0.end.count }
    let unnamed = digests.map { 100 + $0.beginning.count + $0.end.count }
    let others = findings.count + unknownErrors.count + checksums.count + stores.count
    return others * 300 + (named + unnamed).reduce(0, +)
  }

  /// Takes hashes that stand alone, where nothing else is printed: 64 digits, 44 or 88 of base64, or the ends of what was
  /// shortened.
  fileprivate mutating func addDigests(in log: Data) {
    guard log.count <= 1 << 16, printed.isEmpty, digests.isEmpty, checksums.isEmpty else { return }
    let text = String(decoding: log, as: UTF8.self)
    for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || "+/=".contains($0)) }) {
      let digits = word.hasPrefix("0x") ? word.dropFirst(2) : word
      if digits.utf8.count == 64, digits.allSatisfy(\.isHexDigit) {
        digests.append(PrintedHashes.Digits(beginning: digits.lowercased()))
      } else if [44, 88].contains(word.utf8.count), word.hasSuffix("="),
        [32, 64].contains(Data(base64Encoded: String(word))?.count)
      {
        checksums.append(String(word))
      }
    }
    let shortened =
      #/([0-9a-fA-F]{8}(?: ?[0-9a-fA-F]{8})*) ?(?:\.\.\.|…) ?([0-9a-fA-F]{8}(?: ?[0-9a-fA-F]{8})*)/#
    for match in text.matches(of: shortened) {
      let halves = [match.1, match.2].map { $0.filter { $0 != " " }.lowercased() }
      digests.append(PrintedHashes.Digits(beginning: halves[0], end: halves[1]))
    }
    (digests, checksums) = (Array(digests.prefix(20)), Array(checksums.prefix(20)))
  }

  fileprivate mutating func renumber(_ numbers: [Int]) {
    func number(_ line: Int) -> Int { numbers.indices.contains(line - 1) ? numbers[line - 1] : line }
    for index in findings.indices { findings[index].line = number(findings[index].line) }
    for index in printed.indices { printed[index].line = number(printed[index].line) }
    for index in systemStores.indices { systemStores[index].line = number(systemStores[index].line) }
  }
}

/// Reads a log in bounded memory, whatever its size, and tells what is known of the errors in it.
///
/// - Parameter chunk: gives the next bytes, nothing at the end.
package func triageLog(
  kinds: [LogKind], systemStores: [SystemStore] = [], chunk: (_ count: Int) throws -> Data?
) rethrows -> LogTriage {
  let first = try chunk(LogLines.chunkSize) ?? Data()
  let second = first.isEmpty ? nil : try chunk(LogLines.chunkSize)
  var rest = [first, second].compactMap(\.self)[...]
  var triage = try triageLines(kinds, systemStores) { try rest.popFirst() ?? chunk($0) }
  if second?.isEmpty ?? true { triage.addDigests(in: first) }
  // A log that was pasted somewhere: its lines may have been wrapped there.
  guard second?.isEmpty ?? true, let log = UnwrappedLog(first) else { return triage }
  var text: Data? = log.text
  var unwrapped = triageLines(kinds, systemStores) { _ in
    defer { text = nil }
    return text
  }
  unwrapped.addDigests(in: log.text)
  guard unwrapped.weight > triage.weight else { return triage }
  unwrapped.renumber(log.numbers)
  (unwrapped.lineCount, unwrapped.byteCount) = (triage.lineCount, triage.byteCount)
  return unwrapped
}

private func triageLines(
  _ kinds: [LogKind], _ systemStores: [SystemStore], chunk: (_ count: Int) throws -> Data?
) rethrows -> LogTriage {
  var reader = LogLineReader(kinds: kinds, systemStores: systemStores)
  var lines = LogLines(reader.phrases)
  try lines.read(chunk) { reader.read($0) }
  var triage = reader.finished()
  (triage.byteCount, triage.isText) = (lines.byteCount, lines.isText)
  triage.lineCount = lines.byteCount == 0 ? 0 : lines.number - (lines.endsWithLine ? 1 : 0)
  triage.isStore = lines.beginning.starts(with: "SQLite format 3\0".utf8)
  return triage
}

/// Takes the lines of a log one after the other.
private struct LogLineReader {
  private enum Meaning {
    case kind(Int)
    case error(ErrorPrefix)
    case hash
    case checksum
    /// A URL of a store, and a path, which may have spaces.
    case store, path
    case system(String)
  }

  private let kinds: [LogKind]
  private let meanings: [Meaning]
  private let kindOfError: [ReportedError: Int]
  let phrases: [String]

  private var triage = LogTriage()
  private var collector = PrintedHashCollector()
  /// The index of a kind's finding.
  private var known: [Int: Int] = [:]

  private static let excerptLength = 240

  init(kinds: [LogKind], systemStores: [SystemStore]) {
    self.kinds = kinds
    var listed: [(phrase: String, meaning: Meaning)] = kinds.indices.flatMap { index in
      kinds[index].phrases.map { ($0, .kind(index)) }
    }
    listed += ErrorPrefix.all.map { ($0.text, .error($0)) }
    listed += [
      ("{length = 32, bytes = 0x", .hash), ("{length=32, bytes=0x", .hash), ("= <", .hash), (": <", .hash),
      ("hecksum", .checksum), ("HashesDigest", .checksum),
      ("file:///", .store), ("NSFilePath=/", .path),
    ]
    listed += systemStores.map { ($0.phrase, .system($0.owner)) }
    (phrases, meanings) = (listed.map(\.phrase), listed.map(\.meaning))
    kindOfError = Dictionary(
      kinds.indices.flatMap { index in kinds[index].errors.map { ($0, index) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: whether the following line is wanted too.
  mutating func read(_ line: LogLines.Line) -> Bool {
    var reported: Set<Int> = []
    var errors: Set<ReportedError> = []
    var hasHash = collector.isOpen
    for case .system(let owner) in line.marks.map({ meanings[$0.phrase] }) {
      if let index = triage.systemStores.firstIndex(where: { $0.owner == owner }) {
        triage.systemStores[index].count += 1
      } else {
        triage.systemStores.append((owner, line.number, 1))
      }
      // What happens to a store of the system is nobody's business here.
      return collector.isOpen
    }
    // SQLite's text is that of the plain result; where its details are a kind of their own, they are what is told.
    for case .error(let marker) in line.marks.map({ meanings[$0.phrase] }) {
      for mark in line.marks {
        guard case .error(let other) = meanings[mark.phrase], other.text == marker.text,
          let error = marker.error(after: mark.end, in: line.bytes), kindOfError[error] != nil,
          let plain = error.primary.flatMap({ kindOfError[$0] })
        else { continue }
        reported.insert(plain)
      }
    }
    // Of kinds with one number the text says which it is.
    for case .kind(let kind) in line.marks.map({ meanings[$0.phrase] }) {
      reported.formUnion(kinds[kind].errors.compactMap { kindOfError[$0] }.filter { $0 != kind })
    }
    for mark in line.marks {
      switch meanings[mark.phrase] {
      case .kind(let kind): if reported.insert(kind).inserted { add(kind, nil, line, at: mark.end) }
      case .error(let marker):
        if let error = marker.error(after: mark.end, in: line.bytes), errors.insert(error).inserted {
          add(error, line, at: mark.end, &reported)
        }
      case .hash: hasHash = true
      case .checksum: addChecksum(line.bytes[mark.end...])
      case .system: break
      case .store: addStore(line.bytes[(mark.end - 1)...], endingAt: " \t")
      case .path: addStore(line.bytes[(mark.end - 1)...], endingAt: "")
      }
    }
    if hasHash {
      // What reports keep as JSON has its line ends written out, however often they were escaped.
      let parts = line.bytes.split(separator: Array(#"\n"#.utf8), omittingEmptySubsequences: false)
      for part in parts { collector.read(part, number: line.number) }
    }
    return collector.isOpen
  }

  func finished() -> LogTriage {
    var result = triage
    var collector = collector
    collector.close(isWhole: false)
    (result.printed, result.digests) = (collector.found, collector.unnamed)
    result.findings = stories(triage.findings)
    result.findings = result.findings.filter { !$0.kind.isGeneral } + result.findings.filter(\.kind.isGeneral)
    return result
  }

  /// With one finding in the place of those whose errors mean one thing together.
  private func stories(_ findings: [LogTriage.Finding]) -> [LogTriage.Finding] {
    var findings = findings
    for kind in kinds where !kind.together.isEmpty {
      let parts = findings.filter { finding in
        kind.together.contains { error in finding.errors.contains { $0 == error || $0.primary == error } }
      }
      let told = parts.flatMap(\.errors)
      let isWhole = kind.together.allSatisfy { error in told.contains { $0 == error || $0.primary == error } }
      guard parts.count > 1, isWhole, let first = parts.min(by: { $0.line < $1.line }) else { continue }
      let count = parts.map(\.count).reduce(0, +)
      let story = LogTriage.Finding(
        kind: kind, errors: told, line: first.line, excerpt: first.excerpt, count: count)
      let place = findings.firstIndex(of: first) ?? 0
      findings = findings.enumerated().flatMap { index, finding in
        index == place ? [story] : parts.contains(finding) ? [] : [finding]
      }
    }
    return findings
  }

  private mutating func add(
    _ error: ReportedError, _ line: LogLines.Line, at end: Int, _ reported: inout Set<Int>
  ) {
    if let kind = kindOfError[error] ?? error.primary.flatMap({ kindOfError[$0] }) {
      if reported.insert(kind).inserted { return add(kind, error, line, at: end) }
      // The same line tells it by its text too.
      if let index = known[kind], !triage.findings[index].errors.contains(error) {
        triage.findings[index].errors.append(error)
      }
    } else {
      triage.unknownErrors.note(error)
    }
  }

  private mutating func add(_ kind: Int, _ error: ReportedError?, _ line: LogLines.Line, at end: Int) {
    if let index = known[kind] {
      triage.findings[index].count += 1
      if let error { triage.findings[index].errors.note(error) }
      return
    }
    known[kind] = triage.findings.count
    triage.findings.append(
      LogTriage.Finding(
        kind: kinds[kind], errors: error.map { [$0] } ?? [], line: line.number,
        excerpt: excerpt(of: line.bytes, around: end)))
  }

  private func excerpt(of bytes: ArraySlice<UInt8>, around end: Int) -> String {
    let first = bytes.count <= Self.excerptLength ? bytes.startIndex : max(bytes.startIndex, end - 120)
    let last = min(bytes.endIndex, first + Self.excerptLength)
    // Not in the middle of a character.
    let isInside = { (byte: UInt8) in byte & 0xC0 == 0x80 }
    var piece = bytes[first..<last].drop(while: isInside)
    while last < bytes.endIndex, let byte = piece.last, byte >= 0x80 {
      piece.removeLast()
      if byte >= 0xC0 { break }
    }
    let text = String(decoding: piece, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    return (first > bytes.startIndex ? "…" : "") + text + (last < bytes.endIndex ? "…" : "")
  }

  /// Of base64.
  private static let digits = Set<UInt8>([0x2B...0x2B, 0x2F...0x39, 0x41...0x5A, 0x61...0x7A].joined())

  /// 32 or 64 bytes in base64, soon after the word.
  private mutating func addChecksum(_ rest: ArraySlice<UInt8>) {
    let isDigit = { (byte: UInt8) in Self.digits.contains(byte) }
    for part in rest.prefix(116).split(whereSeparator: { !isDigit($0) && $0 != UInt8(ascii: "=") })
    where [44, 88].contains(part.count) && part.last == UInt8(ascii: "=")
      && part.dropLast(2).allSatisfy(isDigit)
    {
      triage.checksums.note(String(decoding: part, as: UTF8.self))
    }
  }

  private mutating func addStore(_ rest: ArraySlice<UInt8>, endingAt spaces: String) {
    let ends = Set("\"'<>,;)}\\\r\(spaces)".utf8)
    let url = String(decoding: rest.prefix(1024).prefix { !ends.contains($0) }, as: UTF8.self)
    guard let path = url.removingPercentEncoding,
      ["sqlite", "sqlite3", "store", "db"].contains(URL(filePath: path).pathExtension.lowercased())
    else { return }
    triage.stores.note(path)
  }
}

extension Array where Element: Equatable {
  /// Each once, and no more than a report can show.
  fileprivate mutating func note(_ element: Element) { if count < 20, !contains(element) { append(element) } }
}

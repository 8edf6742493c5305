import Foundation

/// A log as a stream: of every line that holds a phrase, its bytes and its phrases.
///
/// Memory does not grow with the log: a line of more than ``longestLine`` bytes is given in pieces.
struct LogLines {
  static let longestLine = 1 << 16
  static let chunkSize = 1 << 20

  /// A phrase in a line, and the index after its last byte.
  typealias Mark = (phrase: Int, end: Int)

  /// Its number counts from one.
  typealias Line = (number: Int, bytes: ArraySlice<UInt8>, marks: [Mark])

  private let search: PhraseSearch
  /// That of the end of a line.
  private let lineEnd: Int
  private var state: UInt16 = 0
  private var buffer: [UInt8] = []
  private var start = 0
  private var marks: [Mark] = []
  /// Whether the next line is wanted, whatever stands in it.
  private var wantsNext = false
  private(set) var number = 1
  private(set) var byteCount = 0
  /// Whether the beginning is text.
  private(set) var isText = true
  private(set) var beginning: [UInt8] = []
  /// Whether the last line has an end.
  private(set) var endsWithLine = false

  init(_ phrases: [String]) {
    search = PhraseSearch(phrases + ["\n"])
    lineEnd = phrases.count
  }

  /// Reads to the end.
  ///
  /// - Parameters:
  ///   - chunk: gives the next bytes, nothing at the end.
  ///   - take: takes a line; true if it wants the following one too, whatever stands in it.
  mutating func read(_ chunk: (_ count: Int) throws -> Data?, _ take: (Line) -> Bool) rethrows {
    var decoder = UTF16Decoder([])
    while let data = try chunk(Self.chunkSize), !data.isEmpty {
      if byteCount == 0 {
        beginning = Array(data.prefix(4096))
        decoder = UTF16Decoder(beginning)
        isText = decoder.isWide || !beginning.contains(0)
      }
      byteCount += data.count
      let scanned = buffer.count
      buffer += decoder.utf8(data)
      scan(from: scanned, take)
      shorten(take)
    }
    endsWithLine = start >= buffer.count && number > 1
    if start < buffer.count { give(to: buffer.count, take) }
  }

  private mutating func scan(from scanned: Int, _ take: (Line) -> Bool) {
    var events: [Mark] = []
    search.scan(buffer, from: scanned, state: &state) { events.append(($0, $1 + 1)) }
    for event in events {
      if event.phrase != lineEnd {
        // A line that repeats a phrase for ever is told by its first ones.
        if marks.count < 4096 { marks.append(event) }
      } else {
        give(to: event.end - 1, take)
        start = event.end
        number += 1
      }
    }
  }

  private mutating func give(to end: Int, _ take: (Line) -> Bool) {
    if !marks.isEmpty || wantsNext {
      var first = start
      // Within what is read at once, lines may be longer.
      while first < end {
        let last = end - first > Self.longestLine ? pieceEnd(from: first) : end
        let own = marks.filter { first < $0.end && $0.end <= last }
        if wantsNext || !own.isEmpty { wantsNext = take((number, buffer[first..<last], own)) }
        first = last
      }
    }
    marks = []
  }

  /// Where a piece of a long line ends: behind a value, where there is one.
  private func pieceEnd(from first: Int) -> Int {
    let last = first + Self.longestLine
    let separators: Set<UInt8> = [UInt8(ascii: "}"), UInt8(ascii: ">"), UInt8(ascii: ",")]
    return buffer[last - 8192..<last].lastIndex { separators.contains($0) }.map { $0 + 1 } ?? last
  }

  /// Keeps of the buffer what belongs to a line that goes on.
  private mutating func shorten(_ take: (Line) -> Bool) {
    if buffer.count - start > Self.longestLine {
      let end = pieceEnd(from: buffer.count - Self.longestLine)
      let later = marks.filter { $0.end > end }
      marks.removeAll { $0.end > end }
      give(to: end, take)
      (start, marks) = (end, later)
    }
    for index in marks.indices { marks[index].end -= start }
    buffer.removeFirst(start)
    start = 0
  }
}

/// Windows saves logs as UTF-16.
private struct UTF16Decoder {
  var isWide = false
  private var isBigEndian = false
  private var pending: UInt8?

  /// By the mark at the beginning, or by the zeros of the first characters.
  init(_ beginning: [UInt8]) {
    guard beginning.count >= 4 else { return }
    let zeros = beginning.prefix(4).map { $0 == 0 }
    isBigEndian = beginning.starts(with: [0xFE, 0xFF]) || zeros == [true, false, true, false]
    isWide = isBigEndian || beginning.starts(with: [0xFF, 0xFE]) || zeros == [false, true, false, true]
  }

  mutating func utf8(_ data: Data) -> [UInt8] {
    guard isWide else { return Array(data) }
    let bytes = (pending.map { [$0] } ?? []) + data
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    pending = bytes.count.isMultiple(of: 2) ? nil : bytes.last
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

import Foundation
import ManagedModel

/// Where each entity stands in a version file that is laid out as nearly all are: `entities:` on a line of its own,
/// and below it every entity's name, two blanks further in.
///
/// Only lines are looked at. What stands in a text of several lines is taken for a section or an entity all the same:
/// who reads the file must hold the line and the names against what it has.
struct EntityBlocks: Sendable {
  /// In bytes from the file's beginning.
  struct Block: Sendable {
    let name: String
    /// The blanks, the name and the colon.
    let header: Range<Int>
    /// What follows, up to the next name or the section's end.
    var body: Range<Int>
  }

  private(set) var blocks: [Block] = []
  /// The line of `entities:`, from 1.
  private(set) var line = 0

  /// Nil for another layout.
  init?(_ text: Data) {
    let isFound = unsafe text.withUnsafeBytes { unsafe find(in: $0) }
    guard isFound, !blocks.isEmpty else { return nil }
  }

  private mutating func find(in text: UnsafeRawBufferPointer) -> Bool {
    var isInside = false
    var start = 0
    while start < text.count {
      let line = unsafe UnsafeRawBufferPointer(rebasing: text[start..<lineEnd(in: text, from: start)])
      if !isInside {
        self.line += 1
        isInside = unsafe line.elementsEqual("entities:\n".utf8)
      } else {
        switch unsafe line.prefix(while: { $0 == blank }).count {
        case _ where unsafe isEmptyOrComment(line): break
        case 0: return true
        case 2:
          guard let length = unsafe headerLength(of: line) else { return false }
          let name = unsafe String(decoding: line[2..<length - 1], as: UTF8.self)
          let header = start..<start + length
          blocks.append(Block(name: name, header: header, body: header.upperBound..<header.upperBound))
        case 4...: break
        default: return false
        }
        if let last = blocks.indices.last {
          blocks[last].body = blocks[last].body.lowerBound..<start + line.count
        }
      }
      start += line.count
    }
    return isInside
  }
}

extension EntityBlocks {
  /// Whether the parser found the section and the entities that the lines show, and nothing is to be said of them.
  func isWhatItSeems(in reading: ModelReading) -> Bool {
    guard reading.diagnostics.isEmpty, reading.text?.entitiesLine == line, let model = reading.model else {
      return false
    }
    let entities = model.entities
    return entities.count == blocks.count
      && entities.indices.allSatisfy { entities[$0].name == blocks[$0].name }
  }

  /// The text with nothing but the names of some entities.
  func text(_ text: Data, without isLeftOut: [Bool]) -> Data {
    var rest = Data(capacity: text.count)
    var start = text.startIndex
    for (block, isLeftOut) in zip(blocks, isLeftOut) where isLeftOut {
      rest += text[start..<text.startIndex + block.header.upperBound]
      rest.append(newline)
      start = text.startIndex + block.body.upperBound
    }
    return rest + text[start...]
  }
}

private let blank = UInt8(ascii: " ")
private let newline = UInt8(ascii: "\n")

/// After the line's `\n`, or the text's end.
private func lineEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
  guard let base = text.baseAddress,
    let found = unsafe memchr(base + start, Int32(newline), text.count - start)
  else { return text.count }
  return unsafe UnsafeRawPointer(found) - base + 1
}

private func isEmptyOrComment(_ line: UnsafeRawBufferPointer) -> Bool {
  switch unsafe line.first(where: { $0 != blank }) {
  case nil, newline?, UInt8(ascii: "#")?: true
  default: false
  }
}

/// The length of `  Name:` at the line's beginning, if it stands there and a blank or the line's end follows.
private func headerLength(of line: UnsafeRawBufferPointer) -> Int? {
  let name = unsafe line.dropFirst(2).prefix(while: isNameByte)
  let end = unsafe name.endIndex
  guard unsafe !name.isEmpty, end + 1 < line.count, unsafe line[end] == UInt8(ascii: ":"),
    unsafe line[end + 1] == blank || line[end + 1] == newline
  else { return nil }
  return end + 1
}

/// Whether it is a letter, a digit or an underscore of ASCII.
func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
  case UInt8(ascii: "0")...UInt8(ascii: "9"): true
  default: false
  }
}

import Foundation
import ManagedModel

/// The entities of an Xcode version, each with its text: the next version says most of them again, byte for byte, and
/// they are not read again there.
///
/// Only entities in which nothing was found are kept: a finding has its place in every version.
struct EntityTexts: Sendable {
  struct Entry: Sendable {
    var bytes: Range<Int>
    var elementCount: Int
    var entity: EntityDescription
  }

  private let text: XMLDocumentText
  private(set) var entries: [Entry] = []
  private var places: [String: Int] = [:]

  init(_ text: XMLDocumentText) { self.text = text }

  mutating func append(_ entry: Entry) {
    places[entry.entity.name] = entries.count
    entries.append(entry)
  }

  /// The entry behind that of an entity, which is likely to be repeated next.
  func place(after name: String) -> Int? { places[name].map { $0 + 1 } }

  /// Whether the entry's text stands at that byte of another document.
  func isRepeated(at offset: Int, of other: XMLDocumentText, place: Int) -> Bool {
    guard entries.indices.contains(place) else { return false }
    let bytes = entries[place].bytes
    guard bytes.count <= other.bytes.count - offset else { return false }
    return unsafe text.bytes.withUnsafeBytes { own in
      unsafe other.bytes.withUnsafeBytes { others in
        let (left, right) = unsafe (own[bytes], others[offset..<offset + bytes.count])
        guard let start = unsafe UnsafeRawBufferPointer(rebasing: left).baseAddress,
          let place = unsafe UnsafeRawBufferPointer(rebasing: right).baseAddress
        else { return false }
        return unsafe memcmp(start, place, bytes.count) == 0
      }
    }
  }
}

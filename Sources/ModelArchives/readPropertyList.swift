package import Foundation

/// Bytes of a list in XML.
private let textLimit = 16 << 20
/// No metadata of a store nests deeper.
private let depthLimit = 64
/// Values, shared ones counted each time.
private let sizeLimit = 1_000_000

extension Data {
  /// Reads a small property list, binary or XML; the oldest, textual form is none that Core Data or Xcode writes.
  ///
  /// Nil if the bytes are not list, hold what only keyed archives do, or are made to exhaust their reader: nested deep,
  /// or shared so often that a few bytes stand for endless values. Binary lists go through our own reader, which bounds
  /// the work on hostile bytes; Foundation's dies of a set whose elements it cannot compare (swift-corelibs-foundation,
  /// Swift 6.3).
  package func readPropertyList() -> PropertyListValue? {
    guard starts(with: Data("bplist".utf8)) else {
      guard count <= textLimit, isShallowXML(self),
        let list = try? unsafe PropertyListSerialization.propertyList(from: self, format: nil)
      else { return nil }
      return PropertyListValue(foundationValue: list)
    }
    guard let list = try? BinaryPropertyList(self), list.isPlain else { return nil }
    var budget = sizeLimit
    return unfold(list.top, of: list, depth: 0, budget: &budget)
  }
}

/// - Parameter budget: how many values may still be unfolded.
private func unfold(
  _ node: Int, of list: BinaryPropertyList, depth: Int, budget: inout Int
) -> PropertyListValue? {
  budget -= 1
  guard budget > 0, depth < depthLimit else { return nil }
  switch list[node] {
  case .null, .reference: return nil
  case .scalar(let value): return value
  case .array(let nodes):
    let elements = nodes.compactMap { unfold($0, of: list, depth: depth + 1, budget: &budget) }
    return elements.count == nodes.count ? .array(elements) : nil
  case .dictionary(let keys, let values):
    var entries: [String: PropertyListValue] = [:]
    for (key, node) in zip(keys, values) {
      guard let text = list[key].text,
        let value = unfold(node, of: list, depth: depth + 1, budget: &budget)
      else { return nil }
      entries[text] = value
    }
    return .dictionary(entries)
  }
}

private func isShallowXML(_ data: Data) -> Bool {
  guard data.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) == UInt8(ascii: "<")
  else { return false }
  var depth = 0
  var previous: UInt8 = 0
  var isOpening = false
  for byte in data {
    switch byte {
    case UInt8(ascii: "<"): isOpening = true
    case UInt8(ascii: "/") where previous == UInt8(ascii: "<"):
      isOpening = false
      depth -= 1
    case UInt8(ascii: "?") where previous == UInt8(ascii: "<"),
      UInt8(ascii: "!") where previous == UInt8(ascii: "<"):
      isOpening = false
    case UInt8(ascii: ">"):
      if isOpening, previous != UInt8(ascii: "/") { depth += 1 }
      isOpening = false
    default: break
    }
    if depth > depthLimit { return false }
    previous = byte
  }
  return true
}

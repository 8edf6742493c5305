package import Foundation

/// No metadata of a store nests deeper.
private let depthLimit = 64
/// Values, shared ones counted each time.
private let sizeLimit = 1_000_000

/// Whether the bytes are a property list that can be unfolded safely: neither nested so deep that a recursive reader
/// runs out of stack, nor shared so often that a few bytes stand for endless values; nor does it hold what only keyed
/// archives do.
///
/// Only the binary and the XML form count; the oldest, textual form is none that Core Data writes.
package func isBoundedPropertyList(_ data: Data) -> Bool {
  if data.starts(with: Data("bplist".utf8)) {
    // Foundation's reader dies of a set whose elements it cannot compare (swift-corelibs-foundation, Swift 6.3).
    guard let list = try? BinaryPropertyList(data), list.isPlain else { return false }
    return unfoldedSize(of: list).map { $0 <= sizeLimit } ?? false
  }
  return isShallowXML(data)
}

/// - Returns: nil where the list is nested too deep, or contains itself.
private func unfoldedSize(of list: BinaryPropertyList) -> Int? {
  var sizes: [Int: Int] = [:]
  var open: Set<Int> = []
  // Nodes with the parts that are still to be looked at; as long as the list is deep.
  var stack: [(node: Int, parts: [Int], next: Int, size: Int)] = []
  func push(_ node: Int) -> Bool {
    guard stack.count < depthLimit, open.insert(node).inserted else { return false }
    stack.append((node, parts(of: list[node]), 0, 1))
    return true
  }
  guard push(list.top) else { return nil }
  while var last = stack.popLast() {
    if last.next == last.parts.count {
      open.remove(last.node)
      sizes[last.node] = last.size
      guard !stack.isEmpty else { return last.size }
      stack[stack.count - 1].size = min(stack[stack.count - 1].size + last.size, sizeLimit + 1)
      continue
    }
    let part = last.parts[last.next]
    last.next += 1
    if let size = sizes[part] {
      last.size = min(last.size + size, sizeLimit + 1)
      stack.append(last)
    } else {
      stack.append(last)
      guard push(part) else { return nil }
    }
  }
  return nil
}

private func parts(of node: BinaryPropertyList.Node) -> [Int] {
  switch node {
  case .array(let elements): elements
  case .dictionary(let keys, let values): keys + values
  default: []
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

/// The dictionary that is the root of a keyed archive, with scalars, arrays and dictionaries as Foundation's types;
/// nil where there is none. Objects of other classes are left out.
package func archivedDictionary(_ data: Data) -> [String: Any]? {
  guard let archive = try? KeyedArchive(data), let root = archive.root else { return nil }
  var budget = 100_000
  return plainValue(.object(root), depth: 0, budget: &budget) as? [String: Any]
}

private func plainValue(_ value: ArchivedValue, depth: Int, budget: inout Int) -> Any? {
  budget -= 1
  guard budget > 0, depth < 16 else { return nil }
  switch value {
  case .null, .array: return nil
  case .boolean(let value): return value
  case .integer(let value): return value
  case .real(let value): return value
  case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
  case .data(let data): return data
  case .string(let text): return text
  case .object(let object) where object.className.contains("Dictionary"):
    var entries: [String: Any] = [:]
    for (key, value) in object.entries {
      if let value = plainValue(value, depth: depth + 1, budget: &budget) { entries[key] = value }
    }
    return entries
  case .object(let object):
    var elements: [Any] = []
    for element in object.elements {
      if let element = plainValue(element, depth: depth + 1, budget: &budget) { elements.append(element) }
    }
    return elements
  }
}

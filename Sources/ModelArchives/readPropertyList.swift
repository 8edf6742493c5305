package import Foundation

/// Reads a small property list in any form: dictionaries, arrays and scalars as Foundation's types.
///
/// Binary ones go through our own reader, which bounds the work on hostile bytes. Nil where it is none.
package func readPropertyList(_ data: Data) -> Any? {
  guard data.starts(with: Data("bplist".utf8)) else {
    guard data.count <= 16 << 20 else { return nil }
    return try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
  }
  guard let list = try? BinaryPropertyList(data) else { return nil }
  var budget = list.nodes.count * 4 + 100
  return object(at: list.top, of: list, depth: 0, budget: &budget)
}

/// - Parameter budget: how many values may still be unfolded; shared ones count each time.
private func object(at node: Int, of list: BinaryPropertyList, depth: Int, budget: inout Int) -> Any? {
  budget -= 1
  guard budget > 0, depth < 16 else { return nil }
  switch list[node] {
  case .null, .reference: return nil
  case .boolean(let value): return value
  case .integer(let value): return value
  case .real(let value): return value
  case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
  case .data(let data): return data
  case .string(let text): return text
  case .array(let nodes):
    var elements: [Any] = []
    for node in nodes {
      guard let element = object(at: node, of: list, depth: depth + 1, budget: &budget) else { return nil }
      elements.append(element)
    }
    return elements
  case .dictionary(let keys, let values):
    var entries: [String: Any] = [:]
    for (key, value) in zip(keys, values) {
      guard case .string(let text) = list[key],
        let value = object(at: value, of: list, depth: depth + 1, budget: &budget)
      else { return nil }
      entries[text] = value
    }
    return entries
  }
}

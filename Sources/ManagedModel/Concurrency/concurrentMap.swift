import Dispatch

/// The elements transformed on all processors, in their order. For versions, which do not depend on each other.
package func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ transform: @Sendable (Element) -> Result
) -> [Result] {
  guard elements.count > 1 else { return elements.map(transform) }
  let results = Locked([Result?](repeating: nil, count: elements.count))
  DispatchQueue.concurrentPerform(iterations: elements.count) { index in
    let result = transform(elements[index])
    results.withLock { $0[index] = result }
  }
  return results.withLock { $0.compactMap(\.self) }
}

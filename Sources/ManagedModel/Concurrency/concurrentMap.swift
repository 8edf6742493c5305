import Dispatch
import Foundation

/// The elements transformed, in their order, on all processors: for versions, which know nothing of each other.
package func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ transform: @Sendable (Element) -> Result
) -> [Result] {
  guard elements.count > 1 else { return elements.map(transform) }
  let results = Slots<Result>(count: elements.count)
  DispatchQueue.concurrentPerform(iterations: elements.count) { index in
    results.put(transform(elements[index]), at: index)
  }
  return results.all
}

/// The same for elements that have much in common with those before them: each is transformed with the result of an
/// earlier one at hand.
///
/// The first, on which all others can lean, is transformed alone, so that it may use all processors itself. The others
/// are cut into runs, a run for each processor, and lean on the one before them in their run. What is at hand saves
/// work and may change nothing.
package func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], afterAnother transform: @Sendable (Element, Result?) -> Result
) -> [Result] {
  guard let element = elements.first else { return [] }
  let first = transform(element, nil)
  let others = Array(elements.dropFirst())
  let runs = processorParts(of: others.count, minimum: 1).map { others[$0] }
  let results = concurrentMap(runs) { run in
    var results = [first]
    for element in run { results.append(transform(element, results.last)) }
    return results.dropFirst()
  }
  return [first] + results.joined()
}

/// The places of a list cut into parts, one for each processor; the first ones are longer where they differ.
///
/// - Parameter minimum: how many places a part has at least, where there is more than one.
package func processorParts(of count: Int, minimum: Int) -> [Range<Int>] {
  let partCount = max(1, min(count / max(1, minimum), ProcessInfo.processInfo.activeProcessorCount))
  func start(of part: Int) -> Int { (count * part + partCount - 1) / partCount }
  return (0..<partCount).map { start(of: $0)..<start(of: $0 + 1) }
}

/// Places that several threads fill, each its own.
private final class Slots<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value?]

  init(count: Int) { values = Array(repeating: nil, count: count) }

  func put(_ value: Value, at index: Int) { lock.withLock { values[index] = value } }

  var all: [Value] { lock.withLock { values.compactMap(\.self) } }
}

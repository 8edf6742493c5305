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

/// The same for elements that have much in common with the one before them: each is transformed with the result of
/// that one at hand, unless another processor is at work on it.
///
/// What is at hand saves work and may change nothing.
func concurrentMap<Element: Sendable, Result: Sendable>(
  _ elements: [Element], afterAnother transform: @Sendable (Element, Result?) -> Result
) -> [Result] {
  let runCount = min(elements.count, ProcessInfo.processInfo.activeProcessorCount)
  let runs = (0..<runCount).map { run in
    elements[elements.count * run / runCount..<elements.count * (run + 1) / runCount]
  }
  return concurrentMap(runs) { run in
    var results: [Result] = []
    for element in run { results.append(transform(element, results.last)) }
    return results
  }.flatMap(\.self)
}

/// Places that several threads fill, each its own.
private final class Slots<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value?]

  init(count: Int) { values = Array(repeating: nil, count: count) }

  func put(_ value: Value, at index: Int) { lock.withLock { values[index] = value } }

  var all: [Value] { lock.withLock { values.compactMap(\.self) } }
}

import Foundation

/// The last value under each name, for several threads: what one version of a model leaves for the others, which repeat
/// most of it.
package final class LatestByName<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: Value] = [:]

  package init() {}

  package subscript(name: String) -> Value? {
    get { lock.withLock { values[name] } }
    set { lock.withLock { values[name] = newValue } }
  }
}

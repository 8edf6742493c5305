/// The last value under each name, for several threads: what one version of a model leaves for the others, which repeat
/// most of it.
package final class NamedCache<Value: Sendable>: Sendable {
  private let values = Locked<[String: Value]>([:])

  package init() {}

  package subscript(name: String) -> Value? {
    get { values.withLock { $0[name] } }
    set { values.withLock { $0[name] = newValue } }
  }
}

/// A member that takes no part in comparing or hashing the value that has it: it equals any other of its type.
///
/// So the identity of an object is the same with and without the identifier of its store.
@propertyWrapper
package struct Aside<Value: Sendable>: Hashable, Sendable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (left: Self, right: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

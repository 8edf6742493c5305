/// What a value brings along for those who get it, without being a part of what it says: it is equal to any other.
package struct Aside<Value: Sendable>: Hashable, Sendable {
  package var value: Value?

  package init(_ value: Value? = nil) { self.value = value }

  package static func == (left: Self, right: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

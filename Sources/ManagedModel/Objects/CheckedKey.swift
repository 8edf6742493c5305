/// The highest primary key that a file names: `Z_MAX` of `Z_PRIMARYKEY`, the greatest `Z_PK` of a table, a `p12` in a
/// file of objects.
///
/// A file may name any number of 64 bits. The only arithmetic is ``next``, which is nil if no key is left.
package struct CheckedKey: Comparable, Hashable, Sendable {
  /// That of a table without rows.
  package static let none = CheckedKey(0)

  package let value: Int64

  package init(_ value: Int64) { self.value = value }

  package static func < (left: CheckedKey, right: CheckedKey) -> Bool { left.value < right.value }

  /// The key after it, 1 at least; nil if none is left.
  package var next: CheckedKey? {
    let (next, overflow) = max(value, 0).addingReportingOverflow(1)
    return overflow ? nil : CheckedKey(next)
  }
}

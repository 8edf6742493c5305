package import Foundation

/// One value of a property list that is to be written, object references (`UID`) included.
///
/// Foundation's own property lists can neither make nor show such references, and forget the order of keys,
/// which has to be the same on every run here.
package enum PropertyListValue: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case data(Data)
  case string(String)
  case array([PropertyListValue])
  case dictionary([Entry])
  /// The place of an object in a keyed archive's `$objects`.
  case reference(Int)

  package struct Entry: Hashable, Sendable {
    var key: String
    var value: PropertyListValue

    package init(_ key: String, _ value: PropertyListValue) {
      self.key = key
      self.value = value
    }
  }
}

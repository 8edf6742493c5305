package import Foundation
package import GRDB
import ManagedModel

/// What a cell holds, whatever its column was declared as.
package enum StoredCell: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Bytes, and text that is not UTF-8.
  case blob(Data)

  package init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .blob(data)
    }
  }

  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let data): data.databaseValue
    }
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// A whole number that another writer left as a real is still that number.
  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    default: nil
    }
  }

  package var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// Nil for infinity.
  package var decimal: Decimal? {
    switch self {
    case .integer(let number): Decimal(number)
    // By way of the shortest text, or 10.11 would come back as 10.109999999999999.
    case .real(let number): number.isFinite ? number.decimal : nil
    default: nil
    }
  }
}

extension Decimal {
  /// As Core Data stores it: a double, or the text NaN. A whole number that no double can hold, such as 9007199254740993,
  /// stays one.
  package var cell: StoredCell {
    if isNaN { return .text("NaN") }
    let number = nearestDouble
    guard number.magnitude >= 0x1p53, let whole = Int64("\(self)"), number.decimal != self else {
      return .real(number)
    }
    return .integer(whole)
  }
}

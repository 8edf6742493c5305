package import Foundation

/// The product of two decimals; NaN where a decimal cannot hold it.
///
/// Foundation's `*` ends the program where the product needs more than 128 places after the point. A product that is
/// too large is NaN there too.
package func product(_ left: Decimal, _ right: Decimal) -> Decimal {
  left.isNaN || right.isNaN || left.exponent + right.exponent >= -128 ? left * right : .nan
}

extension Decimal { package var nearestDouble: Double { isNaN ? .nan : Double("\(self)") ?? .nan } }

extension Double {
  /// What its shortest digits are as a decimal: 10.11, where the number itself is 10.109999999999999.
  package var decimal: Decimal? { Decimal(string: "\(self)") }

  /// The same; nil if a decimal cannot hold them.
  package var shortestDecimal: Decimal? {
    self == 0 || (magnitude > 1e-90 && magnitude < 1e120) ? decimal : nil
  }
}

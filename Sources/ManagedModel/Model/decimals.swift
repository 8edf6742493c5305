package import Foundation

/// The product of two decimals; NaN where a decimal cannot hold it.
///
/// Foundation's `*` ends the program where the product would need more than 128 places after the point; of one that is
/// too large it gives NaN as well.
package func product(_ left: Decimal, _ right: Decimal) -> Decimal {
  left.isNaN || right.isNaN || left.exponent + right.exponent >= -128 ? left * right : .nan
}

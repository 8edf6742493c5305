import Foundation

/// `formatNumber(number, pattern)`: the number's digits in a pattern of Unicode Technical Standard 35, the same on every
/// system and in every locale. `0` is a digit that is always written, `#` one that is written where there is one, `,`
/// before three digits groups by thousands, `.` begins the fraction (`#,##0.00`). A `%` or `‰` takes the number times 100 or
/// 1000. Other text is kept, but for signs that have a meaning in that standard which this has not.
///
/// Digits that the pattern has no room for are rounded, halves to the even digit.
///
/// - Throws: for a pattern without digits or with its digits in the wrong order, and for infinity and NaN.
func formatted(_ number: Number, _ pattern: String) throws -> String {
  guard
    let match = pattern.wholeMatch(of: #/([^0-9#,.¤;'@*]*)([#,]*)([0,]*)(?:\.(0*)(#*))?([^0-9#,.¤;'@*]*)/#),
    !(match.2 + match.3 + (match.4 ?? "") + (match.5 ?? "")).isEmpty
  else { throw EvaluationError.badPattern(pattern) }
  let whole = match.2 + match.3
  let groups = whole.split(separator: ",", omittingEmptySubsequences: false)
  guard groups.dropFirst().allSatisfy({ $0.count == 3 }) else { throw EvaluationError.badPattern(pattern) }
  let least = match.3.count { $0 == "0" }
  let (required, optional) = (match.4?.count ?? 0, match.5?.count ?? 0)
  guard least <= 64, required + optional <= 64 else { throw EvaluationError.badPattern(pattern) }
  let text = match.1 + match.6
  let factor: Decimal = text.contains("%") ? 100 : text.contains("‰") ? 1000 : 1
  guard let given = number.decimalValue ?? number.doubleValue.shortestDecimal, !(given * factor).isNaN else {
    throw EvaluationError("'formatNumber' takes numbers of at most 38 digits")
  }
  let exact = given * factor
  var (value, rounded) = (exact.magnitude, Decimal())
  unsafe NSDecimalRound(&rounded, &value, required + optional, .bankers)
  let parts = "\(rounded)".split(separator: ".")
  var integer = String(parts.first ?? "0")
  if integer == "0" { integer = "" }
  integer = String(repeating: "0", count: max(0, least - integer.count)) + integer
  var fraction = parts.count > 1 ? String(parts[1]) : ""
  fraction += String(repeating: "0", count: max(0, required - fraction.count))
  if integer.isEmpty, fraction.isEmpty { integer = "0" }
  if groups.count > 1 { integer = integer.groupedDigits }
  let sign = exact < 0 && !rounded.isZero ? "-" : ""
  return match.1 + sign + integer + (fraction.isEmpty ? "" : "." + fraction) + match.6
}

extension String {
  /// Digits with a comma between thousands.
  package var groupedDigits: String {
    enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (count - digit.offset) % 3 == 0 { text.append(",") }
      text.append(digit.element)
    }
  }
}

extension EvaluationError {
  fileprivate static func badPattern(_ pattern: String) -> EvaluationError {
    EvaluationError(
      "'\(pattern.prefix(80))' is not a pattern of a number",
      help: ["'0' is a digit, '#' an optional one, ',' groups: '#,##0.00'"])
  }
}

import ManagedModel

/// Both bounds first, where there is room; then small numbers, or those from the lower bound on. Nil beyond the upper
/// one.
func uniqueInteger(_ number: Int, _ range: ClosedRange<Int64>, _ count: Int) -> Int64? {
  let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
  if number < 2, overflow || width > Int64(count) + 4 {
    return number == 0 ? range.upperBound : range.lowerBound
  }
  let base = range.lowerBound < 0 && range.upperBound > Int64(count) + 4 ? 0 : range.lowerBound
  let (sum, isTooLarge) = base.addingReportingOverflow(Int64(number))
  return isTooLarge ? nil : sum
}

extension ValueBounds {
  /// Long texts end in their number, short ones are nothing but a number of fixed width.
  func uniqueText(_ number: Int) -> String {
    guard mostLength >= 13 else { return number.zeroPadded(mostLength, radix: 36) }
    // The part before the number is as long as the rules demand and says nothing.
    let digits = "\(number)"
    let lead = number % 3 == 0 && mostLength > 40 ? "Nº é " : "n "
    let missing = leastLength - lead.utf16.count - digits.utf16.count
    return lead + String(repeating: ".", count: max(0, missing)) + digits
  }
}

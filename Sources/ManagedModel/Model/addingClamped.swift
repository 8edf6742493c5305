extension FixedWidthInteger {
  /// The sum of two numbers of bytes or objects, of which a file may name any; the greatest number where it is greater.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

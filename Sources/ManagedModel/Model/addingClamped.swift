extension FixedWidthInteger {
  /// The sum of two numbers of bytes or objects, at most the greatest number. A file may state any number.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}

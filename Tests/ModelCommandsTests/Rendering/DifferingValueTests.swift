import ManagedModel
import Testing

@testable import ModelCommands
@testable import ReleaseChecks

/// A value that differs, as `diff` prints it.
@Suite("Differing values") struct DifferingValueTests {
  private func text(_ before: Double, _ after: Double) -> String {
    StoreDifference.Property(name: "created", before: .value(.date(before)), after: .value(.date(after)))
      .text(of: .changed)
  }

  /// Those of apps have fractions of a second.
  @Test func `dates are printed as ISO 8601, unless they differ by less than a microsecond`() {
    #expect(text(0.25, 86_400) == "2001-01-01T00:00:00.25Z → 2001-01-02T00:00:00Z")
    let (one, other) = (663_075_000.1234561, 663_075_000.1234563)
    #expect(text(one, other) == "\(one) → \(other)")
  }
}

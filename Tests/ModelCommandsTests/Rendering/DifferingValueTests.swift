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

  @Test func `stores of which one lacks a property are equal in what both have alone`() {
    let version = ModelVersion(name: "V1", model: ManagedObjectModel(entities: []))
    var entity = StoreDifference.Entity(
      before: "Hut", after: "Hut", identity: .primaryKey, beforeCount: 2, afterCount: 2)
    func text() -> String {
      StoreDifference(before: version, after: version, entities: [entity], unreadableCount: 0).text("a", "b")
    }
    #expect(text() == "a → b: no difference, 2 objects equal")
    entity.onlyBefore = ["fax"]
    #expect(entity.isOneSided)
    #expect(text().hasPrefix("a → b: no difference in what both have, 2 objects equal\n"))
    #expect(text().contains("\n  only in a, not compared: fax"))
    // What is in one store alone is added or removed, with all that it has.
    (entity.beforeCount, entity.removed, entity.afterCount) = (2, 2, 0)
    #expect(!entity.isOneSided)
  }
}

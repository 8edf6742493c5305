package import ManagedModel
import ModelFormats

/// What a check looks at, and what it compares it with.
package struct CheckOptions: Sendable {
  /// What a migration may need.
  package struct Budget: Sendable {
    package var seconds: Double?
    /// Of the old store and the new one together.
    package var bytes: Int64?

    package init(seconds: Double?, megabytes: Double?) {
      self.seconds = seconds
      bytes = megabytes.map { Int64(min($0 * Double(1 << 20), 9e18)) }
    }
  }

  package var level = CheckLevel.store
  package var budget: Budget?
  /// How many objects of each released version the budget is for, beside the stores that are there.
  package var budgetRows: Int?
  /// Further stores, beside those that were kept at releases.
  package var stores: [String] = []
  /// As `2026-01-31`: suppressions end.
  package var today: String
  /// The lines of a baseline file, and its name.
  package var baseline: FindingBaseline?
  /// Where migration tests lie, a folder for each model.
  package var testFolder: String?
  package var cache: ResultCache?
  /// Whether a downgrade from the current version to the last released one is wanted too.
  package var isReversible = false

  /// Whether a base that cannot be read, or not whole, is not an error.
  package var allowsUnreadBase = false

  package init(today: String) { self.today = today }

  /// The options with a model's own budget, unless the command line states one.
  func completed(by budget: MigrationBudget?) -> CheckOptions {
    guard self.budget == nil, let budget, budget.seconds != nil || budget.megabytes != nil else {
      return self
    }
    var options = self
    options.budget = Budget(seconds: budget.seconds, megabytes: budget.megabytes)
    options.budgetRows = budgetRows ?? budget.rows
    return options
  }
}

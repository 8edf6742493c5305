package import Foundation
public import ManagedModel
import ModelFormats

/// What a check looks at, and what it compares it with: the options of `modelc check`.
public struct CheckOptions: Sendable {
  /// What a migration may need.
  public struct Budget: Sendable {
    /// The longest that it may take.
    public var seconds: Double?
    /// Of the old store and the new one together.
    public var bytes: Int64?

    /// A limit for time, for room, or for both.
    ///
    /// - Parameter megabytes: 2^20 bytes each.
    public init(seconds: Double?, megabytes: Double?) {
      self.seconds = seconds
      bytes = megabytes.map { Int64(min($0 * Double(1 << 20), 9e18)) }
    }
  }

  /// How much is looked at.
  public var level = CheckLevel.store
  /// Only what is new since then counts: a git revision, a folder of released models and stores, or an app.
  public var base: String?
  /// Of SwiftData's source, which tags users have stores of, with `*` and `?`; nil for all.
  public var baseTags: String?
  /// A version whose builds must open stores of the current one.
  public var compatibleVersion: String?
  /// The rules of a service that every model has to keep.
  package var profile: ModelProfile?
  /// The most that a migration to the current version may take.
  public var budget: Budget?
  /// How many objects of each released version the budget is for, beside the stores that are there.
  package var budgetRows: Int?
  /// The paths of further stores, beside those that were kept at releases.
  public var stores: [String] = []
  /// As `2026-01-31`: suppressions end.
  package var today: String
  /// The lines of a baseline file, and its name.
  package var baseline: FindingBaseline?
  /// Where migration tests lie, a folder for each model.
  package var testFolder: String?
  package var cache: ResultCache?
  /// Whether a downgrade from the current version to the last released one is wanted too.
  public var isReversible = false

  /// Whether a base that cannot be read, or not whole, is not an error.
  public var allowsUnreadBase = false

  /// Everything is looked at, and compared with nothing.
  public init() { today = Date.now.day }

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

extension Date {
  /// In UTC, as `2026-01-31`.
  package var day: String { formatted(.iso8601.year().month().day().dateSeparator(.dash)) }
}

public import ManagedModel

/// The result of verifying a store: what was checked, and everything that is wrong.
public struct Verification: Sendable {
  /// One thing that is not as it should be.
  public struct Finding: Hashable, Sendable {
    /// What is wrong, with its code.
    public var diagnostic: Diagnostic
    /// Rows, values, references or groups of them; nil if the file or its schema is meant.
    public var count: Int?
    /// Of the first rows, in order.
    public var primaryKeys: [Int64]

    package init(_ diagnostic: Diagnostic, count: Int? = nil, primaryKeys: [Int64] = []) {
      (self.diagnostic, self.count, self.primaryKeys) = (diagnostic, count, primaryKeys)
    }
  }

  /// The model that the store was checked against.
  public enum Yardstick: Hashable, Sendable {
    /// A version of a model at hand.
    case version(RecognisedVersion)
    /// The one that the store carries in `Z_MODELCACHE`.
    case storeModel
  }

  /// SQLite's `quick_check`, or its `integrity_check`, which compares every index with its table.
  public enum IntegrityCheck: String, Hashable, Sendable, CaseIterable {
    /// SQLite's `quick_check`: every page, without holding indexes against their tables.
    case quick
    /// SQLite's `integrity_check`.
    case full
  }

  /// How much was looked at, so that "no findings" means something.
  public struct Extent: Hashable, Sendable {
    /// Tables of entities.
    public var tables = 0
    /// Tables of many-to-many relationships.
    public var joinTables = 0
    /// Columns of the tables of entities.
    public var columns = 0
    /// Indexes that the model asks for.
    public var indexes = 0
    /// Triggers that keep derived attributes.
    public var triggers = 0
    /// Rows of the tables of entities.
    public var objects = 0
    /// References from to-one columns and join tables that are not null.
    public var references = 0
    /// Conditions that every row of some table was checked against.
    public var rules = 0
    /// Files of large binary values.
    public var externalFiles = 0

    package init() {}
  }

  /// Which version the store is, and how that was found.
  public var recognition: Recognition
  /// Nil if there was no model, so that only the file could be checked.
  public var yardstick: Yardstick?
  /// Which of SQLite's own checks ran.
  public var integrityCheck: IntegrityCheck
  /// What was looked at.
  public var extent = Extent()
  /// Objects of each very entity, in numbering order.
  public var entities: [(name: String, rows: Int)] = []
  /// In the order of the checks; empty if all is well.
  public var findings: [Finding] = []

  /// Whether one of the findings is an error.
  public var hasErrors: Bool { findings.contains { $0.diagnostic.severity == .error } }
}

/// What verification looks at beyond its default.
public struct VerificationOptions: Hashable, Sendable {
  /// `integrity_check` instead of `quick_check`: indexes are checked against their tables.
  public var integrityCheck = Verification.IntegrityCheck.quick
  /// Whether values of the first rows may stand in findings.
  public var showsValues = false
  /// How many rows a finding names.
  public var exampleLimit = 5

  /// The quick check, without values, with five examples.
  public init(
    integrityCheck: Verification.IntegrityCheck = .quick, showsValues: Bool = false, exampleLimit: Int = 5
  ) {
    (self.integrityCheck, self.showsValues) = (integrityCheck, showsValues)
    self.exampleLimit = exampleLimit
  }
}

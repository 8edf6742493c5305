package import ManagedModel

/// What verifying a store found: what was looked at, and everything that is not as it should be.
package struct Verification: Sendable {
  /// One thing that is not as it should be.
  package struct Finding: Hashable, Sendable {
    package var diagnostic: Diagnostic
    /// Rows, values, references or groups of them; nil where the file or its schema is meant.
    package var count: Int?
    /// Of the first rows, in order.
    package var primaryKeys: [Int64]

    package init(_ diagnostic: Diagnostic, count: Int? = nil, primaryKeys: [Int64] = []) {
      self.diagnostic = diagnostic
      self.count = count
      self.primaryKeys = primaryKeys
    }
  }

  /// Against which model the store was held.
  package enum Yardstick: Hashable, Sendable {
    case version(RecognisedVersion)
    /// The one that the store carries in `Z_MODELCACHE`.
    case storeModel
  }

  package enum IntegrityCheck: String, Hashable, Sendable { case quick, full }

  /// How much was looked at, so that "no findings" means something.
  package struct Extent: Hashable, Sendable {
    package var tables = 0
    package var joinTables = 0
    package var columns = 0
    package var indexes = 0
    package var triggers = 0
    package var objects = 0
    /// References from to-one columns and join tables that are not null.
    package var references = 0
    /// Conditions that every row of some table was held against.
    package var rules = 0
    package var externalFiles = 0

    package init() {}
  }

  package var recognition: Recognition
  /// Nil where no model was at hand, so that only the file could be checked.
  package var yardstick: Yardstick?
  package var integrityCheck: IntegrityCheck
  package var extent = Extent()
  /// Objects of each very entity, in numbering order.
  package var entities: [(name: String, rows: Int)] = []
  package var findings: [Finding] = []

  package var hasErrors: Bool { findings.contains { $0.diagnostic.severity == .error } }
}

/// What verification looks at beyond its default.
package struct VerificationOptions: Hashable, Sendable {
  /// `integrity_check` instead of `quick_check`: indexes are held against their tables.
  package var integrityCheck = Verification.IntegrityCheck.quick
  /// Whether values of the first rows may stand in findings.
  package var showsValues = false
  /// How many rows a finding names.
  package var exampleLimit = 5

  package init(
    integrityCheck: Verification.IntegrityCheck = .quick, showsValues: Bool = false, exampleLimit: Int = 5
  ) {
    self.integrityCheck = integrityCheck
    self.showsValues = showsValues
    self.exampleLimit = exampleLimit
  }
}

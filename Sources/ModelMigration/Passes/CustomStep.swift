public import Foundation
public import ManagedModel

/// One step of a custom migration: two versions, the mapping model between them, and what carries it out.
package struct CustomStep: Sendable {
  package var source: ModelVersion
  package var destination: ModelVersion
  package var mappingModel: MappingModel
  package var custom: CustomMigrations
  /// The configuration whose entities the store has; nil if it has all.
  package var configuration: String?
  /// How many rows of each entity number the source has, as far as they were counted, by table.
  package var objectCounts: [String: [Int: Int]] = [:]
  /// The store, as its user named it.
  package var store: String
  /// What of it moves no object; nil until that is planned.
  package var carried: RowKeepingMappings?
}

/// The counts of one entity mapping.
public struct MappingCount: Hashable, Sendable {
  /// The entity mapping's name.
  public var mapping: String
  /// The source entity; nil if the mapping adds objects.
  public var source: String?
  /// The destination entity; nil if the mapping removes objects.
  public var destination: String?
  /// Objects of the source entity.
  public var sourceObjects: Int
  /// Those that passed the mapping's filter.
  public var taken: Int
  /// Source objects from which at least one destination object was created.
  public var carried: Int
  /// Destination objects that were created from them.
  public var made: Int
  /// Whether one statement made them.
  package var isStatement = false
}

/// A rule of the destination's model that objects break.
public struct RuleViolation: Hashable, Sendable {
  /// Which rule is broken.
  public var code: Diagnostic.Code
  /// Nil if the rule is about no entity.
  public var entity: String?
  /// Nil if the rule is about whole objects.
  public var property: String?
  /// Objects that break it.
  public var count: Int
  /// Of the objects, in order; at most a thousand.
  public var primaryKeys: [Int64]
  /// Whether the source broke the same rule.
  public var wasThereBefore: Bool
}

/// A custom migration whose result breaks rules of its model.
public struct MigrationValidationError: Error, Sendable {
  /// MC6101, then one finding for each rule.
  public var diagnostics: [Diagnostic]
  /// The rules that are broken, with the objects that break them.
  public var violations: [RuleViolation]
}

extension MigrationValidationError: LocalizedError, CustomStringConvertible {
  /// The rules that are broken, in one line, for a log.
  public var description: String { DiagnosticsError(diagnostics).description }
  /// The rules, without their number.
  private var rules: DiagnosticsError {
    DiagnosticsError(diagnostics.filter { $0.code != .validationFailed })
  }
  /// The first rule that is broken.
  public var errorDescription: String? { rules.errorDescription }
  /// By which objects, and that the store is unchanged.
  public var failureReason: String? {
    [rules.failureReason, "the store is unchanged"].compactMap(\.self).joined(separator: "\n")
  }
  /// How to fix it.
  public var recoverySuggestion: String? { rules.recoverySuggestion }
}

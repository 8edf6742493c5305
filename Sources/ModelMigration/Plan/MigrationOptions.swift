public import Foundation
public import ManagedModel

/// What a caller may ask of a migration.
public struct MigrationOptions: Hashable, Sendable {
  /// The version to migrate to; nil for the model's current one.
  public var targetVersion: String?
  /// Losses that are accepted for this run; a migration is refused for any other.
  public var acceptedLosses: Set<AcceptedLoss>
  /// Whether the old store stays beside the new one.
  public var keepsBackup: Bool
  /// Seconds to wait for another program's lock.
  public var busyTimeout: Double
  /// Whether connections of other programs that rest, without a lock, are not obstacle; they stay with the old file.
  public var forcesBusy: Bool
  /// Whether a store's file may be changed in place though it has other names (hard links).
  public var changesLinkedStores = false
  /// How the migration is to reach the store.
  public var route: RouteRequest = .auto
  /// Whether the result is written without free pages, in the order of its rows (SQLite's `VACUUM`).
  public var compacts = false
  /// Whether a store of the target version already gets the indexes of its model.
  public var appliesIndexes = false
  /// Whether values with the URI of an object are rewritten if its entity is renamed.
  public var rewritesURIs = false
  /// Whether the tables that mirroring to CloudKit keeps are dropped; where entity numbers change they conflict with
  /// the migration.
  public var dropsCloudKit = false
  /// Whether a migration is refused after which objects break rules of the target that they did not break before.
  public var refusesBrokenRules = false
  /// Whether ``targetVersion`` may come before the store's version. An outdated app must not downgrade a newer store by
  /// itself, so this is false by default (MC5104).
  public var allowsDowngrade = false
  /// A file to keep the store in as it was, before a downgrade drops what the earlier version has no place for; it must not
  /// exist. That loss needs no further consent.
  public var keptLosses: String?
  /// A file from ``keptLosses``: an upgrade restores from it what it cannot compute.
  public var restoredLosses: String?
  /// How a way through several versions is carried out.
  public var chain: ChainRule

  /// A migration to the current version that keeps a backup and allows no loss.
  public init(
    targetVersion: String? = nil, acceptedLosses: Set<AcceptedLoss> = [], keepsBackup: Bool = true,
    busyTimeout: Double = 1, forcesBusy: Bool = false, chain: ChainRule = .auto
  ) {
    (self.targetVersion, self.acceptedLosses, self.chain) = (targetVersion, acceptedLosses, chain)
    (self.keepsBackup, self.busyTimeout, self.forcesBusy) = (keepsBackup, busyTimeout, forcesBusy)
  }
}

/// A loss of data that a caller accepts for one run, wherever it occurs or for one entity or property.
///
/// ```swift
/// let report = try await migrator.migrate(store, accepting: [.droppedData("Hut.fax"), .narrowedNumbers]).report
/// ```
public struct AcceptedLoss: Hashable, Sendable {
  /// The code of the finding that reports the loss.
  public let code: Diagnostic.Code
  /// The entity, or `Entity.property`; nil for all.
  public let name: String?

  package init(_ code: Diagnostic.Code, of name: String? = nil) {
    self.code = code
    self.name = name
  }

  /// Objects and values that the target has no place for (MC3111).
  public static let droppedData = Self(.droppedData)
  /// Numbers that do not fit a narrower type exactly (MC3109).
  public static let narrowedNumbers = Self(.numericNarrowing)
  /// Values for which a mapping's conversion gives nothing (MC3118).
  public static let failedConversions = Self(.conversionLoss)
  /// Values of objects that a mapping merges with others (MC3120).
  public static let mergedObjects = Self(.mergedAway)

  /// The objects of an entity, or the values of `Entity.property`.
  public static func droppedData(_ name: String) -> Self { Self(.droppedData, of: name) }
  /// The numbers of `Entity.property`.
  public static func narrowedNumbers(_ name: String) -> Self { Self(.numericNarrowing, of: name) }
  /// The values of `Entity.property` of the target.
  public static func failedConversions(_ name: String) -> Self { Self(.conversionLoss, of: name) }
  /// The merged objects of an entity of the target, or the values of `Entity.property`.
  public static func mergedObjects(_ name: String) -> Self { Self(.mergedAway, of: name) }

  /// How a caller of the library accepts a loss; ``commandOptions`` says it for a command.
  static func help(_ code: Diagnostic.Code) -> String {
    "\(helpWords)`\(arguments[code] ?? "--allow-loss \(code)")`"
  }

  private static let helpWords = "or accept the loss: "

  /// The constants above, as a caller passes them.
  private static let arguments: [Diagnostic.Code: String] = [
    .droppedData: "accepting: [.droppedData]", .numericNarrowing: "accepting: [.narrowedNumbers]",
    .conversionLoss: "accepting: [.failedConversions]", .mergedAway: "accepting: [.mergedObjects]",
  ]

  /// What a command takes in the place of what a caller passes.
  package static let commandOptions = Dictionary(firstOf: arguments.map { ($1, "--allow-loss \($0)") })
    .merging([
      "MigrationOptions.keptLosses": "--keep-lost FILE", "MigrationOptions.restoredLosses": "--restore FILE",
      "MigrationOptions.route": "--route", "MigrationOptions.route = .clone": "--route clone",
      "MigrationOptions.forcesBusy": "--force-busy", "MigrationOptions.changesLinkedStores": "--force",
      "models:": "--models App.xcdatamodeld", "MigrationOptions(chain: .direct)": "--chain direct",
      "MigrationOptions(chain: .stepwise)": "--chain stepwise", "to: .file(…)": "-o FILE",
      "MigrationOptions.refusesBrokenRules": "--strict", "MigrationOptions.dropsCloudKit": "--drop-cloudkit",
      "MigrationOptions.rewritesURIs": "--rewrite-uris",
      "MigrationValidationError.violations": "--report FILE",
    ]) { first, _ in first }

  /// A finding with what a check takes: it is about every store, and accepts what the model's files say.
  package static func inCheck(_ finding: Diagnostic, _ notation: ModelNotation) -> Diagnostic {
    guard let index = finding.help.firstIndex(where: { $0.hasPrefix(helpWords) }) else { return finding }
    return finding.with {
      $0.help.remove(at: index)
      guard [.numericNarrowing, .conversionLoss].contains($0.code) else { return }
      let name = [$0.subject?.entity, $0.subject?.property].compactMap(\.self).joined(separator: ".")
      $0.help.append("or, if it may be lost, \(notation.allowingAdvice($0.code, at: name))")
    }
  }
}

extension Diagnostic.Code {
  /// A conversion gives nothing for values that are there.
  package static let conversionLoss = Self("MC3118")
  /// Objects become one, and have other values than the one that stays.
  package static let mergedAway = Self("MC3120")
}

extension Set<AcceptedLoss> {
  /// - Parameter property: nil if whole objects are lost.
  func contains(_ code: Diagnostic.Code, of entity: String, _ property: String? = nil) -> Bool {
    let names: [String?] = [nil, entity, property.map { "\(entity).\($0)" }]
    return names.contains { contains(AcceptedLoss(code, of: $0)) }
  }
}

/// A version was asked for that no model has.
public struct UnknownVersionError: Error, Hashable, Sendable {
  /// The name that was asked for.
  public let name: String
  /// All versions there are.
  public let known: [String]

  init(name: String, models: [VersionedModel]) {
    (self.name, known) = (name, models.flatMap { $0.versions.map(\.name) })
  }
}

extension UnknownVersionError: LocalizedError {
  /// Which version is not there.
  public var errorDescription: String? { "there is no version '\(name)'" }
  /// Which there are.
  public var recoverySuggestion: String? { "the versions are \(known.joined(separator: ", "))" }
}

public import ManagedModel

/// What a caller may ask of a migration.
public struct MigrationOptions: Hashable, Sendable {
  /// The version to migrate to; nil for the model's current one.
  public var targetVersion: String?
  /// Losses that are accepted for this run, by code: MC3111 for dropped data, MC3109 for narrowed numbers.
  public var allowedLosses: Set<Diagnostic.Code>
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
  /// Whether values that hold the URI of an object whose entity gets another name are changed with it.
  public var rewritesURIs = false
  /// Whether the tables that mirroring to CloudKit keeps are dropped; where entity numbers change they conflict with
  /// the migration.
  public var dropsCloudKit = false
  /// Whether a migration is refused after which objects break rules of the target that they did not break before.
  public var refusesBrokenRules = false
  /// Whether ``targetVersion`` may stand before the store's version. An app that was left behind by its store is not to
  /// take it back by itself, so this is false unless somebody asks for it (MC5104).
  public var isDowngrade = false
  /// A file to keep the store in as it was, before a downgrade drops what the earlier version has no place for; it must not
  /// exist. That loss needs no further consent.
  public var keptLosses: String?
  /// Such a file: what it holds and the upgrade cannot make is brought back from it.
  public var restoredLosses: String?
  /// How a way through several versions is carried out.
  public var chain: ChainRule

  /// A migration to the current version that keeps a backup and allows no loss.
  public init(
    targetVersion: String? = nil, allowedLosses: Set<Diagnostic.Code> = [], keepsBackup: Bool = true,
    busyTimeout: Double = 1, forcesBusy: Bool = false, chain: ChainRule = .auto
  ) {
    self.targetVersion = targetVersion
    self.allowedLosses = allowedLosses
    self.keepsBackup = keepsBackup
    self.busyTimeout = busyTimeout
    self.forcesBusy = forcesBusy
    self.chain = chain
  }
}

/// A version was asked for that no model has.
public struct UnknownVersionError: Error, Hashable, Sendable {
  /// The name that was asked for.
  public let name: String
  /// All versions there are.
  public let known: [String]

  init(name: String, models: [VersionedModel]) {
    self.name = name
    self.known = models.flatMap { $0.versions.map(\.name) }
  }
}

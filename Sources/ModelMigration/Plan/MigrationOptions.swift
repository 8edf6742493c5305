import ManagedModel

/// What a caller may ask of a migration.
public struct MigrationOptions: Hashable, Sendable {
  /// The version to migrate to; nil for the model's current one.
  public var targetVersion: String?
  /// Losses that are accepted for this run, by code: `MC3111` for dropped data, `MC3109` for narrowed numbers.
  public var allowedLosses: Set<String>
  /// Whether the old store stays beside the new one.
  public var keepsBackup: Bool
  /// Seconds to wait for another program's lock.
  public var busyTimeout: Double
  /// How a way through several versions is carried out.
  public var chain: ChainRule

  public init(
    targetVersion: String? = nil, allowedLosses: Set<String> = [], keepsBackup: Bool = true,
    busyTimeout: Double = 1, chain: ChainRule = .auto
  ) {
    self.targetVersion = targetVersion
    self.allowedLosses = allowedLosses
    self.keepsBackup = keepsBackup
    self.busyTimeout = busyTimeout
    self.chain = chain
  }
}

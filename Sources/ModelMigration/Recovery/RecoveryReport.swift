public import PersistentStore

/// What an interrupted migration left, and what recovery did with it.
public struct RecoveryReport: Hashable, Sendable {
  /// The store, as the user names it.
  public let store: String
  /// The version that the store has now; nil if no known model has it, or if there is no store.
  public let version: String?
  /// Whether there is a store of that name at all.
  public let storeExists: Bool
  /// Whether a journal lay beside the store: changes that were half done and were taken back.
  public let undidChanges: Bool
  /// The files, in the order in which they were removed.
  public let files: [File]
  /// The backups beside the store, as the user finds them.
  public let backups: [String]
  /// Where the store is not what an interrupted migration would have it be: that, and where its former content is
  /// (MC6405).
  public let diagnostics: [Diagnostic]
  /// Whether all this was only looked at.
  public let isDryRun: Bool

  /// A file that was left.
  public struct File: Hashable, Sendable {
    /// What an interrupted run left the file as.
    public typealias Meaning = LeftoverMeaning

    /// The file, beside the store.
    public let path: String
    /// What it was found to be, by its name and its content.
    public let meaning: Meaning
    /// The file's size.
    public let byteCount: Int64
    /// For a second name of a backup that stays: the name that it has.
    public let backup: String?
  }

  /// Whether nothing was left.
  public var isEmpty: Bool { files.isEmpty && !undidChanges }
  /// Whether they include files of a migration that is running in another process.
  public var isMigrationRunning: Bool { files.contains { $0.meaning == .inUse } }
}

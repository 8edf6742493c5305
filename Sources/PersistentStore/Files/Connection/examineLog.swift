package import ManagedModel

extension StoreFile {
  /// Warns of transactions in the log behind a frame that is damaged: SQLite reads none of them, and the next program that
  /// writes to the store overwrites them.
  ///
  /// That a log has lost its end cannot be seen, nor are logs of more than 16 MB read for this: SQLite keeps to four.
  package func examineLog() -> [Diagnostic] {
    guard let wal, wal.hasFrames, wal.size <= 16 << 20,
      let damage = (try? LogPages(ofLogAt: path + "-wal"))?.damage,
      // One alone is what a program that died left unfinished.
      damage.transactions > 1
    else { return [] }
    return [Diagnostic](
      .unreadableWriteAheadLog, .warning,
      "frame \(damage.frame) of '\(name)-wal' is damaged: SQLite ignores \(damage.transactions) transactions from there on",
      notes: [
        "their changes are not read, and are lost once a program writes to the store, as a migration does",
        "the cause is a power failure, or a copy that was made while the app was saving",
      ],
      help: ["copy '\(name)' and '\(name)-wal' from their source again, while no program has the store open"])
  }
}

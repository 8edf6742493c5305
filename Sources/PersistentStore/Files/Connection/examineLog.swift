import Foundation
package import ManagedModel

extension StoreFile {
  /// Warns of transactions in the log behind a frame that is damaged: SQLite reads none of them, and the next program that
  /// writes to the store overwrites them.
  ///
  /// That a log has lost its end cannot be seen, nor are logs of more than 16 MB read for this: SQLite keeps to four.
  ///
  /// - Parameter keepsCopy: whether a copy of such a log stays next to the store, as a backup does.
  package func examineLog(keepsCopy: Bool = false) -> [Diagnostic] {
    guard let wal, wal.hasFrames, wal.size <= 16 << 20,
      let damage = (try? LogPages(ofLogAt: path + "-wal"))?.damage,
      // One alone is what a program that died left unfinished.
      damage.transactions > 1
    else { return [] }
    let (log, files) = (path + "-wal", FileManager.default)
    // An earlier copy stays, and so does one of the same log.
    let copy = (1...99).lazy.map { log + ".damaged" + ($0 == 1 ? "" : "-\($0)") }
      .first { !files.fileExists(atPath: $0) || files.contentsEqual(atPath: log, andPath: $0) }
    let kept: String? = copy.flatMap {
      keepsCopy && (files.fileExists(atPath: $0) || (try? files.copyItem(atPath: log, toPath: $0)) != nil)
        ? "an unchanged copy of the log is next to the store: '\($0.lastComponent)'" : nil
    }
    return [Diagnostic](
      .unreadableWriteAheadLog, .warning,
      "frame \(damage.frame) of '\(name)-wal' is damaged: SQLite ignores \(damage.transactions) transactions from there on",
      notes: [
        "their changes are not read, and are lost once a program writes to the store, as migrations and repairs do",
        "the cause is a power failure, or a copy that was made while the app was saving",
      ] + (keepsCopy ? [Diagnostic.Note(kept ?? "no copy of the log could be kept")] : []),
      help: ["copy '\(name)' and '\(name)-wal' from their source again, while no program has the store open"])
  }
}

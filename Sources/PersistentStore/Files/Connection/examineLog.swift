package import ManagedModel

extension StoreFile {
  /// Warns of transactions in the log behind a frame that is damaged: SQLite reads none of them, and the next program that
  /// writes to the store overwrites them.
  ///
  /// Frames of an earlier round of the log have another salt and count for nothing. That a log has lost its end cannot be
  /// seen, nor are logs of more than 16 MB read for this: SQLite keeps to four.
  package func examineLog() -> [Diagnostic] {
    guard let wal, wal.hasFrames, wal.size <= 16 << 20, let log = try? OpenFile(reading: path + "-wal"),
      let beginning = try? log.read(WriteAheadLog.headerByteCount, at: 0),
      beginning.count == WriteAheadLog.headerByteCount
    else { return [] }
    var sum = LogSum(ofHeader: beginning)
    var (damaged, lost) = (Int?.none, 0)
    let size = 24 + header.pageSize
    for index in 0..<Int(wal.size - Int64(beginning.count)) / size {
      guard let frame = try? log.read(size, at: Int64(beginning.count + index * size)), frame.count == size,
        frame[8..<16] == beginning[16..<24]
      else { break }
      let isCommit = frame.number(at: 4, bytes: 4) > 0
      if damaged == nil {
        sum.add(frame[..<8])
        sum.add(frame[24...])
        if !sum.isWritten(in: frame, at: 16) { damaged = index + 1 }
      }
      if damaged != nil, isCommit { lost += 1 }
    }
    // One alone is what a program that died left unfinished.
    guard let damaged, lost > 1 else { return [] }
    return [Diagnostic](
      .unreadableWriteAheadLog, .warning,
      "frame \(damaged) of '\(name)-wal' is damaged: SQLite ignores \(lost) transactions from there on",
      notes: [
        "their changes are not read, and are lost once a program writes to the store, as a migration does",
        "the cause is a power failure, or a copy that was made while the app was saving",
      ],
      help: ["copy '\(name)' and '\(name)-wal' from their source again, while no program has the store open"])
  }
}

import Foundation
package import PersistentStore

extension MigrationPlan {
  /// Room that the run needs beside the store while it works, at most: the new file, or in place the journal, and the
  /// old one where it stays as a backup and its file system cannot share it.
  public var bytesNeeded: Int64 {
    if isCurrent || isBlocked { return 0 }
    return storeBytes + (route == .inPlace ? journalBytes : storeBytes)
  }

  /// Rows that statements change or copy; each counts as often as a statement takes it.
  package var rowsToChange: Int {
    let rows = rowsByTable
    return statementPlan.map { statement in
      statement.changesRows ? statement.tableName.flatMap { rows[$0] }?.count ?? 0 : 0
    }.reduce(0, +)
  }

  /// How long the run would take on this machine, about: from the plan's rows and bytes and a measurement that is made
  /// once a month and kept in the user's cache folder (`XDG_CACHE_HOME`).
  ///
  /// - Returns: seconds; nil where nothing would run, or nothing could be measured.
  public func estimatedSeconds() -> Double? {
    if isCurrent || isBlocked { return nil }
    return cachedMachineSpeed().map { estimatedSeconds(at: $0) }
  }

  package func estimatedSeconds(at speed: MachineSpeed) -> Double {
    let bytes = Double(storeBytes)
    // Planning and proving read each row once; that is about what a check of the file costs.
    return 0.02 + bytes / speed.copiedBytes + Double(rowsToChange) / speed.changedRows
      + 3 * bytes / speed.checkedBytes
  }
}

/// What was measured on this machine, or is measured now.
private func cachedMachineSpeed() -> MachineSpeed? {
  let environment = ProcessInfo.processInfo.environment
  let base =
    environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
    ?? environment["HOME"].map { URL(filePath: $0).appending(path: ".cache") }
  let file = base?.appending(path: "modelc/speed.json")
  if let file,
    let age = try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate,
    abs(age.timeIntervalSinceNow) < 30 * 86_400, let data = try? Data(contentsOf: file),
    let speed = try? JSONDecoder().decode(MachineSpeed.self, from: data), speed.isSensible
  {
    return speed
  }
  guard let speed = try? withTemporaryFolder("speed", { try MachineSpeed.measured(in: $0.url) }) else {
    return nil
  }
  if let file {
    // Without a cache it is measured again next time; nothing else depends on it.
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? JSONEncoder().encode(speed).write(to: file, options: .atomic)
  }
  return speed
}

extension MachineSpeed {
  fileprivate var isSensible: Bool {
    [copiedBytes, changedRows, checkedBytes].allSatisfy { $0.isFinite && $0 > 1 }
  }
}

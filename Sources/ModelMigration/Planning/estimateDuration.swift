import Foundation
import ManagedModel
package import PersistentStore

/// What copying, changing and checking cost on this machine.
package func measuredMachineSpeed() -> MachineSpeed? {
  try? withTemporaryFolder("speed") { try MachineSpeed.measured(in: $0.url) }
}

extension MigrationPlan {
  /// Room that the run needs beside the store while it works, about: the new file with what rows gain, or in place the
  /// journal, and the old one where it stays as a backup that is a copy.
  public var bytesNeeded: Int64 { isCurrent || isBlocked ? 0 : room.addingClamped(growth) }

  /// What rows gain with constants, and of an upper bound what pages do that split: half full at worst.
  private var growth: Int64 {
    let rows = rowsByTable
    let gained = statementPlan.map { statement -> Double in
      guard case .update(let table, let assignments, _) = statement else { return 0 }
      let bytes = assignments.reduce(0) { $0 + $1.value.sql.utf8.count + 2 }
      return Double(rows[table]?.count ?? 0) * Double(bytes)
    }
    return (isRoomBounded ? min(journalBytes, room) : 0)
      .addingClamped(Int64(min(2 * gained.reduce(0, +), 1e18)))
  }

  /// How sure that is: steps that make objects, and new indexes, may make a file that is larger than that.
  package var roomBound: String { isRoomBounded ? "at most" : "about" }

  private var isRoomBounded: Bool {
    let makesIndexes = statementPlan.contains { $0.createdIndexName != nil }
    return segments.count < 2 && segments.allSatisfy(\.isInferred) && !makesIndexes
  }

  /// Rows that statements change or copy; each counts as often as a statement takes it.
  package var rowsToChange: Int {
    let rows = rowsByTable
    return statementPlan.map { statement in
      statement.changesRows ? statement.tableName.flatMap { rows[$0] }?.count ?? 0 : 0
    }.reduce(0, +)
  }

  /// How long the run would take on this machine, about: from the plan's rows and bytes and a measurement, which takes a
  /// tenth of a second and a few megabytes in the temporary folder.
  ///
  /// - Returns: seconds; nil if nothing would run, or nothing could be measured.
  public func estimatedSeconds() -> Double? { estimatedSeconds(at: measuredMachineSpeed) }

  /// - Parameter measure: asked only where something would run.
  package func estimatedSeconds(at measure: () -> MachineSpeed?) -> Double? {
    if isCurrent || isBlocked { return nil }
    guard let speed = measure() else { return nil }
    let bytes = Double(storeBytes)
    // Planning and proving read each row once; that is about what a check of the file costs.
    return 0.02 + bytes / speed.copiedBytes + Double(rowsToChange) / speed.changedRows
      + 3 * bytes / speed.checkedBytes
  }
}

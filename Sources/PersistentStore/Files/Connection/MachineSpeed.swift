package import Foundation
import GRDB

/// How fast this machine is at what migrations spend their time with.
package struct MachineSpeed: Codable, Hashable, Sendable {
  /// Bytes of a file copied in a second, what the kernel shares instead of copying included.
  package var copiedBytes: Double
  /// Rows whose values change in a second.
  package var changedRows: Double
  /// Bytes of a store that SQLite checks in a second.
  package var checkedBytes: Double

  /// Measures with a small file: about a tenth of a second.
  package static func measured(in folder: URL) throws -> MachineSpeed {
    let file = folder.appending(path: "modelc-speed-\(UUID().uuidString)")
    let copy = file.appendingPathExtension("copy")
    defer { for url in [file, copy] { try? FileManager.default.removeItem(at: url) } }
    let rows = 20_000
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.set(["journal_mode = OFF", "synchronous = OFF"]) }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    let (changing, checking) = try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, a INTEGER, b VARCHAR, c BLOB)")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
          INSERT INTO t SELECT i, i * 7, 'a row of a table ' || i, zeroblob(100) FROM n
          """)
      let changing = try seconds { try db.execute(sql: "UPDATE t SET a = a + 1, b = b || 'x'") }
      let checking = try seconds { _ = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") }
      return (changing, checking)
    }
    try queue.close()
    let size = Double((try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0)
    let copying = try seconds { try FileManager.default.copyItem(at: file, to: copy) }
    return MachineSpeed(
      copiedBytes: size / copying, changedRows: Double(rows) / changing, checkedBytes: size / checking)
  }
}

/// Never nothing, so that it can be divided by.
private func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return max(1e-6, (ContinuousClock.now - start) / .seconds(1))
}

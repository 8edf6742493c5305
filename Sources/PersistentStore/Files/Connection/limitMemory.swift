import CSQLite

/// Bounds the memory of all of SQLite's connections together, so that no store takes the machine's.
///
/// The bound holds for the whole process, every use of SQLite in it included: a command sets it for as long as it runs.
/// Within an app it is the app's to set.
///
/// - Returns: the bound before; 0 for none.
package func limitMemory(to byteCount: Int64 = 384 << 20) -> Int64 { sqlite3_hard_heap_limit64(byteCount) }

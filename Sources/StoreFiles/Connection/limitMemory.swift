import CSQLite

/// Bounds the memory of all of SQLite's connections together, so that no store takes the machine's.
///
/// The bound holds for the whole process, every use of SQLite in it included: a program that does nothing but this sets
/// it as it starts. Within an app it is the app's to set.
package func limitMemory() { _ = sqlite3_hard_heap_limit64(384 << 20) }

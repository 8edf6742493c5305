import Foundation

/// What is left of a backup whose change was interrupted.
///
/// Where the store holds all that the backup holds, the backup goes under each of its names; else only its mark does,
/// and a backup that nobody could find without it gets a name that everybody sees.
///
/// - Parameter mark: the backup's private name.
func leftBackup(
  markedBy mark: String, ofStoreAt path: String, among names: [String], reading store: (any StoreReading)?
) throws -> [Leftover] {
  let folder = parentFolder(of: path)
  let (main, log) = ("\(folder)/\(mark)", "\(folder)/\(mark)-wal")
  // SQLite's own beside a backup that was looked at.
  let sideFiles = try ["-shm", "-journal"].flatMap { try leftover(main + $0, .unfinishedFile) }
  let hasLog = try FileStatus(atPath: log)?.kind == .regular
  guard try FileStatus(atPath: main)?.kind == .regular else {
    // A log alone is what an interrupted removal leaves; under another name it may belong to a backup that stays.
    return try sideFiles + leftover(log, .backupMark)
  }
  let isNeedless = try store.map { try holdsBackup($0, at: path, main) } ?? false
  if isNeedless {
    let second = try ([main] + (hasLog ? [log] : [])).flatMap { file in
      try otherNames(of: file, among: names).filter { isNameOfBackup($0, store: path.lastComponent) }
    }
    // The main file before its log: alone the log passes for nothing.
    let ordered = second.sorted { $0.count < $1.count }.map { "\(folder)/\($0)" } + [main, log]
    return try sideFiles + ordered.flatMap { try leftover($0, .needlessBackup) }
  }
  // Where the store is the same file, its own name is none of the backup's.
  let others = names.filter { $0 != path.lastComponent }
  let backup =
    try otherName(of: main, log: hasLog ? log : nil, among: others) ?? newName(ofStoreAt: path, mark)
  // The log gets its name first: without it the main file would pass for a whole store.
  return try sideFiles + leftover(log, .backupMark, backup: backup + "-wal")
    + leftover(main, .backupMark, backup: backup)
}

/// A name under which everybody finds the backup, its log beside it.
private func otherName(of main: String, log: String?, among names: [String]) throws -> String? {
  let logs = try log.map { Set(try otherNames(of: $0, among: names)) }
  let found = try otherNames(of: main, among: names).sorted().first { logs?.contains($0 + "-wal") ?? true }
  return found.map { "\(parentFolder(of: main))/\($0)" }
}

/// Names in the same folder that lead to the same file, private ones left out.
private func otherNames(of file: String, among names: [String]) throws -> [String] {
  let folder = parentFolder(of: file)
  guard let status = try FileStatus(atPath: file), status.linkCount > 1 else { return [] }
  return try names.filter { name in
    guard !name.contains(".modelc-") else { return false }
    return try FileStatus(atPath: "\(folder)/\(name)")?.identity == status.identity
  }
}

/// The backups beside a store, by the names that ours have; sorted.
package func backups(ofStoreAt path: String) -> [String] {
  let (folder, store) = (parentFolder(of: path), path.lastComponent)
  return namesInFolder(folder).filter { name in
    isNameOfBackup(name, store: store) && !["-wal", "-shm", "-journal"].contains { name.hasSuffix($0) }
  }.map { "\(folder)/\($0)" }.filter { (try? FileStatus(atPath: $0))?.kind == .regular }
}

/// Whether a backup of ours is called so; a file that somebody named otherwise is his.
private func isNameOfBackup(_ name: String, store: String) -> Bool {
  name.hasPrefix(store + ".") && name.contains(backupMark)
}

/// One that is free, and the work's own: the digits of its private names are in it.
func newName(ofStoreAt path: String, _ mark: String) throws -> String {
  let digits = mark.prefix(mark.utf8.count - (mark.hasSuffix(backupMark) ? backupMark.utf8.count : 0)).suffix(
    8)
  for number in 1...9999 {
    let name = path + ".interrupted-\(digits)" + backupMark + (number == 1 ? "" : " \(number)")
    if try areFree(name) { return name }
  }
  throw SystemError(EEXIST, "name a backup of", path)
}

import Foundation
import ManagedModel

/// A file beside a store that a replacement made and, because it was killed, could not take away.
package struct Leftover: Hashable, Sendable {
  package enum Meaning: String, Hashable, Sendable {
    /// A file that was being made and never took the store's place.
    case unfinishedFile
    /// A backup for a swap that did not happen; the store itself is what it holds.
    case needlessBackup
    /// A second name of the backup of a swap that did happen.
    case backupMark
    /// A large value in a file of its own that no store refers to.
    case unfinishedValue
    /// A folder that was made for such values.
    case unfinishedFolder
    /// The record of large values that belong to the store now, and stay.
    case valueRecord
    /// Another process is still at work on it.
    case inUse
  }

  package var path: String
  package var meaning: Meaning
  package var byteCount: Int64
  package var isFolder = false
}

/// What interrupted replacements left beside a store, whether the store itself is there or not; in the order in which
/// it can be removed, so that a second interruption changes nothing of what the rest means.
///
/// A replacement works on `.<store>.modelc-<8 hexadecimal digits>`; the rename that ends it takes that name away. Its
/// backup has a private name of the same digits beside its own until then. So, where the staged file is still there,
/// the swap did not happen, and the backup with it is needless. Where only the backup's private name is there, the swap
/// happened, or the store was to be changed where it lies; then it tells itself whether it was. What was put into the
/// folder for external data is written down in a record with such a name; whether it is of use, the rows say. Links are
/// not followed, and no other names are looked at.
///
/// - Parameter store: reads the store, changes in its log included; without it neither backups nor large values whose
///   fate the store alone tells are among the findings.
package func findLeftovers(
  ofStoreAt path: String, reading store: (any StoreReading)? = nil
) throws -> [Leftover] {
  let folder = parentFolder(of: path)
  let name = lastComponent(of: path)
  guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
  var works: [String: [String]] = [:]
  for candidate in names {
    if let staged = stagedName(of: candidate, store: name) { works[staged, default: []].append(candidate) }
  }
  var leftovers: [Leftover] = []
  for (staged, files) in works.sorted(by: { $0.key < $1.key }) {
    let record = staged + externalRecordEnd
    if files.contains(record) {
      leftovers += try leftExternalData(
        recordedIn: "\(folder)/\(record)", ofStoreAt: path, reading: store)
    }
    leftovers += try leftoversOfOneWork(
      staged, files.filter { $0 != record }, among: names, store: name, folder: folder,
      imprint: { try store?.read(StoreImprint.init(of:)) })
  }
  return leftovers
}

/// Removes what ``findLeftovers(ofStoreAt:)`` found, but for what others are at work on; called under the lock of the
/// store, where there is a store.
package func removeLeftovers(_ leftovers: [Leftover], ofStoreAt path: String, named name: String) throws {
  try withStoreDiagnostics(for: name, .destination) {
    for leftover in leftovers where leftover.meaning != .inUse {
      if leftover.isFolder { try removeEmptyFolder(leftover.path) } else { try removeFile(leftover.path) }
    }
    if !leftovers.isEmpty { try synchronizeFolder(parentFolder(of: path)) }
  }
}

private func leftoversOfOneWork(
  _ staged: String, _ files: [String], among names: [String], store: String, folder: String,
  imprint: () throws -> StoreImprint?
) throws -> [Leftover] {
  func leftover(_ name: String, _ meaning: Leftover.Meaning) throws -> Leftover? {
    guard let status = try FileStatus(atPath: "\(folder)/\(name)"), status.kind == .regular else {
      return nil
    }
    return Leftover(path: "\(folder)/\(name)", meaning: meaning, byteCount: status.size)
  }
  let marks = files.filter { $0.hasPrefix(staged + backupMark) }.sorted()
  let rest = files.filter { !marks.contains($0) }.sorted { $0.count > $1.count }
  let isStaged = rest.contains(staged)
  if isStaged, try isInUse("\(folder)/\(staged)") { return try files.compactMap { try leftover($0, .inUse) } }
  var backups: [String] = []
  for mark in marks {
    backups += try secondNames(of: mark, among: names, store: store, folder: folder)
  }
  let isNeedless =
    try isStaged || backups.isEmpty
    || isImprint(imprint, thatOf: "\(folder)/\(staged)\(backupMark)")
  let meaning = isNeedless ? Leftover.Meaning.needlessBackup : .backupMark
  // The main file before its log: alone the log passes for nothing.
  let needless = isNeedless ? backups.sorted { $0.count < $1.count } : []
  return try needless.compactMap { try leftover($0, .needlessBackup) }
    + marks.compactMap { try leftover($0, meaning) }
    // The staged file is the longest to stay: its presence says that the swap did not happen.
    + rest.compactMap { try leftover($0, .unfinishedFile) }
}

/// Whether a store is what its backup is: the change that the backup was made for did not happen.
private func isImprint(_ imprint: () throws -> StoreImprint?, thatOf backup: String) throws -> Bool {
  guard try FileStatus(atPath: backup)?.kind == .regular, let own = try imprint() else { return false }
  return StoreImprint(ofStoreAt: backup) == own
}

/// The part of a private name without side file and backup: `.Shop.sqlite.modelc-1a2b3c4d`; nil for other names.
private func stagedName(of name: String, store: String) -> String? {
  let beginning = ".\(store).modelc-"
  guard name.hasPrefix(beginning) else { return nil }
  let digits = name.dropFirst(beginning.count).prefix(8)
  let isHexadecimal = digits.allSatisfy { $0.isASCII && ($0.isNumber || ("a"..."f").contains($0)) }
  let end = name.dropFirst(beginning.count + 8)
  let sideFiles = ["", "-wal", "-shm", "-journal"]
  let ends = sideFiles + sideFiles.map { backupMark + $0 } + [externalRecordEnd]
  guard digits.count == 8, isHexadecimal, ends.contains(String(end)) else { return nil }
  return beginning + digits
}

/// The names of backups that lead to the same file as a mark.
private func secondNames(
  of mark: String, among names: [String], store: String, folder: String
) throws -> [String] {
  guard let identity = try FileStatus(atPath: "\(folder)/\(mark)")?.identity else { return [] }
  return try names.filter { name in
    guard name.hasPrefix(store + "."), name.contains(".backup") else { return false }
    return try FileStatus(atPath: "\(folder)/\(name)")?.identity == identity
  }
}

/// Whoever works on a private file has marked it.
func isInUse(_ path: String) throws -> Bool {
  try withStoreDiagnostics(for: path) {
    guard try FileStatus(atPath: path)?.kind == .regular else { return false }
    return try !OpenFile(reading: path).takeMark()
  }
}

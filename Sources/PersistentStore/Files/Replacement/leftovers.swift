import Foundation
import GRDB

/// A file beside a store that a replacement made and, because it was killed, could not take away.
package struct Leftover: Hashable, Sendable {
  package typealias Meaning = LeftoverMeaning

  package var path: String
  package var meaning: Meaning
  package var byteCount: Int64
  package var isFolder = false
  /// For the mark of a backup that stays: the name that it has, or gets when the mark is taken away.
  package var backup: String?
}

/// What an interrupted run left a file as.
public enum LeftoverMeaning: String, Hashable, Sendable, CaseIterable {
  /// It was being made and never took the store's place.
  case unfinishedFile
  /// A backup of a change that did not happen: the store holds what it holds.
  case needlessBackup
  /// A second name of a backup that stays: the store holds something else, or is not there.
  case backupMark
  /// A large value in a file of its own that no store refers to.
  case unfinishedValue
  /// A folder that was made for such values.
  case unfinishedFolder
  /// The record of large values that belong to the store now, and stay.
  case valueRecord
  /// Another process is at work on it; it is not touched.
  case inUse
}

/// What interrupted replacements left beside a store, whether the store itself is there or not; in the order in which
/// it can be removed, so that a second interruption changes nothing of what the rest means.
///
/// A replacement works on `.<store>.modelc-<8 hexadecimal digits>`; the rename that ends it takes that name away. Its
/// backup has a private name of the same digits beside its own until then. Whether the backup is needed does not follow
/// from these names: it is needless only where the store stands there and holds what the backup holds. What was put into
/// the folder for external data is written down in a record with such a name; as long as a private file is there, no
/// other file's rows refer to that. Links are not followed, and no other names are looked at.
///
/// - Parameters:
///   - store: reads the store, changes in its log included; without it no backup is needless, and no large value whose
///     fate the store alone tells is among the findings.
///   - followsCopies: whether what was left of copies of the store is looked for, wherever those were written.
package func findLeftovers(
  ofStoreAt path: String, reading store: (any StoreReading)? = nil, followsCopies: Bool = true
) throws -> [Leftover] {
  let folder = parentFolder(of: path)
  let name = path.lastComponent
  guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [] }
  var works: [String: [String]] = [:]
  for candidate in names {
    if let staged = stagedName(of: candidate, store: name) { works[staged, default: []].append(candidate) }
  }
  let isUnfinished = works.contains { staged, files in files.contains(staged) }
  var values: [Leftover] = []
  var files: [Leftover] = []
  for (staged, own) in works.sorted(by: { $0.key < $1.key }) {
    let record = staged + externalRecordEnd
    if own.contains(record) {
      values += try leftExternalData(
        recordedIn: "\(folder)/\(record)", ofStoreAt: path, isUnfinished: isUnfinished, reading: store)
    }
    let copy = staged + CopyRecord.end
    if own.contains(copy) { files += try leftCopy(recordedIn: "\(folder)/\(copy)", follows: followsCopies) }
    let rest = own.filter { $0 != record && $0 != copy }
    files += try leftoversOfOneWork(staged, rest, ofStoreAt: path, among: names, reading: store)
  }
  // The values before the private file, whose presence says what they are.
  return values + files
}

/// Says beside a store where a copy of it is being written, so that a recovery of the store finds what a kill leaves there.
package final class CopyRecord {
  fileprivate static let end = ".copy"
  private let path: String
  private let place: String
  private let file: OpenFile

  /// - Parameter output: the copy's place.
  package init(ofStoreAt store: String, named name: String, to output: String) throws {
    path = privatePath(besides: store) + Self.end
    place = output.hasPrefix("/") ? output : FileManager.default.currentDirectoryPath + "/" + output
    file = try withStoreDiagnostics(for: name, .destination) { [path, place] in
      let file = try OpenFile(creating: path)
      _ = file.takeMark()
      do {
        try file.write(Array(place.utf8), at: 0)
        try file.synchronize()
      } catch {
        try? removeFile(path)
        throw error
      }
      return file
    }
  }

  deinit { remove() }

  /// The record stays where something of the copy could not be removed: nothing else leads a recovery there.
  package func remove() {
    guard let left = try? leftOfCopy(at: place), left.isEmpty else { return }
    try? removeFile(path)
  }
}

/// What a copy has left at its place; what is whole there has its name, and stays.
private func leftOfCopy(at place: String) throws -> [Leftover] {
  let meanings: Set<Leftover.Meaning> = [.unfinishedFile, .unfinishedValue, .unfinishedFolder, .valueRecord]
  return try findLeftovers(ofStoreAt: place, followsCopies: false).filter { meanings.contains($0.meaning) }
}

/// What was left of a copy, and the record of it.
private func leftCopy(recordedIn record: String, follows: Bool) throws -> [Leftover] {
  if try isInUse(record) { return try leftover(record, .inUse) }
  let own = try leftover(record, .unfinishedFile)
  guard follows, !own.isEmpty else { return own }
  let bytes = try withStoreDiagnostics(for: record) { try OpenFile(reading: record).read(4096, at: 0) }
  guard let place = String(validating: bytes, as: UTF8.self), place.hasPrefix("/") else { return own }
  // A record that names its own store, however it spells the path, would be found again.
  let identity = try FileStatus(atPath: record)?.identity
  let left = try leftOfCopy(at: place).filter { try FileStatus(atPath: $0.path)?.identity != identity }
  return left + own
}

extension [Leftover] {
  /// Removes what ``findLeftovers(ofStoreAt:)`` found, but for what others are at work on; called under the lock of the
  /// store, where there is a store.
  package func remove(ofStoreAt path: String, named name: String) throws {
    try withStoreDiagnostics(for: name, .destination) {
      for leftover in self where leftover.meaning != .inUse {
        if let backup = leftover.backup { try keepName(backup, of: leftover.path) }
        if leftover.isFolder { try removeEmptyFolder(leftover.path) } else { try removeFile(leftover.path) }
      }
      if !isEmpty { try synchronizeFolder(parentFolder(of: path)) }
    }
  }
}

/// Sees to it that a backup has the name under which it stays, before its mark goes.
private func keepName(_ backup: String, of mark: String) throws {
  // Gone in the meantime, or on a file system where a file has one name, given that name before.
  guard let own = try FileStatus(atPath: mark) else { return }
  if try FileStatus(atPath: backup)?.identity == own.identity { return }
  // Fails if another file has taken the name; the mark then stays.
  try addName(backup, to: mark)
  try synchronizeFolder(parentFolder(of: mark))
}

private func leftoversOfOneWork(
  _ staged: String, _ files: [String], ofStoreAt path: String, among names: [String],
  reading store: (any StoreReading)?
) throws -> [Leftover] {
  let folder = parentFolder(of: path)
  let marks = files.filter { $0.hasPrefix(staged + backupMark) }
  let rest = files.filter { !marks.contains($0) }.sorted { $0.count > $1.count }
  if rest.contains(staged), try isInUse("\(folder)/\(staged)") {
    return try files.flatMap { try leftover("\(folder)/\($0)", .inUse) }
  }
  if marks.isEmpty, rest.contains(staged), let store, isWholeStore("\(folder)/\(staged)", otherThan: store) {
    let kept = try leftover("\(folder)/\(staged)", .backupMark, backup: newName(ofStoreAt: path, staged))
    let sideFiles = rest.filter { $0 != staged }
    return try sideFiles.flatMap { try leftover("\(folder)/\($0)", .unfinishedFile) } + kept
  }
  // The staged file is the longest to stay: without it what is left would mean something else.
  return try leftBackup(markedBy: staged + backupMark, ofStoreAt: path, among: names, reading: store)
    + rest.flatMap { try leftover("\(folder)/\($0)", .unfinishedFile) }
}

/// Whether a private file without a backup is a sound store, and the one in its place is another: an app has begun a new
/// one since the run was killed, and the old one's data may be nowhere else.
private func isWholeStore(_ staged: String, otherThan store: any StoreReading) -> Bool {
  guard let own = try? store.read({ try $0.storeUUID() }) else { return false }
  let found = try? StoreConnection(path: staged, busyTimeout: 0)
    .read { db in try db.quickCheckFindings().isEmpty ? db.storeUUID() : nil }
  return found.flatMap(\.self).map { $0 != own } ?? false
}

/// A regular file; none for anything else.
func leftover(_ path: String, _ meaning: Leftover.Meaning, backup: String? = nil) throws -> [Leftover] {
  guard let status = try FileStatus(atPath: path), status.kind == .regular else { return [] }
  return [Leftover(path: path, meaning: meaning, byteCount: status.size, backup: backup)]
}

/// The part of a private name without side file and backup: `.Shop.sqlite.modelc-1a2b3c4d`; nil for other names.
private func stagedName(of name: String, store: String) -> String? {
  let beginning = ".\(store).modelc-"
  guard name.hasPrefix(beginning) else { return nil }
  let digits = name.dropFirst(beginning.count).prefix(8)
  let isHexadecimal = digits.allSatisfy { $0.isASCII && ($0.isNumber || ("a"..."f").contains($0)) }
  let end = name.dropFirst(beginning.count + 8)
  let sideFiles = ["", "-wal", "-shm", "-journal"]
  let ends = sideFiles + sideFiles.map { backupMark + $0 } + [externalRecordEnd, CopyRecord.end]
  guard digits.count == 8, isHexadecimal, ends.contains(String(end)) else { return nil }
  return beginning + digits
}

/// Whoever works on a private file has marked it.
func isInUse(_ path: String) throws -> Bool {
  try withStoreDiagnostics(for: path) {
    guard try FileStatus(atPath: path)?.kind == .regular else { return false }
    return try !OpenFile(reading: path).takeMark()
  }
}

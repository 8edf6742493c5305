import Foundation
import ManagedModel
import PersistentStore
import ReleaseChecks

/// The folder where the project or a store lies, the one for temporary files, and the cache.
///
/// - Parameters:
///   - folder: the project's, or the store's.
///   - cache: where the cache lies; nil if it has no place.
func folderChecks(_ folder: String, cache: URL?) -> [DoctorCheck] {
  let probe = FolderProbe(folder)
  let temporary = TemporaryFolder.system.path
  return [
    folderCheck("folder", folder, probe, "a store there"), lockCheck(probe),
    folderCheck("temporary", temporary, FolderProbe(temporary), "git and dry runs"), cacheCheck(cache),
  ]
}

private func folderCheck(
  _ name: String, _ folder: String, _ probe: FolderProbe, _ users: String
) -> DoctorCheck {
  var check = DoctorCheck(name)
  let system = probe.fileSystem ?? "unknown file system"
  check.summary = "\(system), \(probe.freeBytes.map { $0.humanSize + " free" } ?? "room unknown")"
  check.add(["path": .string(folder)], isPrivate: true)
  check.add([
    "fileSystem": JSONValue(probe.fileSystem), "freeBytes": probe.freeBytes.map { .integer($0) } ?? .null,
    "write": probe.writing.json, "clone": probe.cloning.json, "attributes": probe.attributes.json,
    "sync": probe.syncing.json, "link": probe.linking.json,
  ])
  if case .fails(let reason) = probe.writing {
    check.complain(
      .problem, "nothing can be written (\(reason))",
      name == "temporary"
        ? "set TMPDIR to a folder that you may write to"
        : "make it writable, or write elsewhere: `modelc migrate STORE -o FILE`")
    return check
  }
  let missing = [
    ("reflinks", probe.cloning), ("extended attributes", probe.attributes), ("hard links", probe.linking),
  ].filter { $0.1.hasFailed }.map(\.0)
  check.summary += missing.isEmpty ? "" : "; no \(missing.joined(separator: ", "))"
  if case .fails(let reason) = probe.syncing {
    check.complain(
      .problem, "a file cannot be synced (\(reason))",
      "put stores on a file system that keeps what it was given")
  }
  if let free = probe.freeBytes, free < 1_000_000_000 {
    check.complain(
      free < 10_000_000 ? .problem : .warning, "little room",
      "a migration needs the store's size and more: make room for \(users)")
  }
  if probe.isNetwork, name == "folder" {
    check.complain(
      .warning, "it is on another machine or behind a driver",
      "migrate a copy on a local disk where several machines open the store")
  }
  return check
}

private func lockCheck(_ probe: FolderProbe) -> DoctorCheck {
  let tried = [
    ("POSIX", probe.posixLocks), ("open file", probe.openFileLocks), ("flock", probe.wholeFileLocks),
    ("shared memory", probe.sharedMemory),
  ]
  let working = tried.filter { $0.1 == .works }.map(\.0)
  var check = DoctorCheck(
    "locks",
    working.isEmpty ? "not tried: nothing can be written" : working.joined(separator: ", ") + " work",
    [
      "posix": probe.posixLocks.json, "openFile": probe.openFileLocks.json,
      "wholeFile": probe.wholeFileLocks.json, "sharedMemory": probe.sharedMemory.json,
    ])
  for (name, outcome) in tried {
    guard case .fails(let reason) = outcome else { continue }
    // SQLite cannot do without these two.
    let isNeeded = name == "POSIX" || name == "shared memory"
    check.complain(
      isNeeded ? .problem : .warning, "\(name): \(reason)",
      "put stores on a local file system, or mount this one with locks")
  }
  return check
}

private func cacheCheck(_ cache: URL?) -> DoctorCheck {
  var check = DoctorCheck("cache")
  guard let cache else {
    check.complain(
      .warning, "none", "set HOME or XDG_CACHE_HOME, so that `check` need not do all of it again")
    return check
  }
  let size = byteCount(below: cache)
  check.add(["path": .string(cache.path)], isPrivate: true)
  check.add(["bytes": .integer(size ?? 0)])
  check.summary = size.map { "\($0.humanSize) in \(cache.path)" } ?? "none yet, it will be \(cache.path)"
  check.maskedSummary = size.map(\.humanSize) ?? "none yet"
  // The nearest folder that is there has to be writable.
  var folder = cache
  while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
    folder = folder.deletingLastPathComponent()
  }
  let isWritable = folder.path.isExistingFolder && FileManager.default.isWritableFile(atPath: folder.path)
  check.add(["writable": .boolean(isWritable)])
  if !isWritable {
    check.complain(
      .warning, "it cannot be written", "set XDG_CACHE_HOME, so that `check` need not do all of it again")
  }
  return check
}

/// Of the files in a folder, at most some thousands of them; nil if it is not there.
private func byteCount(below folder: URL) -> Int64? {
  guard folder.path.isExistingFolder else { return nil }
  let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
  let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: keys)
  var (sum, seen): (Int64, Int) = (0, 0)
  while let file = files?.nextObject() as? URL, seen < 20_000 {
    seen += 1
    let size = (try? file.resourceValues(forKeys: Set(keys)))?.fileSize ?? 0
    sum = sum.addingReportingOverflow(Int64(size)).partialValue
  }
  return sum
}

extension FolderProbe.Outcome {
  fileprivate var hasFailed: Bool { if case .fails = self { true } else { false } }

  /// True, the system's words, or null if it was not tried.
  fileprivate var json: JSONValue {
    switch self {
    case .works: true
    case .fails(let reason): .string(reason)
    case .notCheckedByPreflight: .null
    }
  }
}

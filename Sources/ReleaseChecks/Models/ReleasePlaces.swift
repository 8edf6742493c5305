import Foundation
package import ManagedModel
import ModelFormats

/// Where the release lock and the kept stores of a model lie.
///
/// In a model's folder as `released.lock` and `Released/`; beside a package or bundle, which Xcode rewrites, and beside
/// Swift source, which it builds, under its name: `App.released.lock` and `App.released/`. Source that is the top of a
/// repository has them in it.
package struct ReleasePlaces: Hashable, Sendable {
  package let lockFile: String
  package let fixtureFolder: String

  /// - Parameters:
  ///   - path: the model's, as the user named it.
  ///   - isSource: whether it is Swift source, where the path is no longer there.
  package init(modelAt path: String, isSource: Bool? = nil) {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let isTop =
      [".", ".."].contains((trimmed as NSString).lastPathComponent)
      || FileManager.default.fileExists(atPath: trimmed + "/.git")
    if ModelSourceKind(trimmed) == nil, isTop || !(isSource ?? trimmed.isSwiftSource) {
      (lockFile, fixtureFolder) = (trimmed + "/released.lock", trimmed + "/Released")
    } else {
      let stem = ModelSourceKind(trimmed) == nil ? trimmed : (trimmed as NSString).deletingPathExtension
      (lockFile, fixtureFolder) = (stem + ".released.lock", stem + ".released")
    }
  }

  package func store(of version: String) -> String { "\(fixtureFolder)/\(version).sqlite" }
  package func objects(of version: String) -> String { "\(fixtureFolder)/\(version).yaml" }

  /// All that is kept of a version's store; not each is there.
  package func files(of version: String) -> [String] {
    let store = self.store(of: version)
    return [
      store, "\(store)-wal", "\(store)-shm", objects(of: version), "\(fixtureFolder)/.\(version)_SUPPORT",
    ]
  }

  /// Has kept stores follow their schemas to the names that these have now.
  ///
  /// - Parameter former: what the lock listed before.
  func moveStores(of former: [ReleaseLock.Entry], to versions: [ModelVersion]) throws {
    let names = versions.compactMap { version -> (from: String, to: String)? in
      let known = former.filter { $0.checksum == version.versionChecksum }.map(\.version)
      return known.contains(version.name) ? nil : known.first.map { ($0, version.name) }
    }
    let leaving = Set(names.map { $0.from })
    let moves = names.filter { leaving.contains($0.to) || !hasStore(of: $0.to) }.flatMap {
      zip(files(of: $0.from), files(of: $0.to))
    }.filter { FileManager.default.fileExists(atPath: $0.0) }
    // One may take the place that another leaves.
    for (from, to) in moves { try FileManager.default.moveItem(atPath: from, toPath: "\(to).moved") }
    for (_, to) in moves { try FileManager.default.moveItem(atPath: "\(to).moved", toPath: to) }
  }

  func hasStore(of version: String) -> Bool { FileManager.default.fileExists(atPath: store(of: version)) }

  /// The lock's text; nil if absent.
  package func lockText() throws(DiagnosticsError) -> String? {
    guard FileManager.default.fileExists(atPath: lockFile) else { return nil }
    return try readLockText(URL(filePath: lockFile))
  }

  /// The lock; an empty one if absent.
  ///
  /// - Throws: MC7011 where it is not as `modelc release` wrote it.
  package func lock() throws(DiagnosticsError) -> ReleaseLock {
    guard let text = try lockText() else { return ReleaseLock() }
    let (lock, findings) = readReleaseLock(text, file: lockFile)
    if findings.hasErrors { throw DiagnosticsError(findings) }
    return lock
  }

  /// Writes the lock in the place of the one that was read.
  ///
  /// - Throws: MC7011 where that is no longer there: what another process has released meanwhile would be lost.
  package func write(_ lock: ReleaseLock, over former: ReleaseLock) throws {
    // The others wait at the folder: the file is another one each time.
    let folder = FileHandle(forReadingAtPath: lockFile.parentPath)
    defer { try? folder?.close() }
    if let folder { flock(folder.fileDescriptor, LOCK_EX) }
    guard try self.lock() == former else {
      throw DiagnosticsError(
        .unusableLock(
          "the release lock was changed while this ran", lockFile.linePlace(1),
          notes: ["nothing was written to it: that would have lost releases made meanwhile"],
          "run the command again"))
    }
    try Data(lock.text.utf8).write(to: URL(filePath: lockFile), options: .atomic)
  }
}

func readLockText(_ url: URL) throws(DiagnosticsError) -> String {
  let data = try readFile(url, shownAs: url.relativePath)
  guard let text = String(data: data, encoding: .utf8) else {
    throw DiagnosticsError(
      .unusableLock("the release lock is not text", url.relativePath.linePlace(1), Diagnostic.lockFromGit))
  }
  return text
}

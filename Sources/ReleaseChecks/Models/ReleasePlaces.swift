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
      lockFile = trimmed + "/released.lock"
      fixtureFolder = trimmed + "/Released"
    } else {
      let stem = ModelSourceKind(trimmed) == nil ? trimmed : (trimmed as NSString).deletingPathExtension
      lockFile = stem + ".released.lock"
      fixtureFolder = stem + ".released"
    }
  }

  package func store(of version: String) -> String { "\(fixtureFolder)/\(version).sqlite" }
  package func objects(of version: String) -> String { "\(fixtureFolder)/\(version).yaml" }

  /// The lock's text; nil if absent.
  package func lockText() throws(DiagnosticsError) -> String? {
    let files = FileManager.default
    guard files.fileExists(atPath: lockFile) else { return nil }
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
}

func readLockText(_ url: URL) throws(DiagnosticsError) -> String {
  let data = try readFile(url, shownAs: url.relativePath)
  guard let text = String(data: data, encoding: .utf8) else {
    throw DiagnosticsError(
      .unusableLock("the release lock is not text", url.relativePath.linePlace(1), Diagnostic.lockFromGit))
  }
  return text
}

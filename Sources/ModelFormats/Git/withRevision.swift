package import Foundation
package import ManagedModel

/// Writes a file or folder of a git revision to a temporary folder for as long as the body runs; nothing is checked
/// out.
///
/// - Parameters:
///   - path: on disk, as it is called today; it need not exist any more.
///   - body: takes the URL of what the revision has there, relative to the temporary folder, so that places read
///     `REV:path`.
/// - Returns: nil if the revision has nothing at the path.
/// - Throws: MC0014 where there is no repository, or no such revision; MC0019 where this clone lacks it.
package func withRevision<Result>(
  _ revision: String, of path: String, _ body: (URL) -> Result
) throws(DiagnosticsError) -> Result? {
  try withCheckout(of: revision.gitLocation(path)) { url, _ in body(url) }
}

extension String {
  /// The commit from which the working tree and another revision went apart; nil if absent.
  ///
  /// - Parameter path: in the repository.
  /// - Throws: MC0019 where the history of a shallow clone does not go back to it.
  package func mergeBase(inRepositoryOf path: String) throws(DiagnosticsError) -> String? {
    // Git takes no revisions through its input here: it gets the commit's number.
    guard let commit = commit(named: self, inRepositoryOf: path) else { return nil }
    if commit == ModelFormats.commit(named: "HEAD", inRepositoryOf: path) { return commit }
    let base = gitAnswer(["merge-base", commit, "HEAD"], in: path.existingFolder.folder)
    if let base, !base.isEmpty { return base }
    let kind = try GitRepository.holding(path).repository.kind
    if kind == .shallow {
      throw DiagnosticsError(.lackingObject("the commit at which this branch left \(self)", "", kind))
    }
    return nil
  }

  package func gitLocation(_ path: String) -> GitLocation {
    let (folder, rest) = path.existingFolder
    return GitLocation(revision: self, path: "./" + rest, folder: folder)
  }

  /// The nearest folder above the path that is there, and the rest of the path; of a repository's top that folder itself.
  package var existingFolder: (folder: String, rest: String) {
    let url = URL(filePath: self).standardizedFileURL
    if FileManager.default.fileExists(atPath: url.path + "/.git") { return (url.path, "") }
    var folder = url.deletingLastPathComponent()
    var rest = [url.lastPathComponent]
    while FileFacts(ofFileAt: folder.path)?.isFolder != true, folder.path != "/" {
      rest.insert(folder.lastPathComponent, at: 0)
      folder.deleteLastPathComponent()
    }
    return (folder.path, rest.joined(separator: "/"))
  }
}

/// Whether a revision of that name is there, and the full name of its commit.
package func commit(named revision: String, inRepositoryOf path: String) -> String? {
  try? GitRepository.holding(path).repository.commit(named: revision)?.id
}

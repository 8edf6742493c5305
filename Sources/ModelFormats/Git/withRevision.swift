package import Foundation
package import ManagedModel

/// Writes a file or folder of a git revision to a temporary folder for as long as the body runs; nothing is checked
/// out.
///
/// - Parameters:
///   - path: on disk, as it is called today; it need not exist any more.
///   - body: takes the URL of what the revision has there, relative to the temporary folder, so that places read
///     `REV:path`.
/// - Throws: MC0014 where there is no repository, no such revision, or nothing at the path in it.
package func withRevision<Result>(
  _ revision: String, of path: String, _ body: (URL) -> Result
) throws(DiagnosticsError) -> Result {
  try withCheckout(of: gitPlace(revision, path), body)
}

/// The commit from which the working tree and another revision went apart; nil where there is none.
///
/// - Parameter path: in the repository.
package func mergeBase(of revision: String, inRepositoryOf path: String) -> String? {
  // Git takes no revisions through its input here: one that looks like an option is none.
  guard !revision.hasPrefix("-"),
    let run = try? runGit(
      ["merge-base", "--end-of-options", revision, "HEAD"], input: "", in: existingFolder(of: path)),
    run.status == 0
  else { return nil }
  let name = String(decoding: run.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  return name.isEmpty ? nil : name
}

/// Whether a revision of that name is there, and the full name of its commit.
package func commit(named revision: String, inRepositoryOf path: String) -> String? {
  guard
    let run = try? runGit(
      ["cat-file", "--batch-check"], input: "\(revision)^{commit}\n", in: existingFolder(of: path)),
    run.status == 0
  else { return nil }
  let words = String(decoding: run.output, as: UTF8.self).split(separator: " ")
  return words.count == 3 && words[1] == "commit" ? String(words[0]) : nil
}

private func gitPlace(_ revision: String, _ path: String) -> GitPlace {
  let folder = existingFolder(of: path)
  let name = URL(filePath: path).standardizedFileURL.lastPathComponent
  return GitPlace(revision: revision, path: "./" + name, folder: folder)
}

/// The folder that holds the path.
private func existingFolder(of path: String) -> String {
  URL(filePath: path).standardizedFileURL.deletingLastPathComponent().path
}

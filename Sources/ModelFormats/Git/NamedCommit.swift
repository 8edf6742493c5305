import Foundation

/// A commit, as a sentence names it.
package struct NamedCommit {
  /// The short one.
  package let id: String
  /// As `2026-01-31`.
  package let date: String
  package let subject: String

  /// The last commit in which a text came into a file, or went from it, one occurrence more or less.
  ///
  /// Nil if git does not tell, or there is none.
  ///
  /// - Parameter path: of the file on disk.
  package init?(lastChanging text: String, inFileAt path: String) {
    let (folder, name) = path.existingFolder
    let arguments = [
      "--literal-pathspecs", "-c", "log.showSignature=false", "log", "HEAD", "-S\(text)", "--max-count=1",
      "-m", "--first-parent", "--no-ext-diff", "--no-textconv", "--no-color", "--no-patch", "--decorate=no",
      "--format=%h%x00%as%x00%s", "--", name,
    ]
    guard let run = try? runGit(arguments, in: folder, seconds: 10), run.status == 0 else { return nil }
    let parts = run.output.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard parts.count == 3 else { return nil }
    (id, date, subject) = (parts[0], parts[1], parts[2].trimmingCharacters(in: .newlines))
  }
}

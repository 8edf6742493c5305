import Foundation

extension String {
  /// The last commit in which a text came into the file at this path, or went from it, one occurrence more or less.
  ///
  /// - Returns: as a sentence names it, by its short number, and the day as `2026-01-31`; nil if git does not tell, or there
  ///   is none.
  package func namedCommit(lastChanging text: String) -> (id: String, date: String, subject: String)? {
    let (folder, name) = existingFolder
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
    return (parts[0], parts[1], parts[2].trimmingCharacters(in: .newlines))
  }
}

import Foundation
package import ManagedModel

/// A commit by its full number, when it was made, in ISO 8601, and the files that it brought or changed, by their paths from
/// the repository's top, with the former path of one that was only renamed.
package typealias LoggedCommit = (
  id: String, date: String, files: [(path: String, blob: String, former: String?)]
)

/// Reads the commits that touched files below some paths, the latest first.
///
/// Git compares trees and numbers of files, and runs nothing: no program for differences, conversions or signatures.
///
/// - Parameters:
///   - paths: from the folder, or whole.
///   - folder: where git runs.
///   - tips: what leads to this commit counts, or to any branch and tag: `--all`.
/// - Returns: the commits, and whether there are more of them than were looked at.
/// - Throws: `DiagnosticsError` with MC0014 where there is no git, or no repository.
package func readGitLog(
  of paths: [String], in folder: String, seconds: Double, from tips: String
) throws(DiagnosticsError) -> (commits: [LoggedCommit], isCut: Bool) {
  let most = 2_000
  let arguments =
    [
      "--literal-pathspecs", "-c", "log.showSignature=false", "log", tips, "--full-history", "-m", "--root",
      "--raw", "-z", "--no-abbrev", "--find-renames=100%", "--no-ext-diff", "--no-textconv", "--no-color",
      "--decorate=no", "--format=%H %cI", "--max-count=\(most + 1)", "--",
    ] + paths
  let run = try runGit(arguments, in: folder, limit: GitLimits.bytes, seconds: seconds)
  guard run.isCut || run.status == 0 else {
    throw DiagnosticsError.git(
      "git returns no history of '\(paths.first ?? "")'", notes: Diagnostic.reason(run.message),
      help: "name a model in a git repository")
  }
  let commits = gitLog(run.output, isWhole: !run.isCut)
  return (Array(commits.prefix(most)), run.isCut || commits.count > most)
}

/// Takes git's output apart: `<commit> <date>`, then for each file `:<modes> <blobs> <kind>` and its path, a former one before
/// it; each ends with a zero byte.
private func gitLog(_ output: Data, isWhole: Bool) -> [LoggedCommit] {
  var commits: [LoggedCommit] = []
  var pieces = output.split(separator: 0, omittingEmptySubsequences: false)
  // What an ended program wrote last may be the half of something.
  if !isWhole { pieces = pieces.dropLast() }
  var (entry, former): ([Substring]?, String?) = (nil, nil)
  for piece in pieces {
    let text = String(decoding: piece, as: UTF8.self)
    if let words = entry {
      if words.last?.hasPrefix("R") == true, former == nil {
        former = text
        continue
      }
      if words.count == 5, words[4] != "D", words[1] != "160000", words[1] != "120000" {
        commits.indices.last.map { commits[$0].files.append((text, String(words[3]), former)) }
      }
      (entry, former) = (nil, nil)
      continue
    }
    let line = text.drop { $0 == "\n" }
    if line.utf8.first == UInt8(ascii: ":") {
      entry = line.split(separator: " ")
    } else if let space = line.firstIndex(of: " "), line[..<space].allSatisfy(\.isHexDigit) {
      let id = String(line[..<space])
      // A merge comes once for each parent.
      guard commits.last?.id != id else { continue }
      commits.append((id, String(line[line.index(after: space)...]), []))
    }
  }
  return commits
}

import Foundation
package import ManagedModel

/// The commits that changed files below a path, the latest first.
package struct GitLog {
  package struct Commit {
    /// Its full number.
    package var id: String
    /// When it was made, in ISO 8601.
    package var date: String
    /// The files that it brought or changed, by their paths from the repository's top, and the former path of one that was
    /// only renamed.
    package var files: [(path: String, blob: String, former: String?)] = []
  }

  package var commits: [Commit] = []
  /// Whether there are more of them than were looked at.
  package var isCut = false
}

/// Reads the commits that touched files below some paths.
///
/// Git compares trees and numbers of files, and runs nothing: no program for differences, conversions or signatures.
///
/// - Parameters:
///   - paths: from the folder, or whole.
///   - folder: where git runs.
///   - tips: what leads to this commit counts, or to any branch and tag: `--all`.
/// - Throws: `DiagnosticsError` with MC0014 where there is no git, or no repository.
package func readGitLog(
  of paths: [String], in folder: String, seconds: Double, from tips: String
) throws(DiagnosticsError) -> GitLog {
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
  var log = gitLog(run.output, isWhole: !run.isCut)
  log.isCut = run.isCut || log.commits.count > most
  log.commits = Array(log.commits.prefix(most))
  return log
}

/// Takes git's output apart: `<commit> <date>`, then for each file `:<modes> <blobs> <kind>` and its path, a former one before
/// it; each ends with a zero byte.
private func gitLog(_ output: Data, isWhole: Bool) -> GitLog {
  var log = GitLog()
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
        log.commits.indices.last.map { log.commits[$0].files.append((text, String(words[3]), former)) }
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
      guard log.commits.last?.id != id else { continue }
      log.commits.append(GitLog.Commit(id: id, date: String(line[line.index(after: space)...])))
    }
  }
  return log
}

import Foundation
package import ManagedModel

/// A tag of a repository, and the commit that it names.
package struct GitTag: Hashable, Sendable {
  package var name: String
  /// The commit's full number.
  package var commit: String
  /// The day on which it was made, as `2026-01-31`.
  package var date: String
}

/// So many tags are looked at, at most.
package let tagLimit = 20_000

/// The tags of a repository, the oldest first; those of the same second in the order of their versions: `v1.9`, `v1.10`,
/// and `v2.0-rc1` before `v2.0`.
///
/// - Parameters:
///   - pattern: with `*` and `?`, as git takes it; nil for all.
///   - path: in the repository.
/// - Returns: at most `limit` of them, the oldest ones, and whether there are more.
/// - Throws: MC0014 where there is no repository.
package func readTags(
  matching pattern: String? = nil, inRepositoryOf path: String, limit: Int = tagLimit
) throws(DiagnosticsError) -> (tags: [GitTag], isCut: Bool) {
  let (folder, _) = existingFolder(of: path)
  let format = "%(refname)%00%(objectname)%00%(*objectname)%00%(creatordate:short)"
  let run = try runGit(
    [
      "-c", "versionsort.suffix=-", "for-each-ref", "--sort=version:refname", "--sort=creatordate",
      "--format=\(format)", "--count=\(limit + 1)", "refs/tags/\(pattern ?? "")",
    ], input: "", in: folder, limit: GitLimits.bytes, seconds: 30)
  guard run.status == 0 || run.isCut else { throw DiagnosticsError(.noTags(run.message)) }
  let tags = run.output.split(separator: 0x0A).compactMap { line -> GitTag? in
    let words = line.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 4 else { return nil }
    let name = String(words[0].trimmingPrefix("refs/tags/"))
    return GitTag(name: name, commit: words[2].isEmpty ? words[1] : words[2], date: words[3])
  }
  return (Array(tags.prefix(limit)), run.isCut || tags.count > limit)
}

/// The numbers of the objects at paths of commits, by which git knows content; nil where there is none.
///
/// - Parameters:
///   - places: commits, and paths from the repository's top.
///   - path: in the repository.
package func gitObjects(
  at places: [(commit: String, path: String)], inRepositoryOf path: String
) throws(DiagnosticsError) -> [String?] {
  let (folder, _) = existingFolder(of: path)
  let names = places.map { "\($0.commit):\($0.path)" }
  let asked = names.map { isGitName($0) ? $0 : "0000000" }
  let run = try runGit(
    ["cat-file", "--batch-check"], input: asked.map { $0 + "\n" }.joined(), in: folder,
    limit: GitLimits.bytes, seconds: 60)
  let lines = run.output.split(separator: 0x0A, omittingEmptySubsequences: false)
  return places.indices.map { index in
    lines.indices.contains(index) ? GitObject(answer: Data(lines[index]))?.id : nil
  }
}

/// The number that git gives to a file's content as it is on disk; nil where it cannot be read.
package func gitObject(ofFileAt path: String) -> String? {
  let url = URL(filePath: path).standardizedFileURL
  guard isGitName(url.path), FileFacts(ofFileAt: url.path)?.isFolder == false,
    let run = try? runGit(
      ["hash-object", "--no-filters", "--stdin-paths"], input: url.path + "\n",
      in: url.deletingLastPathComponent().path), run.status == 0
  else { return nil }
  return String(decoding: run.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}

/// A path on disk from the top of its repository; nil where it is in none.
package func pathInRepository(_ path: String) -> String? {
  let (folder, rest) = existingFolder(of: path)
  guard (try? repositoryFolder(folder)) ?? nil != nil, let prefix = try? gitPrefix(folder) else { return nil }
  return prefix + rest
}

/// Whether a repository's history is cut short, as CI fetches it unless told otherwise.
package func isShallowRepository(at path: String) -> Bool {
  isShallowRepository(existingFolder(of: path).folder)
}

extension Diagnostic {
  fileprivate static func noTags(_ message: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "git gives no tags here", notes: reason(message),
      help: ["run modelc in the repository that holds the model"])
  }
}

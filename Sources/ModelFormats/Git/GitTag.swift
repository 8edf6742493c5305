import Foundation
package import ManagedModel

/// A tag of a repository, and the commit that it names.
package struct GitTag: Hashable, Sendable {
  package var name: String
  /// The commit's full number.
  package var commit: String
  /// The day on which it was made, as `2026-01-31`.
  package var date: String

  private static let preReleases: Set = [
    "a", "alpha", "b", "beta", "canary", "dev", "nightly", "pre", "preview", "rc", "snapshot", "test",
    "testflight",
  ]

  /// As a shell matches, `*` also slashes; or as git has the folder of a name: `release` is `release/1.0` too.
  package func matches(_ pattern: String) -> Bool {
    unsafe fnmatch(pattern, name, 0) == 0 || name.hasPrefix(pattern + "/")
  }

  /// Whether it counts the same releases as another tag, by what stands around the number: `v1.1` and `v1.0`, not `ci-7`,
  /// `v1.1-rc.1` or, beside `1.0`, `20260131`.
  package func isNamed(like other: String) -> Bool {
    let prefix = other.prefix { !$0.isNumber }
    func parts(_ name: String) -> (number: Substring, words: [Substring]) {
      let tail = name.dropFirst(prefix.count)
      let number = tail.prefix { $0.isNumber || $0 == "." }
      return (number, tail.dropFirst(number.count).lowercased().split { !$0.isLetter })
    }
    let (own, known) = (parts(name), parts(other))
    guard name.hasPrefix(prefix), own.number.first?.isNumber == true else { return false }
    let isDate =
      known.number.contains(".") && !own.number.contains(".")
      && (own.number.count > 5 || name.dropFirst(prefix.count).prefixMatch(of: #/\d{4}-\d\d-\d\d/#) != nil)
    return !isDate
      && (own.words == known.words || !own.words.contains { Self.preReleases.contains(String($0)) })
  }
}

extension String {
  /// Whether a revision is a release: a tag's name, or the number of a commit that a tag names.
  ///
  /// - Parameter path: in the repository.
  package func isTag(inRepositoryOf path: String) throws(DiagnosticsError) -> Bool {
    let name = trimmingPrefix("refs/").trimmingPrefix("tags/")
    let commit = count >= 7 && allSatisfy(\.isHexDigit) ? commit(named: self, inRepositoryOf: path) : nil
    return try readTags(inRepositoryOf: path).tags.contains { $0.name == name || $0.commit == commit }
  }
}

/// So many tags are looked at, at most.
package let tagLimit = 20_000

/// The tags of a repository, the oldest first; those of the same second in the order of their versions: `v1.9`, `v1.10`,
/// and `v2.0-rc1` before `v2.0`.
///
/// - Parameters:
///   - path: in the repository.
///   - commit: only those from this one on, up to the commit that is checked out.
/// - Returns: at most `limit` of them, the oldest ones, and whether there are more.
/// - Throws: MC0014 where there is no repository.
package func readTags(
  inRepositoryOf path: String, from commit: String? = nil, limit: Int = tagLimit
) throws(DiagnosticsError) -> (tags: [GitTag], isCut: Bool) {
  let (folder, _) = path.existingFolder
  let range = commit.map { ["--contains", $0, "--merged", "HEAD"] } ?? []
  let format = "%(refname)%00%(objectname)%00%(*objectname)%00%(creatordate:short)%00%(*objecttype)"
  let run = try runGit(
    [
      "-c", "versionsort.suffix=-", "for-each-ref", "--sort=version:refname", "--sort=creatordate",
      "--format=\(format)", "--count=\(limit + 1)",
    ] + range + ["refs/tags/"], in: folder, limit: GitLimits.bytes, seconds: 30)
  guard run.status == 0 || run.isCut else {
    // Of a repository that git refuses that says why, and what helps.
    _ = try GitRepository.holding(path)
    throw DiagnosticsError.git(
      "git returns no tags here", notes: Diagnostic.reason(run.message),
      help: "run modelc in the repository that holds the model")
  }
  let tags = run.output.split(separator: 0x0A).compactMap { line -> GitTag? in
    let words = line.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 5 else { return nil }
    // Of a tag of a tag, git before 2.45 says the inner tag.
    let nested = words[4] == "tag" ? ModelFormats.commit(named: words[0], inRepositoryOf: path) : nil
    return GitTag(
      name: String(words[0].trimmingPrefix("refs/tags/")),
      commit: nested ?? (words[2].isEmpty ? words[1] : words[2]), date: words[3])
  }
  return (Array(tags.prefix(limit)), run.isCut || tags.count > limit)
}

/// A path on disk from the top of its repository; nil if it is in none.
package func pathInRepository(_ path: String) -> String? { try? GitRepository.holding(path).path }

import Foundation
import ManagedModel

/// The branch that others work on: what a remote calls its default branch, else `main` or `master`.
///
/// - Returns: its short name and its commit; nil if absent of them.
package func defaultBranch(inRepositoryOf path: String) -> (name: String, commit: String)? {
  let names = ["origin/HEAD", "origin/main", "origin/master", "main", "master"]
  for name in names {
    let reference = name.hasPrefix("origin/") ? "refs/remotes/\(name)" : "refs/heads/\(name)"
    if let commit = commit(named: reference, inRepositoryOf: path) {
      return (name == "origin/HEAD" ? "the default branch" : name, commit)
    }
  }
  return nil
}

/// The name of the branch that changes go into: the default branch of `origin`, else `main` or `master` where there is one,
/// else the one that is checked out, also where it has no commit yet, else `main`.
package func defaultBranchName(inRepositoryOf path: String) -> String {
  let (folder, _) = path.existingFolder
  if let remote = gitAnswer(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], in: folder),
    remote.hasPrefix("refs/remotes/origin/")
  {
    return String(remote.dropFirst("refs/remotes/origin/".count))
  }
  if let branch = defaultBranch(inRepositoryOf: path) { return String(branch.name.trimmingPrefix("origin/")) }
  return headBranch(in: folder).map { String($0.dropFirst("refs/heads/".count)) } ?? "main"
}

extension String {
  /// Where a working copy comes from, and its commit: what another machine would clone.
  ///
  /// - Returns: the URL of `origin`, or the folder if there is none; nil for a folder that is not a top of a repository.
  package func cloneSource() -> (url: String, commit: String)? {
    guard let top = (self + "/Package.swift").repositoryTop(),
      URL(filePath: top).resolvingSymlinksInPath() == URL(filePath: self).resolvingSymlinksInPath(),
      let commit = commit(named: "HEAD", inRepositoryOf: self + "/Package.swift")
    else { return nil }
    let url = gitAnswer(["config", "--get", "remote.origin.url"], in: self)
    // A name and a password in it are nobody else's business.
    let shared = url?.replacing(#/^https?:\/\/[^@\/]*@/#, with: "https://")
    return (shared.flatMap { $0.isEmpty ? nil : $0 } ?? top, commit)
  }

  /// The top of the repository that holds a path; nil if it is in none.
  package func repositoryTop() -> String? { (try? GitRepository.holding(self))?.repository.top }

  /// What a clone is called that lacks the history of a model's versions: shallow, or partial without trees; nil of others.
  package var cloneWithoutHistory: String? {
    if isInShallowClone { return "shallow" }
    let isPartial = (try? GitRepository.holding(self).repository.kind) == .partial
    return isPartial && VersionHistory(ofModelAt: self) == nil ? "partial" : nil
  }

  /// Whether it lies in a clone whose history is cut short.
  package var isInShallowClone: Bool { (try? GitRepository.holding(self).repository.kind) == .shallow }

  /// The commit that brought a text into the file at this path, or took it out, last; nil if there is none.
  package func lastCommit(changing text: String) -> String? {
    let (folder, rest) = existingFolder
    let id = gitAnswer(
      ["--literal-pathspecs", "log", "-1", "--format=%h", "-S\(text)", "--", rest], in: folder)
    return id?.isEmpty == false ? id : nil
  }

  /// A branch other than today's that a commit is part of: the default branch first.
  ///
  /// - Parameter name: of the branch that is named before others, as a user calls it.
  /// - Returns: its short name; nil if the commit stands on today's branch alone, or git does not tell.
  package func sharedBranch(holding commit: String, preferably name: String) -> String? {
    let (folder, _) = existingFolder
    let run = try? runGit(
      [
        "for-each-ref", "--contains=\(commit)", "--format=%(refname)%00%(objectname)", "--count=1000",
        "refs/heads", "refs/remotes",
      ], in: folder, seconds: 20)
    guard let run, run.status == 0 else { return nil }
    let own = headBranch(in: folder)
    let head = ModelFormats.commit(named: "HEAD", inRepositoryOf: self)
    let branches = run.output.split(separator: 0x0A).compactMap { line -> (name: String, commit: String)? in
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.count == 2 ? (words[0], words[1]) : nil
    }
    let shared = defaultBranch(inRepositoryOf: self)
    // What stands on the default branch is everybody's, also while one works on it.
    if let shared, branches.contains(where: { $0.commit == shared.commit }) { return shared.name }
    let others = branches.filter { $0.name.branchName != own?.branchName }
    let meant = others.first { ["refs/heads/\(name)", "refs/remotes/\(name)"].contains($0.name) }
    return (meant ?? others.first { $0.commit != head }).map {
      $0.name.pathParts.dropFirst(2).joined(separator: "/")
    }
  }

  /// Of a reference: the same for a branch and for that of a remote.
  private var branchName: String {
    pathParts.dropFirst(hasPrefix("refs/remotes/") ? 3 : 2).joined(separator: "/")
  }
}

/// The branch that is checked out, as `refs/heads/…`; nil for none.
private func headBranch(in folder: String) -> String? {
  gitAnswer(["symbolic-ref", "--quiet", "HEAD"], in: folder)
}

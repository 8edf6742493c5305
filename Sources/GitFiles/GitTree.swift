import Foundation
package import ManagedModel

/// What a revision of a repository holds: found once, so that a branch which moves meanwhile changes nothing.
package struct GitTree: Hashable {
  /// The revision as it was named.
  let revision: String
  /// The tree's number, which cannot be mistaken for an option or another name.
  let id: String
  /// Where git runs; nil for the working folder.
  let folder: String?

  /// The revision as it stands in paths: as it was named, or the tree's number where that would lead elsewhere.
  var shownRevision: String {
    let parts = pathParts(revision)
    let isPlain =
      !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." } && revision.utf8.count <= 200
      && !revision.unicodeScalars.contains(where: \.isUnshown)
    return isPlain ? revision : String(id.prefix(12))
  }
}

/// Finds the tree of a revision.
///
/// - Throws: `DiagnosticsError` with MC0014: no repository, no such revision, a history cut short.
func findGitTree(_ place: GitLocation) throws(DiagnosticsError) -> GitTree {
  guard isGitName(place.name) else { throw DiagnosticsError(.noGitName(place)) }
  let run = try runGit(
    ["cat-file", "--batch-check"], input: "\(place.revision)^{tree}\n", in: place.folder)
  guard run.status == 0 else { throw DiagnosticsError(.noRepository(place, run.message)) }
  if let tree = GitObject(answer: run.output), tree.kind == .tree {
    return GitTree(revision: place.revision, id: tree.id, folder: place.folder)
  }
  throw DiagnosticsError(.noGitRevision(place, isShallow: isShallowRepository(place.folder)))
}

func isShallowRepository(_ folder: String?) -> Bool {
  gitAnswer(["rev-parse", "--is-shallow-repository"], in: folder) == "true"
}

/// Whether a text can be a line of git's input.
func isGitName(_ text: String) -> Bool {
  text.utf8.count <= 4000 && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
}

/// The path that a place means, from the repository's top, without `.` and `..`.
///
/// - Throws: `DiagnosticsError` with MC0014 where it leads out of the repository.
func pathInRepository(_ place: GitLocation) throws(DiagnosticsError) -> String {
  let first = pathParts(place.path).first
  let begin = first == "." || first == ".." ? try gitPrefix(place.folder) : ""
  guard let path = resolvedPath(place.path, from: begin) else {
    throw DiagnosticsError(.outsideRepository(place.name))
  }
  return path
}

/// The folder's path from the repository's top, with a slash at its end; empty at the top.
package func gitPrefix(_ folder: String?) throws(DiagnosticsError) -> String {
  let run = try runGit(["rev-parse", "--show-prefix"], input: "", in: folder)
  // A folder's name may hold line ends; the last one is git's.
  return String(decoding: run.output.dropLast(), as: UTF8.self)
}

/// The folder at the top of the repository; nil where there is none.
package func repositoryFolder(_ folder: String?) throws(DiagnosticsError) -> String? {
  let run = try runGit(["rev-parse", "--show-toplevel"], input: "", in: folder)
  return run.status == 0 ? String(decoding: run.output.dropLast(), as: UTF8.self) : nil
}

/// A path from a folder of a repository as one from its top, without `.` and `..`.
///
/// - Returns: nil where it is an absolute path, or leads out of the repository.
func resolvedPath(_ path: String, from folder: String) -> String? {
  guard path.utf8.first != UInt8(ascii: "/") else { return nil }
  var parts: [String] = []
  for part in pathParts(folder) + pathParts(path) where !part.isEmpty && part != "." {
    if part != ".." {
      parts.append(part)
    } else if parts.popLast() == nil {
      return nil
    }
  }
  return parts.joined(separator: "/")
}

/// How a clone comes to have the whole history, with the line to add.
package let wholeHistoryHelp = [
  "here: `git fetch --unshallow --tags`", "GitHub: add `fetch-depth: 0` below `with:` of actions/checkout",
  "GitLab: add `GIT_DEPTH: 0` below `variables:` of the job",
]

extension Diagnostic.Code {
  /// A model cannot be read from a revision of a git repository.
  package static let gitRevision = Self("MC0014", exit: .usage)
}

extension Diagnostic {
  /// The line of git that says why, without its own prefix.
  static func reason(_ message: String) -> [Note] {
    let line = message.lines.first ?? ""
    return line.isEmpty ? [] : [Note("git: \(line.trimmingPrefix("fatal: "))")]
  }

  fileprivate static func noRepository(_ place: GitLocation, _ message: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(place.name)' cannot be looked up in a git repository",
      notes: reason(message), help: ["run modelc in the repository that holds the revision"])
  }

  fileprivate static func noGitName(_ place: GitLocation) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "that is no name of a file in a git revision",
      help: ["write it as git does: 'HEAD~1:App.xcdatamodeld'"])
  }

  fileprivate static func noGitRevision(_ place: GitLocation, isShallow: Bool) -> Diagnostic {
    var help = ["`git log --oneline` shows the revisions, `git branch -a` the branches"]
    if isShallow { help = wholeHistoryHelp }
    return Diagnostic(
      .gitRevision, .error, "the repository has no revision '\(place.revision)'",
      notes: isShallow ? ["it is a shallow clone: its history is cut short"] : [], help: help)
  }

  static func outsideRepository(_ name: String, at place: SourceRange? = nil) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(name)' leads out of the repository", place: place,
      notes: ["a revision holds nothing beyond its repository; nothing was read"],
      help: ["keep what a model includes in its repository, and name it from the model's folder: '../Shared'"]
    )
  }
}

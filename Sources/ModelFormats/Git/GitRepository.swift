package import Foundation
package import ManagedModel

/// The repository that a folder lies in, and one run of git that gives all its objects.
///
/// Git answers "missing" both to a path that a revision does not have and to an object that this clone lacks. So no path is
/// asked for: trees are read, and searched here. What a tree names is there, or this clone lacks it (MC0019).
package final class GitRepository: Sendable {
  /// Where git runs.
  package let folder: String
  /// The folder at the top of the working tree.
  package let top: String
  /// Of the folder from the top, with a slash at its end; empty at the top.
  package let prefix: String
  private let objects: Locked<GitObjects>

  /// - Throws: `DiagnosticsError` with MC0014 where there is no git, or no repository that it reads.
  private init(_ folder: String) throws(DiagnosticsError) {
    self.folder = folder
    let run = try runGit(["rev-parse", "--is-inside-work-tree", "--show-prefix"], in: folder)
    let lines = run.output.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard run.status == 0, lines.count == 2, lines[0].elementsEqual("true".utf8) else {
      throw DiagnosticsError.git(
        "'\(folder)' is not in a git repository that git can read", notes: Diagnostic.reason(run.message),
        // Of a folder that is somebody else's, git says how to trust it.
        help: run.message.lines.first { $0.hasPrefix("\tgit config") }.map {
          "if you trust its owner: `\($0.dropFirst())`"
        } ?? "run modelc in the repository that holds the revision")
    }
    // A folder's name may hold line ends; the last one is git's.
    prefix = String(decoding: lines[1].dropLast(), as: UTF8.self)
    let whole = URL(filePath: folder).resolvingSymlinksInPath().path.pathParts.filter { !$0.isEmpty }
    let below = prefix.pathParts.filter { !$0.isEmpty }.count
    top = "/" + whole.dropLast(below).joined(separator: "/")
    objects = Locked(GitObjects())
  }

  /// Another folder of a repository.
  private init(_ folder: String, below prefix: String, of other: GitRepository) {
    (self.folder, self.prefix, top, objects) = (folder, prefix, other.top, other.objects)
  }

  /// The repository of a folder; nil for the working folder.
  ///
  /// A few are kept, so that a command asks git once.
  package static func holding(folder: String?) throws(DiagnosticsError) -> GitRepository {
    let folder = folder ?? FileManager.default.currentDirectoryPath
    if let known = kept.withLock({ $0 }).lazy.compactMap({ $0.of(folder) }).first { return known }
    let repository = try GitRepository(folder)
    kept.withLock { kept in
      kept.removeAll { $0.top == repository.top }
      kept = kept.suffix(3) + [repository]
    }
    return repository
  }

  /// The repository of a path on disk, which need not exist any more, and the path from its top.
  package static func holding(
    _ path: String
  ) throws(DiagnosticsError) -> (repository: GitRepository, path: String) {
    let (folder, rest) = path.existingFolder
    let repository = try holding(folder: folder)
    return (repository, repository.prefix + rest)
  }

  /// The same repository with another folder of it; nil of a folder elsewhere, or in a repository within it.
  private func of(_ folder: String) -> GitRepository? {
    var place = URL(filePath: folder).resolvingSymlinksInPath().path
    var below: [String] = []
    let files = FileManager.default
    while place != top {
      guard place.hasPrefix(top == "/" ? top : top + "/"), !files.fileExists(atPath: place + "/.git") else {
        return nil
      }
      below.insert(URL(filePath: place).lastPathComponent + "/", at: 0)
      place = place.parentPath
    }
    guard files.fileExists(atPath: place + "/.git") else { return nil }
    return GitRepository(folder, below: below.joined(), of: self)
  }

  /// What git answers to names of objects, in their order.
  ///
  /// - Parameter limit: bytes of all of them.
  func answers(to names: [String], limit: Int = GitLimits.bytes) throws(DiagnosticsError) -> [GitAnswer] {
    let asked = names.map { $0.isGitName ? $0 : "0000000" }
    do {
      return try objects.withLock { try read(asked, limit: limit, &$0) }
    } catch let error as DiagnosticsError {
      throw error
    } catch {
      throw DiagnosticsError(.gitNotRun("git", error))
    }
  }

  private func read(_ names: [String], limit: Int, _ state: inout GitObjects) throws -> [GitAnswer] {
    var answers: [GitAnswer] = []
    var left = limit
    while answers.count < names.count {
      // A few KB: what the pipe takes while git still writes.
      var (end, size) = (answers.count, 0)
      while end < names.count, end == answers.count || size + names[end].utf8.count < 4000 {
        size += names[end].utf8.count + 1
        end += 1
      }
      let stream = try state.stream ?? openStream(&state)
      state.stream = stream
      try stream.ask(names[answers.count..<end])
      read: while answers.count < end {
        let answer = stream.next(limit: left)
        answers.append(answer)
        switch answer {
        case .object(let object, _): left -= object.size
        case .missing: break
        case .tooLarge, .failed:
          // What was asked after it is asked again.
          state.stream = nil
          break read
        }
      }
    }
    return answers
  }

  private func openStream(_ state: inout GitObjects) throws -> GitObjectStream {
    state.starts += 1
    guard state.starts <= 200 else { throw DiagnosticsError(.damagedRepository(top)) }
    return try startGitObjectStream(in: folder)
  }

  /// The content of trees, by their numbers; those that are known: not read again.
  ///
  /// - Parameter name: what is read, as messages show it.
  func trees(_ ids: Set<String>, of name: String) throws(DiagnosticsError) -> [String: GitTreeContent] {
    var found = objects.withLock { state in state.trees.filter { ids.contains($0.key) } }
    let missing = ids.filter { found[$0] == nil }.sorted()
    for (id, answer) in zip(missing, try answers(to: missing)) {
      guard case .object(let object, let content) = answer, object.kind == .tree, object.id == id,
        let tree = GitTreeContent(content, idLength: id.utf8.count / 2)
      else { throw DiagnosticsError(unread(name, answer)) }
      found[id] = tree
    }
    objects.withLock { state in
      if state.treeBytes > GitLimits.keptTreeBytes { (state.trees, state.treeBytes) = ([:], 0) }
      for id in missing {
        guard let tree = found[id] else { continue }
        state.trees[id] = tree
        state.treeBytes += tree.bytes.count
      }
    }
    return found
  }

  /// The tree of a commit, and the commit's full number.
  ///
  /// - Returns: nil if no revision is of that name, or this clone lacks the commit.
  package func commit(named revision: String) throws(DiagnosticsError) -> (id: String, tree: String)? {
    guard revision.isGitName, let answer = try answers(to: ["\(revision)^{commit}"]).first else { return nil }
    return rootTree(answer)
  }

  private func rootTree(_ answer: GitAnswer) -> (id: String, tree: String)? {
    guard case .object(let object, let content) = answer, object.kind == .commit,
      content.starts(with: "tree ".utf8), let end = content.firstIndex(of: 0x0A)
    else { return nil }
    return (object.id, String(decoding: content[content.startIndex + 5..<end], as: UTF8.self))
  }

  /// What stands at a path in commits: the number by which git knows its content; nil if a commit has nothing there.
  ///
  /// - Throws: `DiagnosticsError` with MC0019 where this clone does not tell.
  package func ids(at path: String, in commits: [String]) throws(DiagnosticsError) -> [String?] {
    let parts = path.pathParts.filter { !$0.isEmpty }
    var found: [String?] = []
    // Trees of so many commits are in memory at once.
    for start in stride(from: 0, to: commits.count, by: 500) {
      var ids = try rootTrees(of: Array(commits[start..<min(start + 500, commits.count)]))
      for (place, part) in parts.enumerated() {
        let trees = try trees(Set(ids.compactMap(\.self)), of: path)
        ids = ids.map { id in
          guard let entry = id.flatMap({ trees[$0]?.entry(named: part) }) else { return nil }
          let isLast = place == parts.count - 1
          return entry.kind == .folder || isLast && entry.kind == .file ? entry.id : nil
        }
      }
      found += ids
    }
    return found
  }

  /// Nil of what is no commit: tags may name any object.
  private func rootTrees(of commits: [String]) throws(DiagnosticsError) -> [String?] {
    var roots = objects.withLock(\.roots)
    let missing = Array(Set(commits.filter { roots[$0] == nil }))
    for (commit, answer) in zip(missing, try answers(to: missing)) {
      guard case .object(let object, _) = answer else {
        throw DiagnosticsError(unread(String(commit.prefix(12)), answer))
      }
      if object.kind == .commit { roots[commit] = rootTree(answer)?.tree }
    }
    objects.withLock { [roots] in $0.roots = roots }
    return commits.map { roots[$0] }
  }

  /// Contents of files, by their numbers; without those that this clone lacks, and those that are too large.
  package func blobs(_ ids: [String], limit: Int) throws(DiagnosticsError) -> [String: Data] {
    var found: [String: Data] = [:]
    for id in ids where found[id] == nil {
      guard case .object(_, let data)? = try answers(to: [id], limit: limit).first else { continue }
      found[id] = data
    }
    return found
  }

  /// Whether a content has that number.
  package func holds(_ content: Data, as id: String) -> Bool {
    guard case .object(_, let data)? = try? answers(to: [id], limit: content.count).first else {
      return false
    }
    return data == content
  }

  /// Why an object that must be there is not read.
  func unread(_ name: String, _ answer: GitAnswer) -> Diagnostic {
    switch answer {
    case .object: .damagedRepository(name)
    case .tooLarge: .tooMuch(name)
    case .missing: .lackingObject(name, "", kind)
    case .failed(let message): .lackingObject(name, message, kind)
    }
  }

  /// What kind of clone it is.
  package enum Kind: Hashable, Sendable { case whole, shallow, partial }

  package var kind: Kind {
    if gitAnswer(["rev-parse", "--is-shallow-repository"], in: folder) == "true" { return .shallow }
    let filters = gitAnswer(
      ["config", "--get-regexp", #"^(remote\..*\.promisor|extensions\.partialclone)$"#], in: folder)
    return filters?.isEmpty == false ? .partial : .whole
  }
}

/// The objects of a repository, and the run of git that gives them.
private struct GitObjects {
  var stream: GitObjectStream?
  /// How often git was started.
  var starts = 0
  /// Content of trees, by number, and their bytes in all.
  var trees: [String: GitTreeContent] = [:]
  var treeBytes = 0
  /// The trees of commits.
  var roots: [String: String] = [:]
}

private let kept = Locked<[GitRepository]>([])

/// What a revision may hold below a path at most; models are far smaller.
enum GitLimits {
  /// As many as are looked through on disk for classes of SwiftData.
  static let files = 50_000
  static let bytes = 256 << 20
  static let listBytes = 4 << 20
  static let keptTreeBytes = 64 << 20
}

extension Diagnostic.Code {
  /// This clone lacks what it was asked for.
  package static let lackingGitObject = Self("MC0019", exit: .usage)
}

extension Diagnostic {
  static func tooMuch(_ name: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(name)' is larger than any model",
      notes: [Note("at most \(GitLimits.files) files of \(GitLimits.bytes >> 20) MB are read of a revision")],
      help: ["name the model's own folder"])
  }

  fileprivate static func damagedRepository(_ name: String) -> Diagnostic {
    Diagnostic(
      .lackingGitObject, .error, "git cannot read '\(name)': the repository is damaged",
      help: ["`git fsck` lists what is damaged", "clone it again"])
  }

  static func lackingObject(_ name: String, _ message: String, _ kind: GitRepository.Kind) -> Diagnostic {
    let (note, help): (Note, [String]) =
      switch kind {
      case .shallow: ("the clone is shallow: its history is cut short", wholeHistoryHelp)
      case .partial:
        (
          "the clone is partial: git left out objects, and modelc does not fetch",
          ["`git fetch --refetch --no-filter`"]
        )
      case .whole:
        ("an object is damaged or missing", ["`git fsck` lists what is damaged", "`git fetch --refetch`"])
      }
    return Diagnostic(
      .lackingGitObject, .error,
      "this clone does not have the content of '\(name)': nothing was compared with it",
      notes: [note] + reason(message), help: help)
  }
}

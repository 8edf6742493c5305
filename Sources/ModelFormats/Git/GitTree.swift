import Foundation
package import ManagedModel

/// What a revision of a repository holds: found once, so that a branch which moves meanwhile changes nothing.
package struct GitTree: Sendable {
  /// The revision as it was named.
  let revision: String
  /// The tree's number, which cannot be mistaken for an option or another name.
  let id: String
  let repository: GitRepository

  /// The revision as it is in paths: as it was named, or the tree's number where that would lead elsewhere.
  var shownRevision: String {
    let parts = revision.pathParts
    let isPlain =
      !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." } && revision.utf8.count <= 200
      && !revision.unicodeScalars.contains(where: \.isUnshown)
    return isPlain ? revision : String(id.prefix(12))
  }

  /// The tree of a revision.
  ///
  /// - Throws: `DiagnosticsError`: MC0014 where there is no repository, or no such revision; MC0019 where this clone lacks it.
  init(_ place: GitLocation) throws(DiagnosticsError) {
    guard place.name.isGitName else {
      throw DiagnosticsError.git(
        "that is not the name of a file in a git revision",
        help: "write it as git does: 'HEAD~1:App.xcdatamodeld'")
    }
    let repository = try GitRepository.holding(folder: place.folder)
    (revision, self.repository) = (place.revision, repository)
    if let commit = try repository.commit(named: place.revision) {
      id = commit.tree
      return
    }
    let answer = try repository.answers(to: ["\(place.revision)^{tree}"]).first ?? .missing
    if case .object(let tree, _) = answer {
      id = tree.id
      return
    }
    // A name that leads to a number, and an object of that number is not here.
    let known = gitAnswer(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", place.revision], in: repository.folder)
    if let known, known.utf8.count >= 40, known.allSatisfy(\.isHexDigit), known != place.revision {
      if case .object? = try repository.answers(to: [known]).first {
        throw DiagnosticsError.git(
          "'\(place.revision)' names a file or a folder in git, but a commit is needed",
          help: "name a commit, a branch or a tag alone: its models are found by their paths")
      }
      throw DiagnosticsError(repository.unread(place.revision, answer))
    }
    var (notes, help): ([Diagnostic.Note], [String]) = (
      [], ["`git log --oneline` shows the revisions, `git branch -a` the branches"]
    )
    if case .failed(let message) = answer { notes = Diagnostic.reason(message) }
    // CI often has a branch that way alone.
    let remote = "origin/\(place.revision)"
    if (try? repository.commit(named: remote)) != nil {
      help = ["did you mean '\(remote)'?"]
    } else if repository.kind == .shallow {
      (notes, help) = (["it is a shallow clone: its history is cut short"], wholeHistoryHelp)
    }
    throw DiagnosticsError(
      .gitRevision, "the repository has no revision '\(place.revision)'", notes: notes, help: help)
  }

  /// Finds the file or folder at a path from the repository's top; nil if the revision has nothing there.
  ///
  /// - Throws: `DiagnosticsError`: MC0014 where a link or a submodule is on the path, MC0019 where this clone does not tell.
  func find(_ path: String) throws(DiagnosticsError) -> GitEntry? {
    var found = GitEntry(name: "", kind: .folder, id: id)
    for part in path.pathParts where !part.isEmpty {
      guard found.kind == .folder else { return nil }
      guard let entry = try content(of: found, at: path).entry(named: part) else { return nil }
      switch entry.kind {
      case .link:
        throw DiagnosticsError.git(
          "'\(shownRevision):\(path)' is a symbolic link, or is below one",
          notes: ["links of a revision are not followed: they may point outside the repository"],
          help: "name its target")
      case .submodule:
        throw DiagnosticsError.git(
          "'\(shownRevision):\(path)' is in a submodule",
          notes: ["the submodule is a repository of its own, with its own revisions"],
          help: "run modelc in the submodule")
      case .file, .folder: found = entry
      }
    }
    return found
  }

  private func content(of tree: GitEntry, at path: String) throws(DiagnosticsError) -> GitTreeContent {
    let name = "\(revision):\(path)"
    guard let content = try repository.trees([tree.id], of: name)[tree.id] else {
      throw DiagnosticsError(repository.unread(name, .missing))
    }
    return content
  }

  /// The regular files below a tree, by their paths from it; links and submodules are passed over.
  ///
  /// - Parameter takes: by their names, which files are taken and which folders are looked into.
  func files(
    below tree: GitEntry, at path: String, taking takes: GitCheckout.Filter
  ) throws(DiagnosticsError) -> [GitEntry] {
    var (files, pending): ([GitEntry], [(prefix: String, tree: GitEntry)]) = ([], [("", tree)])
    var (count, bytes) = (0, 0)
    while let (prefix, folder) = pending.popLast() {
      let content = try content(of: folder, at: path)
      for entry in content.entries {
        guard takes(entry.name, entry.kind == .folder) else { continue }
        let name = prefix + entry.name
        (count, bytes) = (count + 1, bytes + name.utf8.count)
        guard count <= GitLimits.files, bytes <= GitLimits.listBytes else {
          throw DiagnosticsError(.tooMuch("\(revision):\(path)"))
        }
        switch entry.kind {
        case .file: files.append(GitEntry(name: name, kind: .file, id: entry.id))
        case .folder: pending.append((name + "/", entry))
        case .link, .submodule: break
        }
      }
    }
    return files
  }

  /// The contents of files, in their order.
  ///
  /// - Parameter limit: bytes of all of them.
  func read(_ files: [GitEntry], at path: String, limit: Int) throws(DiagnosticsError) -> [Data] {
    var contents: [Data] = []
    for (file, answer) in zip(files, try repository.answers(to: files.map(\.id), limit: limit)) {
      guard case .object(let object, let data) = answer, object.kind == .blob else {
        let name = file.name.isEmpty ? path : "\(path)/\(file.name)"
        throw DiagnosticsError(repository.unread("\(revision):\(name)", answer))
      }
      contents.append(data)
    }
    return contents
  }
}

/// What a tree has under a name, or below it under a path; the name is empty for the object itself.
struct GitEntry: Hashable, Sendable {
  enum Kind: Sendable { case file, folder, link, submodule }

  var name: String
  var kind: Kind
  var id: String
}

/// A tree as git keeps it: `<mode> <name>`, a zero byte, and a number, for each file and folder.
struct GitTreeContent: Sendable {
  let bytes: [UInt8]
  private let idLength: Int

  /// - Returns: nil if it is damaged.
  init?(_ content: Data, idLength: Int) {
    (bytes, self.idLength) = (Array(content), idLength)
    var index = 0
    while next(at: &index) != nil {}
    guard index == bytes.count else { return nil }
  }

  func entry(named name: String) -> GitEntry? {
    let name = Array(name.utf8)
    var index = 0
    while let place = next(at: &index) {
      if place.name.count == name.count, bytes[place.name].elementsEqual(name) { return entry(place) }
    }
    return nil
  }

  var entries: [GitEntry] {
    var (entries, index) = ([GitEntry](), 0)
    while let place = next(at: &index) { entries.append(entry(place)) }
    return entries
  }

  private typealias Place = (mode: Range<Int>, name: Range<Int>, id: Range<Int>)

  private func next(at index: inout Int) -> Place? {
    guard let space = bytes[index...].firstIndex(of: 0x20), let end = bytes[space...].firstIndex(of: 0),
      end + idLength < bytes.count
    else { return nil }
    defer { index = end + 1 + idLength }
    return (index..<space, space + 1..<end, end + 1..<end + 1 + idLength)
  }

  private func entry(_ place: Place) -> GitEntry {
    let kind: GitEntry.Kind =
      switch String(decoding: bytes[place.mode], as: UTF8.self) {
      case "40000", "040000": .folder
      case "120000": .link
      case "160000": .submodule
      default: .file
      }
    let id = bytes[place.id].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return GitEntry(name: String(decoding: bytes[place.name], as: UTF8.self), kind: kind, id: id)
  }
}

extension String {
  /// Whether a text can be a line of git's input.
  var isGitName: Bool { utf8.count <= 4000 && !utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}

/// The path that a place means, from the repository's top, without `.` and `..`.
///
/// - Throws: `DiagnosticsError` with MC0014 where it leads out of the repository.
package func pathInRepository(_ place: GitLocation) throws(DiagnosticsError) -> String {
  let first = place.path.pathParts.first
  let begin = first == "." || first == ".." ? try GitRepository.holding(folder: place.folder).prefix : ""
  guard let path = resolvedPath(place.path, from: begin) else {
    throw DiagnosticsError(.outsideRepository(place.name))
  }
  return path
}

/// A path from a folder of a repository as one from its top, without `.` and `..`.
///
/// - Returns: nil if it is an absolute path, or leads out of the repository.
package func resolvedPath(_ path: String, from folder: String) -> String? {
  guard path.utf8.first != UInt8(ascii: "/") else { return nil }
  var parts: [String] = []
  for part in folder.pathParts + path.pathParts where !part.isEmpty && part != "." {
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
  "here: `git fetch --unshallow --tags origin '+refs/heads/*:refs/remotes/origin/*'`",
  "GitHub: add `fetch-depth: 0` below `with:` of actions/checkout",
  "GitLab: add `GIT_DEPTH: 0` below `variables:` of the job",
]

extension Diagnostic.Code {
  /// A model cannot be read from a revision of a git repository.
  package static let gitRevision = Self("MC0014", exit: .usage)
}

extension DiagnosticsError {
  /// A model cannot be read from a revision.
  static func git(_ message: String, notes: [Diagnostic.Note] = [], help: String...) -> Self {
    Self(.gitRevision, message, notes: notes, help: help)
  }
}

extension Diagnostic {
  /// The line of git that says why, without its own prefix.
  static func reason(_ message: String) -> [Note] {
    let line = message.lines.first ?? ""
    return line.isEmpty ? [] : [Note("git: \(line.trimmingPrefix("fatal: "))")]
  }

  static func outsideRepository(_ name: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(name)' points outside the repository",
      notes: ["a revision contains only files of its repository; nothing was read"],
      help: ["keep what a model includes in its repository, and name it from the model's folder: '../Shared'"]
    )
  }
}

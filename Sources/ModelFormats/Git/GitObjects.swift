import Foundation
public import ManagedModel

/// An object of a repository that a name led to.
struct GitObject: Hashable {
  enum Kind: String { case blob, tree }

  var id: String
  var kind: Kind
  var size: Int
}

/// One file below a tree.
struct GitFile: Hashable {
  var id: String
  var size: Int
  /// Relative to the tree.
  var path: String
}

/// Finds the object that `REV:path` names.
///
/// - Throws: `DiagnosticsError` with MC0014: no repository, no such revision, no such path, a history cut short.
func findGitObject(_ place: GitPlace) throws(DiagnosticsError) -> GitObject {
  guard !place.name.unicodeScalars.contains(where: { $0.value < 0x20 }), place.name.utf8.count <= 2000 else {
    throw DiagnosticsError(.noGitName(place))
  }
  let run = try runGit(
    ["cat-file", "--batch-check"], input: "\(place.name)\n\(place.revision)^{}\n", in: place.folder)
  guard run.status == 0 else { throw DiagnosticsError(.noRepository(place, run.message)) }
  let answers = String(decoding: run.output, as: UTF8.self).split(separator: "\n").map { answer($0) }
  if let object = answers.first ?? nil { return object }
  if answers.count == 2, answers[1] != nil || isCommit(run.output) {
    throw DiagnosticsError(.noGitPath(place, otherPath: try pathFromTop(place)))
  }
  let isShallow = try runGit(["rev-parse", "--is-shallow-repository"], input: "", in: place.folder)
  let isCut = String(decoding: isShallow.output, as: UTF8.self).hasPrefix("true")
  throw DiagnosticsError(.noGitRevision(place, isShallow: isCut))
}

/// `<id> <kind> <size>`, or nil where the name led to nothing, or to no file or folder.
private func answer(_ line: Substring) -> GitObject? {
  let words = line.split(separator: " ")
  guard words.count == 3, let kind = GitObject.Kind(rawValue: String(words[1])),
    let size = byteCount(words[2]),
    words[0].allSatisfy(\.isHexDigit)
  else { return nil }
  return GitObject(id: String(words[0]), kind: kind, size: size)
}

/// A number of bytes as git says it; an object's own header may claim any. One beyond every limit is as good as another,
/// and sums of them do not overflow.
private func byteCount(_ text: Substring) -> Int? { Int(text).flatMap { $0 < 0 ? nil : min($0, 1 << 40) } }

/// Whether the second line says that the revision is there.
private func isCommit(_ output: Data) -> Bool {
  let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
  return lines.count == 2 && lines[1].split(separator: " ").dropFirst().first == "commit"
}

/// The path from the repository's top, where a path was meant from the working folder.
private func pathFromTop(_ place: GitPlace) throws(DiagnosticsError) -> String? {
  let prefix = try gitPrefix()
  guard !prefix.isEmpty, !place.path.hasPrefix("./"), !place.path.hasPrefix("../") else { return nil }
  let other = GitPlace(revision: place.revision, path: "./" + place.path, folder: place.folder)
  let run = try runGit(["cat-file", "--batch-check"], input: other.name + "\n", in: place.folder)
  return String(decoding: run.output, as: UTF8.self).contains(" missing") ? nil : other.name
}

/// The working folder's path from the repository's top, with a slash at its end; empty at the top.
func gitPrefix() throws(DiagnosticsError) -> String {
  let run = try runGit(["rev-parse", "--show-prefix"], input: "")
  return String(decoding: run.output, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
}

/// The regular files below a tree; links and submodules are passed over.
func listGitFiles(_ tree: GitObject, of place: GitPlace) throws(DiagnosticsError) -> [GitFile] {
  // The tree goes by its number, which no one can have made to look like an option.
  let run = try runGit(["ls-tree", "-r", "-z", "-l", "--full-tree", tree.id], input: "", in: place.folder)
  guard run.status == 0 else { throw DiagnosticsError(.unreadableGitObject(place, run.message)) }
  return run.output.split(separator: 0).compactMap { entry in
    let text = String(decoding: entry, as: UTF8.self)
    guard let tab = text.firstIndex(of: "\t") else { return nil }
    let words = text[..<tab].split(separator: " ")
    guard words.count == 4, words[0].hasPrefix("100"), let size = byteCount(words[3]) else { return nil }
    return GitFile(id: String(words[2]), size: size, path: String(text[text.index(after: tab)...]))
  }
}

/// The contents of files, in their order.
func readGitFiles(_ files: [GitFile], of place: GitPlace) throws(DiagnosticsError) -> [Data] {
  let run = try runGit(["cat-file", "--batch"], input: files.map { $0.id + "\n" }.joined(), in: place.folder)
  var contents: [Data] = []
  var rest = run.output[...]
  for file in files {
    // `<id> blob <size>`, the bytes, a line end.
    guard let lineEnd = rest.firstIndex(of: 0x0A),
      let object = answer(Substring(String(decoding: rest[..<lineEnd], as: UTF8.self))),
      object.id == file.id, object.size == file.size, rest.endIndex - lineEnd - 1 > file.size
    else { throw DiagnosticsError(.unreadableGitObject(place, run.message)) }
    let start = lineEnd + 1
    contents.append(Data(rest[start..<start + file.size]))
    rest = rest[(start + file.size + 1)...]
  }
  return contents
}

extension Diagnostic.Code {
  /// A model cannot be read from a revision of a git repository.
  public static let gitRevision = Self("MC0014")
}

extension Diagnostic {
  /// The line of git that says why, without its own prefix.
  private static func reason(_ message: String) -> [Note] {
    let line = message.split(separator: "\n").first.map(String.init) ?? ""
    return line.isEmpty ? [] : [Note("git: \(line.replacing("fatal: ", with: ""))")]
  }

  fileprivate static func noRepository(_ place: GitPlace, _ message: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(place.name)' cannot be looked up in a git repository",
      notes: reason(message), help: ["run modelc in the repository that holds the revision"])
  }

  fileprivate static func noGitName(_ place: GitPlace) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "that is no name of a file in a git revision",
      help: ["write it as git does: 'HEAD~1:App.xcdatamodeld'"])
  }

  fileprivate static func noGitRevision(_ place: GitPlace, isShallow: Bool) -> Diagnostic {
    var help = ["'git log --oneline' shows the revisions, 'git branch -a' the branches"]
    if isShallow { help = ["'git fetch --unshallow' fetches it; in CI, check out with the full history"] }
    return Diagnostic(
      .gitRevision, .error, "the repository has no revision '\(place.revision)'",
      notes: isShallow ? ["it is a shallow clone: its history is cut short"] : [], help: help)
  }

  fileprivate static func noGitPath(_ place: GitPlace, otherPath: String?) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "revision '\(place.revision)' has no '\(place.path)'",
      notes: ["paths begin at the repository's top, or with './' at this folder"],
      help: otherPath.map { ["did you mean '\($0)'?"] } ?? [
        "'git ls-tree -r --name-only \(place.revision)' lists what it has"
      ])
  }

  fileprivate static func unreadableGitObject(_ place: GitPlace, _ message: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "git does not give the content of '\(place.name)'", notes: reason(message),
      help: ["a partial clone lacks objects: 'git fetch --refetch' brings them; 'git fsck' finds damage"])
  }
}

package import Foundation
import ManagedModel

/// An object of a repository that a name led to.
package struct GitObject: Hashable {
  package enum Kind: String { case blob, tree }

  package var id: String
  package var kind: Kind
  package var size: Int

  init(id: String, kind: Kind, size: Int) {
    (self.id, self.kind, self.size) = (id, kind, size)
  }

  /// `<id> <kind> <size>`, or nil where the name led to nothing, or to no file or folder.
  package init?(answer: Data) {
    let line = answer.prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3, let kind = Kind(rawValue: words[1]), let size = byteCount(words[2]),
      words[0].utf8.count >= 40, words[0].allSatisfy(\.isHexDigit)
    else { return nil }
    self.init(id: words[0], kind: kind, size: size)
  }
}

/// One file below a tree.
package struct GitFile: Hashable {
  var id: String
  var size: Int
  /// Relative to the tree; empty for the object itself.
  var path: String
}

/// What a revision may hold below a path at most; models are far smaller.
enum GitLimits {
  static let files = 10_000
  static let bytes = 256 << 20
  static let listBytes = 4 << 20
}

extension GitTree {
  /// Finds the file or folder at a path from the repository's top; nil where the revision has none.
  func find(_ path: String) throws(DiagnosticsError) -> GitObject? {
    // `<tree>:` leads to the tree itself.
    guard isGitName(path) else { return nil }
    let run = try runGit(["cat-file", "--batch-check"], input: "\(id):\(path)\n", in: folder)
    return GitObject(answer: run.output)
  }

  /// Whether the path is a symbolic link, whose text git gives as a file's content.
  func isLink(_ path: String) throws(DiagnosticsError) -> Bool {
    // What stands behind `--` is no option, and with literal paths no pattern.
    let run = try runGit(
      ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", id, "--", path], input: "", in: folder)
    return run.output.starts(with: "120000 ".utf8)
  }

  /// The regular files below a tree; links and submodules are passed over.
  func files(below tree: GitObject, at path: String) throws(DiagnosticsError) -> [GitFile] {
    let run = try runGit(
      ["ls-tree", "-r", "-z", "-l", "--full-tree", tree.id], input: "", in: folder,
      limit: GitLimits.listBytes)
    if run.isCut { throw DiagnosticsError(.tooMuch("\(revision):\(path)")) }
    guard run.status == 0 else {
      throw DiagnosticsError(.unreadableGitObject("\(revision):\(path)", run.message))
    }
    return run.output.split(separator: 0).compactMap { entry in
      // `<mode> <kind> <id> <size>`, a tab, the path.
      guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let words = entry[..<tab].split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard words.count == 4, words[0].utf8.starts(with: "100".utf8), let size = byteCount(words[3])
      else { return nil }
      return GitFile(id: words[2], size: size, path: String(decoding: entry[(tab + 1)...], as: UTF8.self))
    }
  }

  /// The contents of files, in their order.
  func read(
    _ files: [GitFile], at path: String, seconds: Double? = nil
  ) throws(DiagnosticsError) -> [Data] {
    let run = try runGit(
      ["cat-file", "--batch"], input: files.map { $0.id + "\n" }.joined(), in: folder,
      limit: GitLimits.bytes + GitLimits.listBytes, seconds: seconds)
    var contents: [Data] = []
    var rest = run.output[...]
    for file in files {
      // `<id> blob <size>`, the bytes, a line end.
      guard let lineEnd = rest.firstIndex(of: 0x0A), let object = GitObject(answer: rest[..<lineEnd]),
        object.id == file.id, object.size == file.size, rest.endIndex - lineEnd - 1 > file.size
      else { throw DiagnosticsError(.unreadableGitObject("\(revision):\(path)", run.message)) }
      let start = lineEnd + 1
      contents.append(Data(rest[start..<start + file.size]))
      rest = rest[(start + file.size + 1)...]
    }
    return contents
  }
}

/// A number of bytes as git says it; an object's own header may claim any. One beyond every limit is as good as another,
/// and sums of them do not overflow.
private func byteCount(_ text: String) -> Int? { Int(text).flatMap { $0 < 0 ? nil : min($0, 1 << 40) } }

extension Diagnostic {
  static func tooMuch(_ name: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(name)' holds more than any model",
      notes: [Note("at most \(GitLimits.files) files of \(GitLimits.bytes >> 20) MB are read of a revision")],
      help: ["name the model's own folder"])
  }

  fileprivate static func unreadableGitObject(_ name: String, _ message: String) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "git does not give the content of '\(name)'", notes: reason(message),
      help: ["a partial clone lacks objects: `git fetch --refetch` brings them; `git fsck` finds damage"])
  }
}

package import Foundation
package import ManagedModel

/// Files of one revision in a temporary folder, each where it stands in the repository.
///
/// Nothing is written but regular files, new ones, below the folder: a path is made of the parts that git gives, none
/// of them `..`, and no link is made that another path could go through.
package final class GitCheckout {
  let tree: GitTree
  /// URLs are relative to it, so that places and messages show `REV:path` and never a temporary path.
  private let base: URL
  /// Whether a file, or a folder, of that name is wanted.
  package typealias Filter = (_ name: String, _ isFolder: Bool) -> Bool
  private let takes: Filter
  /// Whether the files' contents are wanted too; a clone may lack them.
  private let hasContents: Bool
  private var unpacked: Set<[UInt8]> = []
  private var written: Set<[UInt8]> = []
  private var bytes = 0

  init(_ tree: GitTree, in folder: TemporaryFolder, taking takes: @escaping Filter, hasContents: Bool) {
    (self.tree, self.takes, self.hasContents) = (tree, takes, hasContents)
    base = folder.url
  }

  /// Where the path of the repository is read.
  func url(_ path: String) -> URL { URL(filePath: name(path), relativeTo: base) }

  private func name(_ path: String) -> String { "\(tree.shownRevision):\(path)" }

  /// The path of the repository that a URL of this checkout stands for.
  private func path(of url: URL) -> String {
    String(decoding: url.relativePath.utf8.dropFirst(name("").utf8.count), as: UTF8.self)
  }

  /// What a model at the top is called: its file is called `REV:App.xcdatamodeld` here, the model is not.
  package func modelPath(of url: URL) -> String? {
    let path = path(of: url)
    return path.pathParts.count == 1 ? path : nil
  }

  /// Writes what the revision has at the path, and gives its place; nil if it has nothing there.
  ///
  /// - Throws: `DiagnosticsError`: MC0014 for a link, or too much; MC0019 for what this clone lacks.
  func unpack(_ path: String) throws(DiagnosticsError) -> URL? {
    guard let object = try tree.find(path) else { return nil }
    let url = url(path)
    guard unpacked.insert(Array(path.utf8)).inserted else { return url }
    var files = [GitEntry(name: "", kind: .file, id: object.id)]
    if object.kind == .folder { files = try tree.files(below: object, at: path, taking: takes) }
    // What another path brought already is there.
    files = files.filter { file in
      written.insert(Array((file.name.isEmpty ? path : "\(path)/\(file.name)").utf8)).inserted
    }
    guard written.count <= GitLimits.files else { throw DiagnosticsError(.tooMuch(name(path))) }
    let contents =
      hasContents
      ? try tree.read(files, at: path, limit: GitLimits.bytes - bytes) : files.map { _ in Data() }
    bytes += contents.map(\.count).reduce(0, +)
    do {
      if object.kind == .folder {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      for (file, content) in zip(files, contents) { try write(content, to: file.name, below: path) }
    } catch let error as DiagnosticsError {
      throw error
    } catch {
      throw DiagnosticsError.git(
        "'\(name(path))' cannot be unpacked: \(systemReason(of: error))",
        help: "check the free space of the temporary folder",
        "if two of its files have names that differ only in case, rename one")
    }
    return url
  }

  /// Writes what a model includes, and gives its place.
  func unpack(included path: String, by folder: URL) throws(DiagnosticsError) -> URL? {
    guard let whole = resolvedPath(path, from: self.path(of: folder)) else {
      throw DiagnosticsError(.outsideRepository(path))
    }
    return try unpack(whole)
  }

  /// Writes the file of that name beside what was unpacked, and gives its place; nil if absent.
  package func unpackNeighbour(_ name: String, of url: URL) throws(DiagnosticsError) -> URL? {
    let folder = path(of: url).pathParts.filter { !$0.isEmpty }.dropLast()
    return try unpack((folder + [name]).joined(separator: "/"))
  }

  /// - Parameter file: below the path; empty for the path itself.
  private func write(_ content: Data, to file: String, below path: String) throws {
    // Git keeps such names out of its trees; a damaged one shall not lead out of the folder all the same.
    let parts = file.isEmpty ? [] : file.pathParts
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw DiagnosticsError(.outsideRepository("\(name(path))/\(file)"))
    }
    let place = ([base.path, name(path)] + parts).joined(separator: "/")
    let folder = place.parentPath
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = unsafe open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Names that differ in case are one on some file systems.
      throw CocoaError(errno == EEXIST ? .fileWriteFileExists : .fileWriteUnknown)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: content)
    try handle.close()
  }
}

/// Writes what `REV:path` names to a temporary folder for as long as the body runs.
///
/// The repository's own working tree is not touched.
///
/// - Parameters:
///   - takes: which files below a folder are wanted; all of them unless said.
///   - hasContents: whether their contents are wanted too; else they are empty.
///   - body: takes the place where it can be read, and what brings other files of the revision there.
/// - Returns: nil if the revision has nothing there.
/// - Throws: `DiagnosticsError`: MC0014 where git does not lead to it; MC0019 where this clone lacks it.
package func withCheckout<Result>(
  of place: GitLocation, taking takes: @escaping GitCheckout.Filter = { _, _ in true },
  hasContents: Bool = true, _ body: (URL, GitCheckout) -> Result
) throws(DiagnosticsError) -> Result? {
  let tree = try GitTree(place)
  let path = try pathInRepository(place)
  let folder: TemporaryFolder
  do {
    folder = try TemporaryFolder("revision")
  } catch {
    throw DiagnosticsError.git(
      "'\(place.name)' cannot be unpacked: \(systemReason(of: error))",
      help: "check that the temporary folder can be written")
  }
  defer { folder.remove() }
  let checkout = GitCheckout(tree, in: folder, taking: takes, hasContents: hasContents)
  return try checkout.unpack(path).map { body($0, checkout) }
}

extension GitLocation {
  /// That the revision has nothing there, with the name that would lead there where a path was meant from the working folder.
  package var nothingThere: Diagnostic {
    let other = GitLocation(revision: revision, path: "./" + path, folder: folder)
    let isThere = (try? pathInRepository(other)).flatMap { path in try? GitTree(self).find(path) } != nil
    return Diagnostic(
      .gitRevision, .error, "revision '\(revision)' has no '\(path)'",
      notes: ["paths start at the repository's top, or with './' at this folder"],
      help: [
        isThere
          ? "did you mean '\(other.name)'?"
          : "`git ls-tree -r --name-only \(revision.shellWord)` lists what it has"
      ])
  }
}

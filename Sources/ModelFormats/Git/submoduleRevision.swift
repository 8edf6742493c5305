import Foundation
package import ManagedModel

/// What a revision means for a model in a submodule of the repository that a command runs in: the commit that the
/// submodule has in it. `HEAD~1` of the submodule itself would be another history than the reader's.
///
/// - Returns: the revision itself for a model elsewhere; nil if the revision does not have the submodule.
/// - Throws: `DiagnosticsError` with MC0014 or MC0019 where the revision cannot be read.
package func submoduleRevision(
  _ revision: String, ofModelAt path: String, seenFrom folder: String
) throws(DiagnosticsError) -> String? {
  guard let outer = try? GitRepository.holding(folder: folder),
    let inner = try? GitRepository.holding(path).repository, inner.top.hasPrefix(outer.top + "/")
  else { return revision }
  var name = revision
  var place = outer
  while place.top != inner.top {
    let parts = String(inner.top.dropFirst(place.top.count + 1)).pathParts
    guard let (id, depth) = try place.submodule(on: parts, in: name) else {
      // A clone that the repository above knows nothing of has a history of its own.
      return try place.submodule(on: parts, in: "HEAD") == nil ? revision : nil
    }
    let top = ([place.top] + parts.prefix(depth)).joined(separator: "/")
    (name, place) = (id, try GitRepository.holding(folder: top))
  }
  return name
}

extension GitRepository {
  /// The paths of its submodules, from its top.
  package var submodules: [String] {
    let paths = ["config", "-z", "--file", ".gitmodules", "--get-regexp", #"^submodule\..*\.path$"#]
    // A key, a line end and its value.
    return (gitAnswer(paths, in: top) ?? "").split(separator: "\0").compactMap { entry in
      entry.split(separator: "\n", maxSplits: 1).dropFirst().first.map(String.init)
    }
  }

  /// The first submodule on a path from the top: its commit, and how many parts lead to it.
  fileprivate func submodule(
    on parts: [String], in revision: String
  ) throws(DiagnosticsError) -> (commit: String, depth: Int)? {
    let tree = try GitTree(GitLocation(revision: revision, path: ".", folder: folder))
    var id = tree.id
    for (index, part) in parts.enumerated() {
      guard let entry = try trees([id], of: revision)[id]?.entry(named: part) else { return nil }
      if entry.kind == .submodule { return (entry.id, index + 1) }
      guard entry.kind == .folder else { return nil }
      id = entry.id
    }
    return nil
  }
}

extension String {
  /// Whether the index has files of a model or of mappings at this path, and a sparse checkout leaves some of them out.
  ///
  /// - Parameter asMappings: whether it is a folder of mapping files: those in folders below are not read.
  package func isLeftOut(asMappings: Bool = false) -> Bool {
    leftOutFiles.contains { !asMappings || !$0.utf8.contains(UInt8(ascii: "/")) }
  }

  /// These files, as paths from this one.
  package var leftOutFiles: [String] {
    guard mayBeSparse, let (repository, place) = try? GitRepository.holding(self),
      gitAnswer(["config", "--type=bool", "core.sparseCheckout"], in: repository.top) == "true",
      let run = try? runGit(
        ["ls-files", "-zt", "--", ":(top,literal)\(place)"], in: repository.top, limit: 1 << 24)
    else { return [] }
    // Git writes an S before what it skips.
    return String(decoding: run.output, as: UTF8.self).split(separator: "\0").filter { file in
      file.hasPrefix("S ") && ["/contents", "/xcmapping.xml", ".yaml"].contains { file.hasSuffix($0) }
    }.map { String($0.dropFirst(place.isEmpty ? 2 : place.count + 3)) }
  }

  /// Whether git's folder has a list for that, before git is started; that of a further worktree is elsewhere.
  private var mayBeSparse: Bool {
    let place = URL(filePath: existingFolder.folder).resolvingSymlinksInPath().path
    guard let folder = place.folderWithGit else { return false }
    let files = FileManager.default
    return files.fileExists(atPath: folder + "/.git/info/sparse-checkout")
      || !files.fileExists(atPath: folder + "/.git/HEAD")
  }
}

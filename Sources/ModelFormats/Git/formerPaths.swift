import Foundation
package import ManagedModel

/// Where a model lay before it was moved, the latest place first, as paths on disk that need not exist any more.
///
/// What is moved in git's index, or on disk alone, and not committed yet counts too; of what stands in the index and in
/// commits, git's own detection of renames tells.
///
/// - Parameters:
///   - commit: what of today's commit is compared with at once, whatever the history tells.
/// - Returns: nothing where it is in no repository.
/// - Throws: `DiagnosticsError` with MC0019 where this clone lacks what tells it.
package func formerPaths(
  ofModelAt path: String, since commit: String? = nil
) throws(DiagnosticsError) -> [String] {
  guard let (repository, place) = try? GitRepository.holding(path) else { return [] }
  let (folder, top) = (repository.folder, repository.top)
  let isPackage = ModelSourceKind(path) == .xcodePackage
  let files = isPackage ? ["*.xcdatamodeld/*"] : path.isSwiftSource ? ["*.swift"] : ["*.yaml", "*.yml"]
  var renames = (try? stagedRenames(in: folder)) ?? []
  if let commit { renames += try directRenames(since: commit, in: repository, files) }
  renames += try pastRenames(in: repository, files)
  var places = [place]
  if let former = unstagedFormerPlace(of: path, at: place, top: top) { places.append(former) }
  for rename in renames {
    for place in places {
      guard let former = formerPlace(of: place, rename), !places.contains(former) else { continue }
      places.append(former)
    }
  }
  return places.dropFirst().map { "\(top)/\($0)" }
}

/// A file's path and the one that it had before, from the repository's top.
private struct Rename {
  var from: String
  var to: String
}

/// Where the folder lay, where the rename is of a file in it; nil if it stayed, or another file is meant.
private func formerPlace(of place: String, _ rename: Rename) -> String? {
  let (new, old, parts) = (rename.to.pathParts, rename.from.pathParts, place.pathParts)
  if ModelSourceKind(place) == .swiftFile { return rename.to == place ? rename.from : nil }
  guard new.count > parts.count, new.starts(with: parts) else { return nil }
  if ModelSourceKind(place) == .xcodePackage {
    // Its versions may have got other names meanwhile.
    // A version's folder in a package is called like a package of one version.
    let suffix = (place as NSString).pathExtension
    let end = old.lastIndex { ($0 as NSString).pathExtension == suffix }
    guard let end = end ?? old.lastIndex(where: { ModelSourceKind($0) == .xcodePackage }) else { return nil }
    return old[...end].joined(separator: "/")
  }
  let below = new.count - parts.count
  guard old.count > below else { return nil }
  return old.dropLast(below).joined(separator: "/")
}

private func stagedRenames(in folder: String) throws(DiagnosticsError) -> [Rename] {
  let arguments = ["diff-index", "--cached"] + renameOptions + ["HEAD", "--"]
  return renames(try runGit(arguments, input: "", in: folder, limit: GitLimits.listBytes, seconds: 3))
}

private let renameOptions =
  ["--diff-filter=R", "--find-renames", "--raw", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv"]

/// From the top, wherever the model lies.
private func modelFiles(_ files: [String]) -> [String] { ["--"] + files.map { ":(top)" + $0 } }

private func directRenames(
  since commit: String, in repository: GitRepository, _ files: [String]
) throws(DiagnosticsError) -> [Rename] {
  guard commit.allSatisfy(\.isHexDigit), let head = try repository.commit(named: "HEAD"), head.id != commit
  else { return [] }
  let run = try runGit(
    ["diff-tree", "-r"] + renameOptions + [commit, head.id] + modelFiles(files), input: "",
    in: repository.folder, limit: GitLimits.listBytes, seconds: 30)
  return try renames(run, in: repository)
}

private func renames(_ run: GitRun, in repository: GitRepository) throws(DiagnosticsError) -> [Rename] {
  guard run.status == 0 || run.isCut else {
    throw DiagnosticsError(.lackingObject("former places of models", run.message, repository.kind))
  }
  return renames(run)
}

/// The renames of the history that leads to today's commit, the latest first.
private func pastRenames(in repository: GitRepository, _ files: [String]) throws(DiagnosticsError) -> [Rename]
{
  guard try repository.commit(named: "HEAD") != nil else { return [] }
  let arguments =
    ["-c", "log.showSignature=false", "-c", "diff.renameLimit=2000", "log", "HEAD"] + renameOptions
    + ["--no-color", "--decorate=no", "--format=", "--max-count=2000"] + modelFiles(files)
  let run = try runGit(
    arguments, input: "", in: repository.folder, limit: GitLimits.listBytes, seconds: 10)
  return try renames(run, in: repository)
}

/// `:<modes> <blobs> R<likeness>`, the former path, the path; each ends with a zero byte.
private func renames(_ run: GitRun) -> [Rename] {
  guard run.status == 0 || run.isCut else { return [] }
  var found: [Rename] = []
  var pieces = run.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }[...]
  while let piece = pieces.popFirst() {
    guard piece.trimmingPrefix("\n").hasPrefix(":"), pieces.count >= 2, let from = pieces.popFirst(),
      let to = pieces.popFirst()
    else { continue }
    found.append(Rename(from: from, to: to))
  }
  return found
}

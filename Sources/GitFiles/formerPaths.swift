import Foundation
import ManagedModel

/// Where a model lay before it was moved, the latest place first, as paths on disk that need not exist any more.
///
/// What is moved in git's index, or on disk alone, and not committed yet counts too; of what stands in the index and in
/// commits, git's own detection of renames tells.
///
/// - Returns: nothing where git does not tell.
package func formerPaths(ofModelAt path: String) -> [String] {
  let (folder, rest) = existingFolder(of: path)
  guard let prefix = try? gitPrefix(folder), let top = (try? repositoryFolder(folder)) ?? nil else {
    return []
  }
  let staged = (try? stagedRenames(in: folder)) ?? []
  let renames = staged + ((try? renames(in: folder, isPackage: ModelSourceKind(path) == .xcodePackage)) ?? [])
  var places = [prefix + rest]
  if let former = unstagedFormerPlace(of: path, at: prefix + rest, top: top) { places.append(former) }
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

/// Where the folder lay, where the rename is of a file in it; nil where it stayed, or another file is meant.
private func formerPlace(of place: String, _ rename: Rename) -> String? {
  let (new, old, parts) = (pathParts(rename.to), pathParts(rename.from), pathParts(place))
  guard new.count > parts.count, new.starts(with: parts) else { return nil }
  if ModelSourceKind(place) == .xcodePackage {
    // Its versions may have got other names meanwhile.
    guard let end = old.lastIndex(where: { ModelSourceKind($0) == .xcodePackage }) else { return nil }
    return old[...end].joined(separator: "/")
  }
  let below = new.count - parts.count
  guard old.count > below else { return nil }
  return old.dropLast(below).joined(separator: "/")
}

private func stagedRenames(in folder: String) throws(DiagnosticsError) -> [Rename] {
  let arguments =
    ["diff-index", "--cached", "--diff-filter=R", "--find-renames", "--raw", "-z", "--no-abbrev"]
    + ["--no-ext-diff", "--no-textconv", "HEAD", "--"]
  return renames(try runGit(arguments, input: "", in: folder, limit: GitLimits.listBytes, seconds: 3))
}

/// The renames of the history that leads to today's commit, the latest first.
private func renames(in folder: String, isPackage: Bool) throws(DiagnosticsError) -> [Rename] {
  let files = isPackage ? ["*.xcdatamodeld/*"] : ["*.yaml", "*.yml"]
  let arguments =
    ["-c", "log.showSignature=false", "-c", "diff.renameLimit=2000", "log", "HEAD", "--diff-filter=R"]
    + ["--find-renames", "--raw", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color"]
    + ["--decorate=no", "--format=", "--max-count=2000", "--"]
  // From the top, wherever the model lies.
  return renames(
    try runGit(
      arguments + files.map { ":(top)" + $0 }, input: "", in: folder, limit: GitLimits.listBytes, seconds: 10)
  )
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

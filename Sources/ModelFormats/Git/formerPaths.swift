import Foundation
package import ManagedModel

/// Where a model lay before it was moved, the latest place first, as paths on disk that need not exist any more.
///
/// What is moved in git's index, or on disk alone, and not committed yet counts too; of what stands in the index and in
/// commits, git's own detection of renames tells. Of a link that git does not know, its target is one.
///
/// - Parameters:
///   - commit: what of today's commit is compared with at once, whatever the history tells.
/// - Returns: nothing where it is in no repository.
/// - Throws: `DiagnosticsError` with MC0019 where this clone lacks what tells it.
package func formerPaths(
  ofModelAt path: String, since commit: String? = nil
) throws(DiagnosticsError) -> [String] {
  guard let (repository, place) = try? GitRepository.holding(path) else { return [] }
  let isPackage = ModelSourceKind(path) == .xcodePackage
  let files = isPackage ? ["*.xcdatamodel*/*"] : path.isSwiftSource ? ["*.swift"] : ["*.yaml", "*.yml"]
  func renames(_ command: [String], _ commits: [String], seconds: Double) throws(DiagnosticsError) -> [Rename]
  {
    let run = try runGit(
      command + renameOptions + commits + ["--"] + files.map { ":(top)" + $0 }, in: repository.folder,
      limit: GitLimits.listBytes, seconds: seconds)
    guard run.status == 0 || run.isCut else {
      throw DiagnosticsError(.lackingObject("former places of models", run.message, repository.kind))
    }
    return Rename.list(run.output)
  }
  var found = (try? renames(["diff-index", "--cached"], ["HEAD"], seconds: 3)) ?? []
  if let head = try repository.commit(named: "HEAD")?.id {
    if let commit, commit.allSatisfy(\.isHexDigit), head != commit {
      found += try renames(["diff-tree", "-r"], [commit, head], seconds: 30)
    }
    // Those of the history that leads to today's commit, the latest first.
    let log = ["-c", "log.showSignature=false", "-c", "diff.renameLimit=2000", "log", "--no-color"]
    found += try renames(log + ["--decorate=no", "--format=", "--max-count=2000"], ["HEAD"], seconds: 10)
  }
  var places = [place]
  let target = try? GitRepository.holding(URL(filePath: path).resolvingSymlinksInPath().path)
  if let target, target.repository.top == repository.top, target.path != place { places.append(target.path) }
  // Of what is moved on disk alone the place comes first from which most files are.
  let unstaged = unstagedRenames(below: place, files, top: repository.top).compactMap {
    formerPlace(of: place, $0)
  }
  let counted = Dictionary(grouping: unstaged, by: \.self).mapValues(\.count)
  places += counted.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  for rename in found {
    for place in places {
      guard let former = formerPlace(of: place, rename), !places.contains(former) else { continue }
      places.append(former)
    }
  }
  return places.dropFirst().map { "\(repository.top)/\($0)" }
}

/// A file's path and the one that it had before, from the repository's top.
private struct Rename {
  var from: String
  var to: String

  /// `:<modes> <blobs> R<likeness>`, the former path, the path; each ends with a zero byte.
  static func list(_ output: Data) -> [Rename] {
    var found: [Rename] = []
    var pieces = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }[...]
    while let piece = pieces.popFirst() {
      guard piece.trimmingPrefix("\n").hasPrefix(":"), pieces.count >= 2, let from = pieces.popFirst(),
        let to = pieces.popFirst()
      else { continue }
      found.append(Rename(from: from, to: to))
    }
    return found
  }
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
  var below = new.count - parts.count
  if rename.to.hasSuffix(".swift") {
    // Source may be laid out otherwise in its new place: only as far as the two paths end alike is it the same.
    below = max(1, zip(new.suffix(below).reversed(), old.reversed()).prefix { $0 == $1 }.count)
  }
  guard old.count >= below else { return nil }
  return old.dropLast(below).joined(separator: "/")
}

private let renameOptions =
  ["--diff-filter=R", "--find-renames", "--raw", "-z", "--no-abbrev", "--no-ext-diff", "--no-textconv"]

/// Git's own detection of renames sees only what it keeps. So files that are gone from disk are compared with new ones of
/// the model: with the same content, or else under the same name.
private func unstagedRenames(below place: String, _ kinds: [String], top: String) -> [Rename] {
  func list(_ options: [String], _ paths: [String]) -> [String] {
    let run = try? runGit(
      ["ls-files", "-z"] + options + ["--"] + paths, in: top, limit: GitLimits.listBytes, seconds: 10)
    guard let run, run.status == 0, !run.isCut else { return [] }
    return run.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
  let gone = list(["--deleted", "--format=%(objectname) %(path)"], kinds)
  guard !gone.isEmpty, place.isGitName else { return [] }
  let new = list(["--others", "--exclude-standard"], [":(top,literal)" + place]).filter { file in
    file.isGitName && ["contents", ".yaml", ".swift"].contains(where: file.hasSuffix)
  }.sorted().prefix(400)
  let run = try? runGit(
    ["hash-object", "--no-filters", "--stdin-paths"], input: new.map { $0 + "\n" }.joined(), in: top)
  let blobs = (run?.output ?? Data()).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  let names = new.map(\.nameInModel)
  return gone.flatMap { line -> [Rename] in
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let blob = words.first, let from = words.last, let name = words.last?.nameInModel else { return [] }
    let alike = zip(zip(new, names), blobs).filter { $0.1 == blob || $0.0.1 == name && !name.isEmpty }
    return alike.map { Rename(from: from, to: $0.0.0) }
  }
}

extension String {
  /// What a file keeps when its model moves, though it is edited too; a list of versions alone says nothing.
  fileprivate var nameInModel: ArraySlice<String> {
    hasSuffix(".swift") ? pathParts.suffix(1) : hasSuffix("contents") ? pathParts.suffix(2) : []
  }
}

import Foundation
import ManagedModel

/// What a revision may hold below the path at most; models are far smaller.
private enum GitLimits {
  static let files = 10_000
  static let bytes = 256 << 20
}

/// Writes what `REV:path` names to a temporary folder for as long as the body runs.
///
/// The URL is relative to that folder, so that places and messages show `REV:path` and never a temporary path. Models
/// that a `versions.yaml` there includes come with it. The repository's own working tree is not touched.
func withCheckout<Result>(
  of place: GitPlace, _ body: (URL) -> Result
) throws(DiagnosticsError) -> Result {
  let base = FileManager.default.temporaryDirectory.appending(
    path: "modelc-revision-\(UUID().uuidString)", directoryHint: .isDirectory)
  defer { try? FileManager.default.removeItem(at: base) }
  var checkout = GitCheckout(base: base)
  try checkout.add(place, at: place.name)
  return body(URL(filePath: place.name, relativeTo: base))
}

/// Files of one revision in a folder.
private struct GitCheckout {
  let base: URL
  private var added: Set<String> = []
  private var bytes = 0
  private var files = 0

  init(base: URL) { self.base = base }

  /// Writes what the place names, and what it includes.
  ///
  /// - Parameter location: where in the folder it belongs.
  mutating func add(_ place: GitPlace, at location: String) throws(DiagnosticsError) {
    guard added.insert(place.path).inserted, added.count <= 100 else { return }
    let object = try findGitObject(place)
    let found =
      object.kind == .tree
      ? try listGitFiles(object, of: place) : [GitFile(id: object.id, size: object.size, path: "")]
    files += found.count
    bytes += found.map(\.size).reduce(0, +)
    guard files <= GitLimits.files, bytes <= GitLimits.bytes else {
      throw DiagnosticsError(.tooMuch(place, files: files, bytes: bytes))
    }
    let contents = try readGitFiles(found, of: place)
    let target = URL(filePath: location, relativeTo: base)
    do {
      try write(zip(found, contents), to: target, isFolder: object.kind == .tree)
    } catch {
      throw DiagnosticsError(.notUnpacked(place, error))
    }
    for included in includedPaths(in: target) {
      let other = GitPlace(revision: place.revision, path: includedPath(included, from: place.path))
      // What cannot be found is for the reader to say, with the place of the line that names it.
      try? add(other, at: includedPath(included, from: location))
    }
  }

  private func write(
    _ files: Zip2Sequence<[GitFile], [Data]>, to target: URL, isFolder: Bool
  ) throws {
    let manager = FileManager.default
    if isFolder { try manager.createDirectory(at: target, withIntermediateDirectories: true) }
    for (file, content) in files {
      // Git keeps such names out of its trees; a damaged one shall not lead out of the folder all the same.
      guard !file.path.split(separator: "/").contains("..") else { continue }
      let url = file.path.isEmpty ? target : target.appending(path: file.path)
      try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: url)
    }
  }
}

extension Diagnostic {
  fileprivate static func tooMuch(_ place: GitPlace, files: Int, bytes: Int) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(place.name)' holds \(files) files of \(bytes >> 20) MB, more than any model",
      help: ["name the model's own folder"])
  }

  fileprivate static func notUnpacked(_ place: GitPlace, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(place.name)' cannot be unpacked: \(error.localizedDescription)",
      help: ["check the free space of the temporary folder"])
  }
}

package import Foundation
package import ManagedModel

/// Writes what `REV:path` names to a temporary folder for as long as the body runs.
///
/// The repository's own working tree is not touched.
///
/// - Parameter body: takes the place where it can be read, and what brings other files of the revision there.
/// - Throws: `DiagnosticsError` with MC0014 where git does not lead to it.
package func withCheckout<Result>(
  of place: GitLocation, _ body: (URL, GitCheckout) -> Result
) throws(DiagnosticsError) -> Result {
  let tree = try findGitTree(place)
  let path = try pathInRepository(place)
  let folder: TemporaryFolder
  do {
    folder = try TemporaryFolder("revision")
  } catch {
    throw DiagnosticsError(.noTemporaryFolder(place.name, error))
  }
  defer { folder.remove() }
  let checkout = GitCheckout(tree, in: folder)
  guard let url = try checkout.unpack(path) else {
    throw DiagnosticsError(.noGitPath(place, otherPath: try pathFromWorkingFolder(place, tree)))
  }
  return body(url, checkout)
}

/// The name that would lead there, where a path was meant from the working folder.
private func pathFromWorkingFolder(_ place: GitLocation, _ tree: GitTree) throws(DiagnosticsError) -> String?
{
  let other = GitLocation(revision: place.revision, path: "./" + place.path, folder: place.folder)
  guard try !gitPrefix(place.folder).isEmpty, let path = try? pathInRepository(other),
    try tree.find(path) != nil
  else { return nil }
  return other.name
}

extension Diagnostic {
  fileprivate static func noGitPath(_ place: GitLocation, otherPath: String?) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "revision '\(place.revision)' has no '\(place.path)'",
      notes: ["paths begin at the repository's top, or with './' at this folder"],
      help: otherPath.map { ["did you mean '\($0)'?"] } ?? [
        "`git ls-tree -r --name-only \(shellWord(place.revision))` lists what it has"
      ])
  }

  fileprivate static func noTemporaryFolder(_ name: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .gitRevision, .error, "'\(name)' cannot be unpacked: \(systemReason(of: error))",
      help: ["check that the temporary folder can be written"])
  }
}

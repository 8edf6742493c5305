package import Foundation
package import ManagedModel

/// Writes what `REV:path` names to a temporary folder for as long as the body runs.
///
/// The repository's own working tree is not touched.
///
/// - Parameters:
///   - takes: which files below a folder are wanted; all of them unless said.
///   - body: takes the place where it can be read, and what brings other files of the revision there.
/// - Returns: nil if the revision has nothing there.
/// - Throws: `DiagnosticsError`: MC0014 where git does not lead to it; MC0019 where this clone lacks it.
package func withCheckout<Result>(
  of place: GitLocation, taking takes: @escaping GitCheckout.Filter = { _, _ in true },
  _ body: (URL, GitCheckout) -> Result
) throws(DiagnosticsError) -> Result? {
  let tree = try GitTree(place)
  let path = try pathInRepository(place)
  let folder: TemporaryFolder
  do {
    folder = try TemporaryFolder("revision")
  } catch {
    throw DiagnosticsError(
      .git(
        "'\(place.name)' cannot be unpacked: \(systemReason(of: error))",
        help: "check that the temporary folder can be written"))
  }
  defer { folder.remove() }
  let checkout = GitCheckout(tree, in: folder, taking: takes)
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

package import Foundation
package import ManagedModel

/// What several states of one file hold.
///
/// - Parameters:
///   - blobs: the numbers of the states.
///   - limit: bytes; a larger one is left out.
///   - seconds: how long each run of git may take from now on.
/// - Returns: the bytes by number; without those that the repository does not have.
package func readBlobs(
  _ blobs: [String], ofFileAt path: String, in folder: String?, limit: Int, seconds: () -> Double
) throws(DiagnosticsError) -> [String: Data] {
  let sizes = try runGit(
    ["cat-file", "--batch-check"], input: blobs.map { $0 + "\n" }.joined(), in: folder, seconds: seconds())
  let files = sizes.output.split(separator: 0x0A).compactMap { GitObject(answer: $0) }
    .filter { $0.kind == .blob && $0.size <= limit }
    .map { GitFile(id: $0.id, size: $0.size, path: "") }
  let tree = GitTree(revision: "history", id: "", folder: folder)
  return Dictionary(
    zip(files.map(\.id), try tree.read(files, at: path, seconds: seconds())), uniquingKeysWith: { $1 })
}

import Foundation
import ManagedModel

/// The command that brings a file or folder back as it is at a revision. It runs in whatever folder it is typed.
///
/// - Parameters:
///   - path: as the user would write it; its folder is there.
///   - former: where it lay at the revision, as a path on disk that need not exist any more; nil if it has not
///     moved since. `git checkout` knows a file by its place alone.
package func gitRestoring(_ path: String, from revision: String, lyingAt former: String? = nil) -> String {
  let folder = parentPath(of: path)
  let place = folder.isEmpty ? "" : "-C \(shellWord(folder)) "
  guard let former, let origin = pathInRepository(former), origin != pathInRepository(path) else {
    let name = folder.isEmpty ? path : String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
    return "`git \(place)checkout \(shellWord(revision)) -- \(shellWord(name))`"
  }
  let isVersion = path.hasSuffix(".xcdatamodel")
  let content = isVersion ? "/contents" : ""
  let making =
    isVersion && !FileManager.default.fileExists(atPath: path) ? "mkdir \(shellWord(path)) && " : ""
  let show = "git \(folder.isEmpty ? "-C . " : place)show \(shellWord("\(revision):\(origin)\(content)"))"
  return "`\(making)\(show) > \(shellWord(path + content))`"
}

import Foundation
import ManagedModel

/// The command that brings a file or folder back as it is at a revision. It runs in whatever folder it is typed.
///
/// - Parameter path: as the user would write it; its folder is there.
package func gitRestoring(_ path: String, from revision: String) -> String {
  let folder = parentPath(of: path)
  let name = folder.isEmpty ? path : String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
  let place = folder.isEmpty ? "" : "-C \(shellWord(folder)) "
  return "`git \(place)checkout \(shellWord(revision)) -- \(shellWord(name))`"
}

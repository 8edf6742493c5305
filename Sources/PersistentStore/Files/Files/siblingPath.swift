import Foundation
import ManagedModel

/// A file beside the store, written as the store is; beside the real store where the path is a link.
package func sibling(of path: String, named file: String) -> String {
  if (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil { return file }
  let folder = path.parentPath
  return (folder as NSString).appendingPathComponent((file as NSString).lastPathComponent)
}

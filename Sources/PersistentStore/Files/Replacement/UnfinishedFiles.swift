import Foundation
import ManagedModel

/// The private files of this process that no store's swap has come near, and the folder with the large values of a new
/// store: whoever ends the program without waiting for its threads removes them.
package enum UnfinishedFiles {
  static let paths = Locked<Set<String>>([])

  package static func add(_ path: String) { _ = paths.withLock { $0.insert(path) } }
  package static func forget(_ path: String) { _ = paths.withLock { $0.remove(path) } }

  /// Removes them. Where large values were put into the store's folder, their record says what they are as long as the
  /// private file is there: then all stays, and the next run or `modelc recover` clears up.
  ///
  /// - Parameter end: ends the program. No thread begins a private file or a swap in the meantime.
  package static func removeAll(_ end: () -> Void = {}) {
    paths.withLock { paths in
      for path in paths {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parentFolder(of: path))) ?? []
        let beginning = path.lastComponent.dropLast(8)
        if names.contains(where: { $0.hasPrefix(beginning) && $0.hasSuffix(externalRecordEnd) }) { continue }
        for suffix in ["", "-journal", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: path + suffix)
        }
      }
      end()
    }
  }
}

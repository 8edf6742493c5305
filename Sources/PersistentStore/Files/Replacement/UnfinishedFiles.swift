import Foundation

/// The private files of this process that no store's swap has come near: whoever ends the program without waiting for its
/// threads removes them.
package enum UnfinishedFiles {
  private final class List: @unchecked Sendable {
    let lock = NSLock()
    var paths: Set<String> = []
  }
  private static let list = List()

  static func add(_ path: String) { _ = list.lock.withLock { list.paths.insert(path) } }
  static func forget(_ path: String) { _ = list.lock.withLock { list.paths.remove(path) } }

  /// Removes them. Where large values were put into the store's folder, their record says what they are as long as the
  /// private file is there: then all stays, and the next run or `modelc recover` clears up.
  ///
  /// - Parameter end: ends the program. No thread begins a private file or a swap in the meantime.
  package static func removeAll(_ end: () -> Void = {}) {
    list.lock.withLock {
      for path in list.paths {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parentFolder(of: path))) ?? []
        let beginning = path.lastComponent.dropLast(8)
        if names.contains(where: { $0.hasPrefix(beginning) && $0.hasSuffix(externalRecordEnd) }) { continue }
        for suffix in ["", "-journal", "-wal", "-shm"] { try? removeFile(path + suffix) }
      }
      end()
    }
  }
}

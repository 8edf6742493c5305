import Foundation
import ManagedModel
import TestSupport

/// Folders that many tests begin with: each is made once by `modelc`, kept in memory and written out where wanted.
enum FolderTemplates {
  private static let known = Locked<[String: FolderSnapshot]>([:])

  /// Writes what `make` left in an empty folder.
  ///
  /// - Parameter key: names what is made; the same key gives the same content.
  static func write(_ key: String, to folder: URL, make: (URL) throws -> Void) throws {
    let template = try known.withLock { known in
      if let template = known[key] { return template }
      let template = try withTemporaryFolder { folder in
        try make(folder)
        return try FolderSnapshot(folder)
      }
      known[key] = template
      return template
    }
    try template.write(to: folder)
  }
}

package import Foundation

/// What the file system says of the file at a path, links followed.
///
/// Foundation's attributes also hold the names of the owner and the group, for which it reads the user database anew for
/// every file.
package struct FileFacts: Sendable {
  package let isRegular: Bool
  package let isFolder: Bool
  /// In bytes.
  package let size: Int
  /// When the content was changed last.
  package let modified: timespec

  /// Nil if nothing is there, or no one may look.
  package init?(ofFileAt path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    size = Int(status.st_size)
    #if canImport(Darwin)
      modified = status.st_mtimespec
    #else
      modified = status.st_mtim
    #endif
  }
}

/// Nil if there is nothing.
package func isFolder(_ url: URL) -> Bool? { FileFacts(ofFileAt: url.path)?.isFolder }

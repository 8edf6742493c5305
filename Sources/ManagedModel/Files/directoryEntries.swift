import Foundation

/// One name in a folder.
package struct DirectoryEntry: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case file, folder, link }

  package var name: String
  package var kind: Kind

  /// Looks at what lies below a folder, level by level, so that of a very large tree what is near is seen.
  ///
  /// Links are shown, but not followed: they could lead anywhere, and round.
  ///
  /// - Parameters:
  ///   - limit: the most folders that are read.
  ///   - enters: takes each entry with its path; whether to look into it, where it is a folder.
  /// - Returns: whether all folders were read.
  @discardableResult
  package static func walk(
    below top: String, limit: Int, _ enters: (_ path: String, _ entry: DirectoryEntry) -> Bool
  ) -> Bool {
    var (level, left) = ([top], limit)
    while !level.isEmpty, left > 0 {
      var next: [String] = []
      for folder in level.prefix(left) {
        for entry in directoryEntries(of: folder) {
          let path = join(folder, entry.name)
          if enters(path, entry), entry.kind == .folder { next.append(path) }
        }
      }
      left -= level.count
      level = next
    }
    return level.isEmpty && left >= 0
  }
}

/// The entries of a folder by name, without hidden ones. Empty if the folder cannot be read.
///
/// - Parameter limit: the most entries that are read; a large folder of downloads is not a project.
package func directoryEntries(of folder: String, limit: Int = 50_000) -> [DirectoryEntry] {
  guard let stream = unsafe opendir(folder) else { return [] }
  defer { unsafe closedir(stream) }
  var entries: [DirectoryEntry] = []
  var seen = 0
  while seen < limit, let entry = unsafe readdir(stream) {
    seen += 1
    let type = unsafe entry.pointee.d_type
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    if name.hasPrefix(".") { continue }
    let kind: DirectoryEntry.Kind? =
      switch Int32(type) {
      case Int32(DT_DIR): .folder
      case Int32(DT_REG): .file
      case Int32(DT_LNK): .link
      case Int32(DT_UNKNOWN): statedKind(of: "\(folder)/\(name)")
      default: nil
      }
    if let kind { entries.append(DirectoryEntry(name: name, kind: kind)) }
  }
  return entries.sorted { $0.name < $1.name }
}

/// For file systems whose folders do not tell an entry's type.
private func statedKind(of path: String) -> DirectoryEntry.Kind? {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { return nil }
  return switch status.st_mode & S_IFMT {
  case S_IFDIR: .folder
  case S_IFREG: .file
  case S_IFLNK: .link
  default: nil
  }
}

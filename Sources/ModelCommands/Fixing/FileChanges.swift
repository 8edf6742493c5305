import Foundation

/// Files that are written, edited, and files or folders that are removed: all of them or none.
struct FileChanges {
  var edits: [ModelFixes.Edit] = []
  /// New files by their paths.
  var created: [String: Data] = [:]
  /// Paths of files and folders.
  var removed: [String] = []

  /// The paths of what is edited, and of what is new.
  var written: [String] { edits.map(\.path) + created.keys.sorted() }

  /// Makes the changes. If one fails, or what is then there is not sound, everything is put back.
  ///
  /// - Parameter check: throws if what is there now may not stay.
  /// - Returns: what lies aside because it could not be deleted.
  @discardableResult
  func make(_ check: () throws -> Void) throws -> [String] {
    var aside: [(place: String, hidden: String)] = []
    var new: [String] = []
    do {
      for place in removed {
        let url = URL(filePath: place)
        let hidden = url.deletingLastPathComponent()
          .appending(path: ".\(url.lastPathComponent).\(UUID().uuidString.prefix(8))").path
        guard unsafe rename(place, hidden) == 0 else {
          throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO, userInfo: [NSFilePathErrorKey: place])
        }
        aside.append((place, hidden))
      }
      for (path, data) in created {
        try data.write(to: URL(filePath: path), options: .withoutOverwriting)
        new.append(path)
      }
      try edits.replaceFiles()
      try check()
    } catch {
      // What was not replaced yet is as it was, and is left alone.
      for edit in edits {
        try? [ModelFixes.Edit(path: edit.path, before: edit.after, after: edit.before)].replaceFiles()
      }
      for path in new { try? FileManager.default.removeItem(atPath: path) }
      for moved in aside.reversed() { _ = unsafe rename(moved.hidden, moved.place) }
      throw error
    }
    return aside.map(\.hidden).filter { (try? FileManager.default.removeItem(atPath: $0)) == nil }
  }
}

import Foundation

/// A thing in a folder for external data that was made for a file without a name yet.
struct MarkedItem: Hashable, Sendable {
  var path: String
  var isFolder: Bool
  var byteCount: Int64
}

/// The file that says whose work a folder for external data is, until that work has its name: it is called as the
/// private file is.
func folderMark(in folder: String, ofWorkAt privatePath: String) -> String {
  "\(folder)/\(lastComponent(of: privatePath))"
}

/// What a work made in a folder for external data, the folder last, in the order in which it can be removed: its mark
/// goes after all that it stands for. Nothing where the folder is another's; links are not followed, and files that no
/// work of ours makes are not among them.
func itemsOfMarkedFolder(_ folder: String, mark: String) throws(SystemError) -> [MarkedItem] {
  guard try FileStatus(atPath: folder)?.kind == .folder else { return [] }
  let own = MarkedItem(path: folder, isFolder: true, byteCount: 0)
  guard try FileStatus(atPath: mark)?.kind == .regular else {
    // Killed between the making of the folder and its mark, a work leaves an empty folder.
    return names(inFolder: folder).isEmpty ? [own] : []
  }
  var items: [MarkedItem] = []
  let data = folder + "/_EXTERNAL_DATA"
  if try FileStatus(atPath: data)?.kind == .folder {
    for name in names(inFolder: data) where UUID(uuidString: name) != nil {
      guard let status = try FileStatus(atPath: "\(data)/\(name)"), status.kind == .regular else { continue }
      items.append(MarkedItem(path: "\(data)/\(name)", isFolder: false, byteCount: status.size))
    }
    items.append(MarkedItem(path: data, isFolder: true, byteCount: 0))
  }
  return items + [MarkedItem(path: mark, isFolder: false, byteCount: 0), own]
}

func removeMarkedFolder(_ folder: String, mark: String) throws(SystemError) {
  for item in try itemsOfMarkedFolder(folder, mark: mark) {
    if item.isFolder { try removeEmptyFolder(item.path) } else { try removeFile(item.path) }
  }
}

/// Removes a folder; one that holds something, or is gone, stays what it is.
func removeEmptyFolder(_ path: String) throws(SystemError) {
  if unsafe rmdir(path) == 0 { return }
  let code = errno
  if ![ENOENT, ENOTEMPTY, EEXIST].contains(code) { throw SystemError(code, "remove", path) }
}

private func names(inFolder folder: String) -> [String] {
  ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

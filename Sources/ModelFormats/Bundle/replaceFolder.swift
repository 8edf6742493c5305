import Foundation

/// A hidden place beside a folder, for what takes its place.
func sibling(of url: URL, _ role: String) -> URL {
  url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(role)-\(UUID().uuidString)")
}

/// Moves a new folder to its place; the old one goes back there if that fails.
func replaceFolder(at url: URL, with side: URL) throws {
  guard FileManager.default.fileExists(atPath: url.path) else {
    return try FileManager.default.moveItem(at: side, to: url)
  }
  let old = sibling(of: url, "old")
  try FileManager.default.moveItem(at: url, to: old)
  do {
    try FileManager.default.moveItem(at: side, to: url)
  } catch {
    try? FileManager.default.moveItem(at: old, to: url)
    throw error
  }
  try? FileManager.default.removeItem(at: old)
}

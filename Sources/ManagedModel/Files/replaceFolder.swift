package import Foundation

/// A hidden place beside a folder, for what takes its place.
private func sibling(of url: URL, _ role: String) -> URL {
  url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(role)-\(UUID().uuidString)")
}

/// Makes a folder beside its place and moves it there whole.
///
/// - Parameters:
///   - isNew: whether nothing may be there yet. Any path counts: an empty one names the working folder, which would be replaced.
///   - fill: takes the place beside, where nothing is yet.
package func replaceFolder(at url: URL, isNew: Bool = false, _ fill: (URL) throws -> Void) throws {
  let side = sibling(of: url, "new")
  do {
    try fill(side)
    try isNew ? FileManager.default.moveItem(at: side, to: url) : replaceFolder(at: url, with: side)
  } catch {
    try? FileManager.default.removeItem(at: side)
    throw error
  }
}

/// Moves a new folder to its place; the old one goes back there if that fails.
private func replaceFolder(at url: URL, with side: URL) throws {
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

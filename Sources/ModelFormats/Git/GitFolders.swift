package import ManagedModel

/// The files below one path in many commits: folders that commits share are read once.
package struct GitFolders {
  private var folders: [String: [GitEntry]] = [:]
  /// Whether there was more than is read.
  package private(set) var isCut = false

  /// - Parameters:
  ///   - roots: the numbers of folders, as ``gitObjects(at:inRepositoryOf:)`` gives them, or of files.
  ///   - path: in the repository.
  ///   - takes: says of a name whether the file, or the folder, is wanted.
  package init(
    _ roots: [String], inRepositoryOf path: String, takes: (_ name: String, _ isFolder: Bool) -> Bool
  ) throws(DiagnosticsError) {
    let repository = try GitRepository.holding(path).repository
    var pending = Set(roots)
    var (count, depth) = (0, 0)
    while !pending.isEmpty, depth < 64 {
      depth += 1
      var next: Set<String> = []
      for (id, tree) in try repository.trees(pending, of: path) {
        let entries = tree.entries.filter { entry in
          [.file, .folder].contains(entry.kind) && takes(entry.name, entry.kind == .folder)
        }
        count += entries.count
        guard count <= Self.limit else {
          isCut = true
          return
        }
        folders[id] = entries
        for entry in entries where entry.kind == .folder { next.insert(entry.id) }
      }
      pending = next.filter { folders[$0] == nil }
    }
    if !pending.isEmpty { isCut = true }
  }

  /// The most entries that are kept.
  private static let limit = 2_000_000

  /// The contents of all files.
  package var blobs: Set<String> {
    Set(folders.values.flatMap { entries in entries.filter { $0.kind == .file }.map(\.id) })
  }

  /// The files of one folder, by their names.
  func files(in folder: String) -> [GitEntry] { (folders[folder] ?? []).filter { $0.kind == .file } }

  /// The folders below a root and itself, in the order of their names, each with its path and a slash.
  package func folders(below root: String) -> [(path: String, id: String)] {
    var found: [(path: String, id: String)] = []
    var pending = [(path: "", id: root)]
    while let folder = pending.popLast() {
      found.append(folder)
      for entry in (folders[folder.id] ?? []).reversed() where entry.kind == .folder {
        pending.append(("\(folder.path)\(entry.name)/", entry.id))
      }
    }
    return found
  }
}

import Foundation

/// All that a folder holds: names, bytes, permissions, dates of change.
struct FolderSnapshot: Equatable, CustomStringConvertible {
  struct File: Equatable {
    var bytes: Data
    var permissions: Int
    var modified: Date?
  }

  var files: [String: File] = [:]

  /// Reads by path, so only while no connection of this process is open in the folder.
  init(_ folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let path = folder.appending(path: name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      files[name] = File(
        bytes: try Data(contentsOf: URL(filePath: path)),
        permissions: attributes[.posixPermissions] as? Int ?? -1,
        modified: attributes[.modificationDate] as? Date)
    }
  }

  var names: [String] { files.keys.sorted() }

  func bytes(_ name: String) -> Data? { files[name]?.bytes }

  var description: String {
    names.map { "\($0): \(files[$0]?.bytes.count ?? -1) bytes" }.joined(separator: ", ")
  }
}

/// The names in a folder; safe while connections are open.
func listing(of folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}

import Foundation

/// Every file below a folder, by its path there, with its bytes.
struct FolderSnapshot: Equatable, CustomStringConvertible {
  private(set) var files: [String: Data] = [:]

  init(_ folder: URL) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appending(path: path)
      let type = try FileManager.default.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
      if type == .typeDirectory {
        files[path + "/"] = Data()
      } else {
        files[path] = try Data(contentsOf: file)
      }
    }
  }

  /// Writes all of it into a folder, which is made where it is not there.
  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
      let file = folder.appending(path: path)
      if path.hasSuffix("/") {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      } else {
        try bytes.write(to: file)
      }
    }
  }

  var names: [String] { files.keys.sorted() }

  subscript(name: String) -> Data? { files[name] }

  var description: String { names.map { "\($0) (\(files[$0]?.count ?? 0))" }.joined(separator: ", ") }
}

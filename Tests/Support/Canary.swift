package import Foundation

/// What nobody may touch: a folder with a file of text and one of bytes, compared by listing and content.
package struct Canary {
  private let folder: URL
  private let content = Data("one\ntwo\n".utf8)

  package init(beside url: URL) throws {
    folder = url.deletingLastPathComponent().appending(path: "canary")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["diary.sqlite", "diary.txt"] { try content.write(to: folder.appending(path: name)) }
  }

  package var isUntouched: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.sorted() ?? []
    return names == ["diary.sqlite", "diary.txt"]
      && names.allSatisfy { (try? Data(contentsOf: folder.appending(path: $0))) == content }
  }
}

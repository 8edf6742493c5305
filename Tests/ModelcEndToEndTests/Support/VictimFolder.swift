import Foundation
import GRDB
import Testing

/// A folder beside a project that nothing may touch: a database and a text, compared by bytes and listing afterwards.
struct VictimFolder {
  let folder: URL
  private let before: FolderSnapshot

  init(at folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("do not touch\n".utf8).write(to: folder.appending(path: "note.txt"))
    let queue = try DatabaseQueue(path: folder.appending(path: "victim.sqlite").path)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "CREATE TABLE diary (text); INSERT INTO diary VALUES ('dear diary'), ('more')")
    }
    try queue.close()
    before = try FolderSnapshot(folder)
  }

  var database: String { folder.appending(path: "victim.sqlite").path }

  func expectUntouched(_ comment: @autoclosure () -> String = "") throws {
    #expect(try FolderSnapshot(folder) == before, "\(comment())")
  }
}

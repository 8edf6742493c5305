import Foundation
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Files are changed together or not at all") struct FileChangesTests {
  private struct Trouble: Error {}

  /// A file that is edited, one that is removed, a folder that is removed, and a new file.
  private func withChanges(_ body: (URL, FileChanges) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for name in ["a", "b", "c/d"] {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(name.utf8).write(to: file)
      }
      var changes = FileChanges()
      changes.removed = ["b", "c"].map { folder.appending(path: $0).path }
      changes.edits = [
        ModelFixes.Edit(path: folder.appending(path: "a").path, before: Data("a".utf8), after: Data("A".utf8))
      ]
      changes.created = [folder.appending(path: "e").path: Data("e".utf8)]
      try body(folder, changes)
    }
  }

  private func files(_ folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { path in
      let data = try? Data(contentsOf: folder.appending(path: path))
      return data.map { "\(path)=\(String(decoding: $0, as: UTF8.self))" } ?? path
    }
  }

  @Test func `all of them are made, and nothing is left aside`() throws {
    try withChanges { folder, changes in
      let left = try changes.make {}
      #expect(left == [])
      #expect(try files(folder) == ["a=A", "e=e"])
    }
  }

  @Test func `what is not sound then is put back`() throws {
    try withChanges { folder, changes in
      #expect(throws: Trouble.self) {
        try changes.make {
          let then = try files(folder).filter { !$0.hasPrefix(".") }
          #expect(then == ["a=A", "e=e"])
          throw Trouble()
        }
      }
      let now = try files(folder)
      #expect(now == ["a=a", "b=b", "c", "c/d=c/d"])
    }
  }

  @Test(arguments: [0, 1, 2])
  func `one that cannot be made undoes the others`(kind: Int) throws {
    try withChanges { folder, changes in
      var changes = changes
      switch kind {
      case 0: changes.removed.append(folder.appending(path: "absent").path)
      case 1: changes.edits[0].before = Data("edited meanwhile".utf8)
      default: changes.created[folder.appending(path: "a").path] = Data("taken".utf8)
      }
      #expect(throws: (any Error).self) { try changes.make { Issue.record("it was made") } }
      let now = try files(folder)
      #expect(now == ["a=a", "b=b", "c", "c/d=c/d"])
    }
  }
}

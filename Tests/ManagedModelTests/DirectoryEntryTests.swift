import Foundation
import TestSupport
import Testing

@testable import ManagedModel

@Suite("Entries of a folder") struct DirectoryEntryTests {
  @Test func `files, folders and links come by name, hidden ones do not`() throws {
    try withTemporaryFolder { folder in
      let files = FileManager.default
      try files.createDirectory(at: folder.appending(path: "b"), withIntermediateDirectories: true)
      for name in ["c", "a.txt", ".hidden"] { try Data().write(to: folder.appending(path: name)) }
      try files.createSymbolicLink(
        at: folder.appending(path: "d"), withDestinationURL: folder.appending(path: "b"))
      let found = directoryEntries(of: folder.path)
      #expect(found.map(\.name) == ["a.txt", "b", "c", "d"])
      #expect(found.map(\.kind) == [.file, .folder, .file, .link])
      #expect(directoryEntries(of: folder.path, limit: 3).count <= 3)
      #expect(directoryEntries(of: folder.appending(path: "none").path).isEmpty)
    }
  }
}

import Foundation
import ManagedModel
import Testing

@Suite struct `Temporary folders` {
  @Test func `nobody else may look into one, and it is new each time`() throws {
    let folders = try (0..<3).map { _ in try TemporaryFolder("test") }
    #expect(Set(folders.map(\.path)).count == 3)
    for folder in folders {
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
      folder.remove()
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
  }

  @Test func `where none can be made, the error says why`() throws {
    let error = #expect(throws: CocoaError.self) {
      try TemporaryFolder("test", in: URL(filePath: "/nowhere-at-all"))
    }
    #expect(error.map { systemReason(of: $0) } == "No such file or directory")
  }
}

import Foundation
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Text that is written piece by piece") struct TextSinkTests {
  @Test func `a file has its name once it is complete`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "objects.yaml").path
      func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
      let left = try TextSink(path)
      try left.write("Hut:\n")
      #expect(try !names().contains("objects.yaml"))
      left.discard()
      #expect(try names().isEmpty)
      let sink = try TextSink(path)
      try sink.write("Hut:\n")
      try sink.finish()
      #expect(try names() == ["objects.yaml"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "Hut:\n")
    }
  }
}

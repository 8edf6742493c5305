import ArgumentParser
import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Text that is written piece by piece") struct TextSinkTests {
  @Test func `a file has its name once it is complete`() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "objects.yaml").path
      func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
      do {
        let left = try TextSink(path)
        try left.write("Hut:\n")
        let open = try names()
        #expect(open.count == 1 && !open.contains("objects.yaml"))
        withExtendedLifetime(left) {}
      }
      #expect(try names().isEmpty)
      let sink = try TextSink(path)
      try sink.write("Hut:\n")
      try sink.finish()
      #expect(try names() == ["objects.yaml"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "Hut:\n")
    }
  }

  /// As that of tables in CSV; of a folder in its place all was removed.
  @Test func `a new folder takes no other one's place`() throws {
    try withTemporaryFolder { folder in
      let place = folder.appending(path: "tables")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      try Data([1]).write(to: place.appending(path: "mine"))
      #expect(throws: (any Error).self) {
        try replaceFolder(at: place, isNew: true) { side in
          try FileManager.default.createDirectory(at: side, withIntermediateDirectories: false)
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
      #expect(names == ["mine"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tables"])
    }
    _ = try Export.parse(["store.sqlite", "--as", "csv", "-o", "tables"])
    #expect(throws: (any Error).self) { try Export.parse(["store.sqlite", "--as", "csv", "-o", ""]) }
  }

  /// The file that is written first has a longer name, which here is too long.
  @Test func `a failure names the file as it was typed`() throws {
    try withTemporaryFolder { folder in
      let name = String(repeating: "x", count: 250)
      let path = folder.appending(path: name).path
      let error = try #require(throws: DiagnosticsError.self) { _ = try TextSink(path) }
      let finding = try #require(error.diagnostics.first)
      #expect(finding.code.description == "MC5304")
      #expect(finding.message.contains("/\(name)'") && !finding.message.contains(".modelc-"), "\(finding)")
    }
  }
}

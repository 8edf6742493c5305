import ArgumentParser
import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelCommands

@Suite("Files of --report") struct ReportPlaceTests {
  @Test func `a folder in a file's place is said to be one, whoever may write there`() throws {
    try withTemporaryFolder { folder in
      for path in [folder.path, folder.path + "/none/"] {
        let options = try CheckOutput.parse(["--report", "sarif=\(path)"])
        let error = #expect(throws: UsageError.self) { try options.requirePlaces() }
        #expect(error?.diagnostic.message.hasSuffix("cannot be written: it is a folder") == true, "\(path)")
      }
      let absent = try CheckOutput.parse(["--report", "sarif=\(folder.path)/none/x.sarif"])
      let error = #expect(throws: UsageError.self) { try absent.requirePlaces() }
      #expect(error?.diagnostic.message.hasSuffix("there is no such folder") == true)
    }
  }

  @Test func `a home folder is the same one for all that look at an argument`() {
    let file = ("~/a.sqlite" as NSString).expandingTildeInPath
    #expect(!file.hasPrefix("~"))
    #expect("~/a.sqlite".withHome == file && "--report=html=~/a.sqlite".withHome == "--report=html=" + file)
    let command = "~/bin/put {file} s3://b/{} /backup/"
    for text in ["HEAD~1", "a~", "Hut WHERE name == '=~/a'", "./~/a", "-", command] {
      #expect(text.withHome == text)
    }
  }

  @Test func `a store, what belongs to it, and what is no text are not written over`() throws {
    try withTemporaryFolder { folder in
      func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        return url.path
      }
      let store = try file("a.sqlite", Array("SQLite format 3\0".utf8))
      let refused = try [
        store, store + "-wal", store + "-shm", file("a.sqlite-journal", []),
        file("a.xml", Array("<?xml version=\"1.0\"?><database><databaseInfo>".utf8)),
        file(".a_SUPPORT/_EXTERNAL_DATA/value", [65]), file("encrypted.sqlite", [7, 0, 9]),
      ]
      for path in refused {
        let error = #expect(throws: UsageError.self) { try path.refuseStore() }
        #expect(error?.diagnostic.code.description == "MC0012", "\(path)")
      }
      try file("lines.jsonl", Array("{}\n\0\0\0\n".utf8)).refuseStore(isText: false)
      let page = try file("page.html", Array("<p>é</p>".utf8))
      // What a path leads to for a URL alone.
      let (way, text) = (folder.path + "/none/../", "<p>other</p>")
      #expect(ProjectFile(path: way + "page.html", text: text).wouldOverwrite)
      #expect(!ProjectFile(path: way + "new.html", text: text).wouldOverwrite)
      #expect(throws: UsageError.self) {
        try ProjectFile(path: way + "a.sqlite", text: text).write(isNamed: true)
      }
      for path in [page, folder.path + "/new-wal", "/dev/null"] { try path.refuseStore() }
      for same in [page, way + "page.html"] {
        let shared = ["store.sqlite", "--report", same, "--keep-lost", page]
        #expect(throws: (any Error).self) { try Migrate.parse(shared) }
      }
    }
  }
}

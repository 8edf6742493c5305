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
}

import Foundation
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("A store that a check migrates") struct CheckedStoreTests {
  @Test(arguments: ["store", "store-wal"])
  func `has another state once a program has written to it, or to its log`(name: String) throws {
    try withTemporaryFolder { folder in
      let store = CheckedStore(path: folder.appending(path: "store").path)
      try Data("a".utf8).write(to: folder.appending(path: "store"))
      let before = store.state
      #expect(store.state == before)
      try Data("ab".utf8).write(to: folder.appending(path: name))
      #expect(store.state != before)
    }
  }
}

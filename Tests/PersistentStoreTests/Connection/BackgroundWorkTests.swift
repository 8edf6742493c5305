import Testing

@testable import PersistentStore

@Suite("Work on a thread of its own") struct BackgroundWorkTests {
  @Test func `is done by the thread that waits for it, if the system makes no other`() throws {
    let work = BackgroundWork<Int>({ 7 }, on: { _ in })
    var waits = 0
    let found = try work.wait { waits += 1 }
    #expect(found == 7 && waits > 0)
    let again = try work.wait()
    #expect(again == 7)
  }
}

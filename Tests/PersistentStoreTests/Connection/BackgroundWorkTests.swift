import Testing

@testable import PersistentStore

@Suite("Work on a thread of its own") struct BackgroundWorkTests {
  @Test func `is done by the thread that waits for it, if the system makes no other`() throws {
    let work = BackgroundWork<Int>({ 7 }, on: { _ in })
    let found = try work.wait()
    let again = try work.wait()
    #expect(found == 7 && again == 7)
  }
}

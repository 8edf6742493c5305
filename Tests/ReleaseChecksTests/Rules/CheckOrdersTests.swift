import ManagedModel
import TestSupport
import Testing

@testable import ReleaseChecks

@Suite("Orders that users made") struct CheckOrdersTests {
  static let orders: [(String, [String])] = [
    ("Hut\n  visits => Visit.hut\nVisit\n  hut -> Hut.visits", ["MC3125 warning Hut.visits"]),
    ("Hut\n  stays => Visit.hut, ordered\nVisit\n  hut -> Hut.stays", ["MC3125 warning Hut"]),
    ("Hut\n  stays => Visit.hut, ordered, was visits\nVisit\n  hut -> Hut.stays", []),
    // What is lost with its links is told as that.
    ("Hut\nVisit", []), ("Hut", []),
  ]

  @Test(arguments: orders) func `an order that does not go on`(new: String, expected: [String]) {
    let old = "Hut\n  visits => Visit.hut, ordered\nVisit\n  hut -> Hut.visits"
    #expect(findings(VersionStep.checkOrders, old, new) == expected)
  }
}

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

  @Test func `objects of the same table that join a list leave it without places, and the text says why`() {
    let old =
      "Hut\n  stops => Stop.hut, ordered\n  peaks => Peak.hut\nPlace, abstract\n"
      + "Stop < Place\n  hut -> Hut.stops\nPeak < Place\n  hut -> Hut.peaks"
    let new =
      "Hut\n  stops => Stop.hut, ordered\nPlace, abstract\nStop < Place\n  hut -> Hut.stops\nPeak < Stop"
    let step = VersionStep(from: versionOf("V1", old), to: versionOf("V2", new), mapping: nil)
    #expect(
      step.checkOrders().map(\.message) == [
        "the order of 'Hut.stops' is dropped: 'V2' has objects of several entities in it, ordered by primary key"
      ])
  }

  @Test func `an entity that leaves a list for one of its own loses its places`() {
    let old =
      "User\n  objects => Item.owner, ordered\nItem, abstract\n  owner -> User.objects\nNote < Item\nTag < Item"
    let new =
      "User\n  objects => Note.owner, ordered\n  tags => Tag.owner\nNote\n  owner -> User.objects\n"
      + "Tag\n  owner -> User.tags"
    let step = VersionStep(from: versionOf("V1", old), to: versionOf("V2", new), mapping: nil)
    #expect(
      step.checkOrders().map(\.message) == [
        "the order of 'Tag' in 'User.objects' is dropped: 'V2' keeps the objects unordered"
      ])
  }
}

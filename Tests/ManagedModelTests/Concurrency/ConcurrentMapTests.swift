import ManagedModel
import Testing

@Suite("Work on all processors") struct ConcurrentMapTests {
  @Test(arguments: [0, 1, 2, 1000])
  func `results come in the order of the elements`(count: Int) {
    #expect(concurrentMap(Array(0..<count)) { $0 * 2 } == (0..<count).map { $0 * 2 })
  }

  /// A nil among the results is one, not a place that nobody filled.
  @Test func `nothing is dropped`() {
    let found: [Int?] = concurrentMap(Array(0..<50)) { $0 % 2 == 0 ? $0 : nil }
    #expect(found.count == 50 && found[1] == nil && found[48] == 48)
  }

  @Test func `the last value under a name counts, whoever wrote it`() {
    let values = NamedCache<Int>()
    _ = concurrentMap(Array(0..<200)) { values["n\($0 % 10)"] = $0 % 10 }
    #expect((0..<10).map { values["n\($0)"] } == Array(0..<10) && values["none"] == nil)
    values["n1"] = nil
    #expect(values["n1"] == nil)
  }
}

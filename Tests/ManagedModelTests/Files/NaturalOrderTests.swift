import ManagedModel
import TestSupport
import Testing

@Suite("Names of versions in their order") struct NaturalOrderTests {
  static let lists: [[String]] = [
    ["Model", "Model 2", "Model 10"], ["V1", "V2", "V10", "V11"], ["1.2", "1.10", "2"], ["a", "B", "c"],
    ["Model", "Zebra", "Alpha 1"], ["v01", "v2", "v003"],
    ["V9", "V99999999999999999999", "V100000000000000000000"],
    ["Model1a", "Model1b", "Model2"], ["é1", "é2"], ["", "1"], ["A2", "a10"],
  ]

  @Test(arguments: lists)
  func `names without a number first, numbers by value`(names: [String]) {
    #expect(Array(names.reversed()).sortedNaturally == names)
  }

  /// Case and leading zeros alone leave the order to the code points.
  @Test func `names that read alike have an order too`() {
    #expect(
      ["v2", "V2"].sortedNaturally == ["V2", "v2"] && ["v2", "v02"].sortedNaturally == ["v02", "v2"])
  }

  @Test func `the order does not depend on the order before`() {
    var random = SeededGenerator(seed: 11)
    let pieces = ["a", "A", "b", "1", "2", "10", "01", " ", ".", "é", "-", "0", "00"]
    let names = Set(
      (0..<60).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(pieces) }.joined()
      })
    let sorted = names.sortedNaturally
    let others = (0..<20).map { _ in names.shuffled(using: &random).sortedNaturally }
    #expect(others.allSatisfy { $0 == sorted })
  }

  static let series: [([String], Bool)] = [
    (["Model", "Model 2", "Model 10"], true), (["V1", "V2"], true), (["1.0", "1.1", "2.0.3"], true),
    ([], true),
    (["Only"], true), (["App_v1", "App_v2"], true), (["2024-01-31", "2024-02-01"], true),
    (["Model", "Mod 2"], false),
    (["A", "B"], false), (["A1", "B2"], false), (["Model", "Other", "Model 2"], false),
    (["V1 old", "V2"], false),
    (["Mod", "Model 2"], true), (["V1a", "V2a"], true), (["V1a", "V2b"], false),
  ]

  @Test(arguments: series)
  func `a series differs in its numbers alone`(names: [String], isSeries: Bool) {
    #expect(names.isNumberedSeries == isSeries)
  }
}

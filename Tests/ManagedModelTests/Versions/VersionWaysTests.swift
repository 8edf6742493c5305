import ManagedModel
import TestSupport
import Testing

@Suite("Which version follows which") struct VersionWaysTests {
  /// Versions as `C<A+B`: C names A and B as its predecessors.
  private static func model(_ versions: String...) -> VersionedModel {
    let list = versions.map { text in
      let parts = text.split(separator: "<").map(String.init)
      return ModelVersion(
        name: parts[0], model: ManagedObjectModel(),
        predecessorNames: parts.count > 1 ? parts[1].split(separator: "+").map(String.init) : [])
    }
    return VersionedModel(name: "M", versions: list, currentVersionName: list.last?.name ?? "")
  }

  /// A line, a fix on an old version, and a version that both lead to.
  static let branched = model("A", "B", "C", "fix<A", "fix2", "D<C+fix2", "E")
  static let circular = model("A<C", "B<A", "C<B", "D", "S<S")
  static let lost = model("A", "B<none", "C<none+A")

  private func version(_ name: String, _ model: VersionedModel) -> ModelVersion {
    model.version(named: name) ?? ModelVersion(name: name, model: ManagedObjectModel())
  }

  static let lines: [(String, [String], [String], [String])] = [
    ("A", [], ["A"], ["A"]), ("C", ["B"], ["C", "B", "A"], ["C", "B", "A"]),
    ("fix2", ["fix"], ["fix2", "fix", "A"], ["fix2", "fix", "A"]),
    ("E", ["D"], ["E", "D", "C", "B", "A"], ["E", "D", "C", "B", "A", "fix2", "fix"]),
    ("D", ["C", "fix2"], ["D", "C", "B", "A"], ["D", "C", "B", "A", "fix2", "fix"]),
    ("none", [], ["none"], ["none"]),
  ]

  @Test(arguments: lines)
  func `predecessors, the main line, and all that leads there`(
    name: String, before: [String], line: [String], origins: [String]
  ) {
    let version = version(name, Self.branched)
    #expect(Self.branched.predecessors(of: version).map(\.name) == before)
    #expect(Self.branched.predecessor(of: version)?.name == before.first)
    #expect(Self.branched.lineage(of: version).map(\.name) == line)
    #expect(Self.branched.origins(of: version).map(\.name) == origins)
  }

  @Test func `a circle ends`() {
    let model = Self.circular
    #expect(model.lineage(of: version("C", model)).map(\.name) == ["C", "B", "A"])
    #expect(model.origins(of: version("D", model)).map(\.name) == ["D", "C", "B", "A"])
    #expect(model.lineage(of: version("S", model)).map(\.name) == ["S"])
    #expect(model.path(fromAnyOf: ["A"], to: version("C", model))?.map(\.name) == ["A", "B", "C"])
    #expect(model.path(fromAnyOf: ["S"], to: version("D", model)) == nil)
  }

  @Test func `a predecessor that is not there leads nowhere, and the list does not stand in for it`() {
    #expect(Self.lost.predecessors(of: version("B", Self.lost)).isEmpty)
    #expect(Self.lost.lineage(of: version("C", Self.lost)).map(\.name) == ["C", "A"])
  }

  static let ways: [([String], String, [String]?)] = [
    (["A"], "E", ["A", "B", "C", "D", "E"]), (["B"], "E", ["B", "C", "D", "E"]), (["E"], "E", ["E"]),
    (["A", "C"], "E", ["C", "D", "E"]), (["E"], "A", nil), ([], "E", nil), (["none"], "E", nil),
    (["fix"], "C", nil),
  ]

  @Test(arguments: ways)
  func `the main line's way, from the nearest of some`(names: [String], target: String, way: [String]?) {
    let found = Self.branched.path(fromAnyOf: names, to: version(target, Self.branched))
    #expect(found?.map(\.name) == way)
  }

  static let back: [([String], String, [String]?)] = [
    (["E"], "B", ["E", "D", "C", "B"]), (["fix2", "E"], "A", ["fix2", "fix", "A"]), (["A"], "E", nil),
    (["fix"], "C", nil), (["C"], "C", ["C"]), (["none"], "A", nil),
  ]

  @Test(arguments: back)
  func `the way back, newest first`(names: [String], target: String, way: [String]?) {
    let found = Self.branched.downgrade(fromAnyOf: names, to: version(target, Self.branched))
    #expect(found?.map(\.name) == way)
  }

  @Test(arguments: [
    (["E", "D"], true), (["D", "E"], false), (["E"], false), ([], false), (["E", "A"], true),
    (["fix", "B"], false),
  ])
  func `whether a way leads back`(names: [String], isBack: Bool) {
    #expect(Self.branched.isDowngradePath(names.map { version($0, Self.branched) }) == isBack)
  }

  /// The mapping model of a step on the main line is for all stores that came before it.
  @Test func `a fix that joins leads no store past the main line`() {
    let model = Self.model("A", "B", "C", "D", "fix<A", "E<D+fix", "F")
    let ways = ["A", "fix", "C"].map { model.path(fromAnyOf: [$0], to: version("F", model))?.map(\.name) }
    #expect(ways == [["A", "B", "C", "D", "E", "F"], ["fix", "E", "F"], ["C", "D", "E", "F"]])
    #expect(
      model.downgrade(fromAnyOf: ["F"], to: version("A", model))?.map(\.name)
        == ["F", "E", "D", "C", "B", "A"])
  }

  /// Random graphs, cycles included, against what Floyd and Warshall reach.
  @Test func `a way is found wherever one leads`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<100 {
      let names = ["A", "B", "C", "D", "E", "F"]
      let versions = names.map { name in
        ModelVersion(
          name: name, model: ManagedObjectModel(),
          predecessorNames: (0..<Int.random(in: 0...2, using: &random)).map { _ in random.pick(names) })
      }
      let model = VersionedModel(name: "M", versions: versions, currentVersionName: "F")
      var steps = Dictionary(uniqueKeysWithValues: names.map { ([$0, $0], 0) })
      for version in versions {
        for former in model.predecessors(of: version) where former.name != version.name {
          steps[[former.name, version.name]] = 1
        }
      }
      for middle in names {
        for start in names {
          for end in names {
            guard let one = steps[[start, middle]], let other = steps[[middle, end]] else { continue }
            steps[[start, end]] = min(steps[[start, end]] ?? .max, one + other)
          }
        }
      }
      let wrong = names.flatMap { start in
        versions.compactMap { end -> String? in
          let way = model.path(fromAnyOf: [start], to: end)?.map(\.name)
          let isRight =
            way.map { $0.first == start && $0.last == end.name && Set($0).count == $0.count }
            ?? (steps[[start, end.name]] == nil)
          let isWhole = zip(way ?? [], (way ?? []).dropFirst()).allSatisfy { steps[[$0, $1]] == 1 }
          return isRight && isWhole ? nil : "\(start) to \(end.name): \(way ?? [])"
        }
      }
      #expect(wrong == [], "\(versions.map { "\($0.name)<\($0.predecessorNames)" })")
    }
  }
}

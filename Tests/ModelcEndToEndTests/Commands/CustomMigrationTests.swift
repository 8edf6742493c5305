import Foundation
import TestSupport
import Testing

/// A project with two mapping files in a row, as a user has it.
@Suite("Custom migrations on the command line")
struct CustomMigrationTests {
  private func withProject(_ body: (Workplace) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let place = Workplace(folder: folder)
      func version(_ attributes: String) -> String {
        "entities:\n  Hut: {attributes: {name: string = '', beds: integer16 = 0\(attributes)}}\n"
      }
      try place.write("current: V3\nversions: [V1, V2, V3]\n", to: "P/Models/App/versions.yaml")
      try place.write(version(""), to: "P/Models/App/V1.yaml")
      try place.write(version(", region: string = ''"), to: "P/Models/App/V2.yaml")
      try place.write(
        version(", region: string = ''" + ", stars: {type: integer16, default: 0, max: 5}"),
        to: "P/Models/App/V3.yaml")
      try place.write(
        """
        from: V1
        to: V2
        entityMappings:
          HutToHut: {source: Hut, destination: Hut, where: name != '', attributes: {region: "uppercase:($source.name)"}}

        """, to: "P/Migrations/App/V1-V2.yaml")
      try place.write(mapping(stars: "3"), to: "P/Migrations/App/V2-V3.yaml")
      let huts = (1...5).map { "  p\($0): {name: \"\($0 == 5 ? "" : "Hut \($0)")\", beds: \($0)}\n" }
      try place.write("Hut:\n" + huts.joined(), to: "huts.yaml")
      expectSuccess(
        try place.modelc("fixture", "V1", "--objects", "huts.yaml", "-o", "huts.sqlite", "-C", "P"))
      try body(place)
    }
  }

  private func mapping(stars: String) -> String {
    """
    from: V2
    to: V3
    entityMappings:
      HutToHut: {source: Hut, destination: Hut, attributes: {stars: "\(stars)"}}

    """
  }

  @Test func `every step is told with its own numbers, in the plan and in the run`() throws {
    try withProject { place in
      let plan = try place.modelc("plan", "huts.sqlite", "-C", "P")
      expectSuccess(plan)
      let lines = plan.stdout.split(separator: "\n").map(String.init)
      let first = try #require(lines.firstIndex(of: "  V1 → V2"))
      let second = try #require(lines.firstIndex(of: "  V2 → V3"))
      #expect(lines[first + 1] == "    change  Hut  4 objects", "\(plan)")
      #expect(lines[second + 1] == "    change  Hut  4 objects", "\(plan)")
      let run = try place.modelc("migrate", "huts.sqlite", "-C", "P")
      #expect(run.code == 0, "\(run)")
      let copies = run.stdout.split(separator: "\n").filter { $0.contains("  Copy  ") }
      #expect(copies.count == 2, "\(run)")
      #expect(copies.allSatisfy { $0.contains("Copy  4 objects by 1 mapping") }, "\(run)")
      let names = try withStore(place.url("huts.sqlite")) { db in
        try rows("SELECT ZREGION, ZSTARS FROM ZHUT ORDER BY Z_PK", in: db)
      }
      #expect(names == ["HUT 1|3", "HUT 2|3", "HUT 3|3", "HUT 4|3"])
    }
  }

  private struct Record: Decodable {
    struct Violation: Decodable, Equatable {
      var code: String
      var entity: String?
      var property: String?
      var count: Int
      var primaryKeys: [Int64]
      var wasThereBefore: Bool
    }

    var violations: [Violation]
  }

  @Test func `--report lists the objects that break a rule, and the store is as it was`() throws {
    try withProject { place in
      try place.write(mapping(stars: "$source.beds * 2"), to: "P/Migrations/App/V2-V3.yaml")
      let before = try Data(contentsOf: place.url("huts.sqlite"))
      let run = try place.modelc("migrate", "huts.sqlite", "-C", "P", "--report", "run.json")
      #expect(run.code == 4 && run.errors == ["MC6101", "MC6107"], "\(run)")
      let record = try JSONDecoder().decode(Record.self, from: Data(contentsOf: place.url("run.json")))
      #expect(
        record.violations == [
          .init(
            code: "MC6107", entity: "Hut", property: "stars", count: 2, primaryKeys: [3, 4],
            wasThereBefore: false)
        ])
      #expect(try Data(contentsOf: place.url("huts.sqlite")) == before)
    }
  }
}

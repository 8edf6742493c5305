import Foundation
import TestSupport
import Testing

@Suite("modelc plan")
struct PlanTests {
  @Test func `what it says is what migrate does`() throws {
    try Workplace.withDemo { place, store in
      let before = try place.snapshot()
      let json = try place.modelc("plan", store, "-C", "T", "--format", "json")
      expectSuccess(json)
      #expect(try place.snapshot() == before)
      let plan = try json.decoded(as: MigrationRecord.self)
      #expect(plan.steps.map(\.to) == ["V3"])
      #expect(plan.steps.map(\.fused) == [false])
      let run = try place.modelc("migrate", store, "-C", "T", "--format", "json")
        .decoded(as: MigrationRecord.self)
      #expect(run.entities.map(\.mapping) == plan.entities.map(\.mapping))
      var planned: [String: Int] = [:]
      for row in plan.entities where row.rows > 0 { planned[row.destination ?? "", default: 0] += row.rows }
      #expect(planned == ["Hut": 40, "Stage": 125, "Trail": 25, "Visit": 300, "Photo": 510])
      #expect(try rowCounts(of: place.url(store)) == planned)
    }
  }

  @Test func `the command that it names next is the one that does it`() throws {
    try Workplace.withDemo { place, store in
      let run = try place.modelc("plan", store, "-C", "T", "--to", "V2")
      expectSuccess(run)
      let next = "migrate -C T \(store) --to V2"
      #expect(run.stderr.hasSuffix("\(next)\n"), "\(run)")
      expectSuccess(try Modelc.run(next.split(separator: " ").map(String.init), in: place.folder))
      let after = try place.modelc("inspect", store, "-C", "T", "--format", "json")
      #expect(try after.decoded(as: InspectionRecord.self).versions == ["V2"])
    }
  }

  @Test func `the mapping that it writes is all of one mapping`() throws {
    let versions = ["a", "b", "c"].map {
      "entities: {Hut: {versionHashModifier: \($0), attributes: {name: string?, beds: integer16 = 0}}}"
    }
    let step = """
      from: V1
      to: V2
      entityMappings:
        Huts:
          {source: Hut, destination: Hut, where: beds > 0, groupBy: $source.name, keep: last, orderBy: $source.beds}
      """
    try CasePlace.with(versions) { place in
      try place.write(step, to: "Migrations/App/V1-V2.yaml")
      try place.makeStore("V1", "Hut: {p1: {name: a, beds: 2}, p2: {name: a, beds: 1}, p3: {name: b}}")
      let whole = try place.modelc("plan", "store.sqlite", "--mapping", "all.yaml")
      expectRefusal(whole, "MC2205", exit: 2)
      #expect(whole.stderr.contains("`--from V1 --to V2`, `--from V2 --to V3`"), "\(whole)")
      expectSuccess(try place.modelc("plan", "store.sqlite", "--to", "V2", "--mapping", "step.yaml"))
      let text = try String(contentsOf: place.url("step.yaml"), encoding: .utf8)
      for part in ["Huts:", "where:", "groupBy:", "keep: last", "orderBy:"] {
        #expect(text.contains(part), "\(text)")
      }
    }
  }

  @Test func `--sql shows the statements`() throws {
    try Workplace.withDemo { place, store in
      let run = try place.modelc("plan", store, "-C", "T", "--sql")
      expectSuccess(run)
      #expect(run.stdout.contains("ALTER TABLE ZVISIT RENAME COLUMN ZTEXT TO ZNOTE;"))
    }
  }
}

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

  @Test func `--sql shows the statements`() throws {
    try Workplace.withDemo { place, store in
      let run = try place.modelc("plan", store, "-C", "T", "--sql")
      expectSuccess(run)
      #expect(run.stdout.contains("ALTER TABLE ZVISIT RENAME COLUMN ZTEXT TO ZNOTE;"))
    }
  }
}

import Foundation
import TestSupport
import Testing

@Suite("modelc inspect --fetch")
struct InspectFetchTests {
  private struct Record: Decodable {
    var fetch: Fetch

    struct Fetch: Decodable {
      var name: String
      var entity: String
      var sql: String
      var parameters: [String]
      var plan: [String]
    }
  }

  /// The demo's first version with fetch requests, which no hash sees.
  private func withRequests(_ body: (Workplace, _ store: String) throws -> Void) throws {
    try Workplace.withDemo { place, store in
      let model = place.url("T/Models/Trails/V1.yaml")
      let text = try String(contentsOf: model, encoding: .utf8)
      let requests = """

        fetchRequests:
          HighHuts: {entity: Hut, predicate: "elevation > $least", sort: [elevation desc, name], limit: 20}
          StagesOfHut: {entity: Stage, predicate: "hut.name BEGINSWITH 'A' AND trail != nil"}
          Odd: {entity: Hut, predicate: "FUNCTION(SELF, 'isOpen') == TRUE"}
        """
      try place.write(text + requests + "\n", to: "T/Models/Trails/V1.yaml")
      try body(place, store)
    }
  }

  @Test func `a request's SQL and plan are shown, and nothing is written`() throws {
    try withRequests { place, store in
      let before = try place.snapshot()
      let run = try place.modelc("inspect", store, "-C", "T", "--fetch", "HighHuts")
      expectSuccess(run)
      #expect(run.stdout.contains("FROM ZHUT t0 WHERE t0.ZELEVATION > :least"), "\(run)")
      #expect(run.stdout.contains("ORDER BY t0.ZELEVATION DESC, t0.ZNAME ASC LIMIT 20"))
      #expect(run.stdout.contains("the caller binds :least"))
      #expect(run.stdout.contains("USING INDEX Z_Hut_byElevation"), "\(run)")
      let json = try place.modelc("inspect", store, "-C", "T", "--fetch", "StagesOfHut", "--format", "json")
      let fetch = try json.decoded(as: Record.self).fetch
      #expect(fetch.name == "StagesOfHut" && fetch.entity == "Stage" && fetch.parameters == [])
      #expect(fetch.sql.contains("LEFT JOIN ZHUT t1 ON t1.Z_PK = t0.ZHUT"))
      #expect(fetch.plan.first?.hasPrefix("SCAN t0") == true, "\(fetch.plan)")
      #expect(try place.snapshot() == before)
    }
  }

  @Test func `what is not there, and what SQL cannot ask, is said`() throws {
    try withRequests { place, store in
      let unknown = try place.modelc("inspect", store, "-C", "T", "--fetch", "HighHut")
      expectRefusal(unknown, "MC1601", exit: 2)
      #expect(unknown.stderr.contains("did you mean 'HighHuts'?"))
      let odd = try place.modelc("inspect", store, "-C", "T", "--fetch", "Odd")
      expectRefusal(odd, "MC1607", exit: 1)
    }
  }
}

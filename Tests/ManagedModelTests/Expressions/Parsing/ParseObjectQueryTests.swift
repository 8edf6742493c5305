import ManagedModel
import Testing

@Suite struct `Queries are read` {
  @Test func `all clauses`() throws {
    let query = try parseObjectQuery(
      """
      select name, hut.name, visits.@count from Visit where (date > CAST(0, "NSDate") or hut.order == 1) and ANY x.limit > 2
      group by hut.name order by @count desc, name asc, hut.name limit 20
      """)
    #expect(query.entityName == "Visit")
    #expect(query.columns?.map(\.name) == ["name", "hut.name", "visits.@count"])
    #expect(query.predicate?.description.contains("x.limit") == true)
    #expect(query.groups.map(\.name) == ["hut.name"])
    #expect(query.order.map(\.column.name) == ["@count", "name", "hut.name"])
    #expect(query.order.map(\.isAscending) == [false, true, true])
    #expect(query.limit == 20)
  }

  @Test(arguments: [
    "Visit", "Order", "Select", "From WHERE limit == 1", "Visit ORDER BY order LIMIT 0", "#where LIMIT 1",
  ])
  func `words of clauses are names too`(_ text: String) throws { _ = try parseObjectQuery(text) }

  @Test(arguments: [
    "", "SELECT a", "SELECT FROM Visit", "SELECT a, FROM Visit", "Visit WHERE", "Visit WHER a == 1",
    "Visit LIMIT",
    "Visit LIMIT -1", "Visit LIMIT 1.5", "Visit LIMIT 1 ORDER BY a", "Visit ORDER BY",
    "Visit ORDER BY DESC a", "Visit; DROP",
    "Visit WHERE a == 1 LIMIT x", "Visit GROUP BY (a", "Visit WHERE (a == 1", "\"Visit\"",
    "Visit WHERE a == %@",
  ])
  func `what is no query is said`(_ text: String) {
    #expect(throws: DiagnosticsError.self) { try parseObjectQuery(text) }
  }
}

import GRDB

/// How SQLite would carry out a query, and how much there is to read.
package struct QueryPlan: Hashable, Sendable {
  /// The lines of `EXPLAIN QUERY PLAN`, indented by their depth.
  package var lines: [String]
  /// Tables that are read from end to end, with an upper bound of their rows.
  package var scans: [Scan]
  /// About how many rows SQLite has to look at: those of a table that is read for each row of another count as often.
  package var rowCount: Double

  package struct Scan: Hashable, Sendable {
    package var table: String
    package var rowCount: Int64
  }
}

extension StoreDatabase {
  /// Asks SQLite for its plan; nothing is fetched.
  package func plan(_ query: CompiledQuery, schema: StoreSchema) throws -> QueryPlan {
    registerFetchFunctions()
    let steps = try queryPlan(query.sql)
    let names = schema.tableNames
    var (scans, counts) = ([QueryPlan.Scan](), [Int: Double]())
    for (index, step) in steps.enumerated() {
      let words = step.detail.split(separator: " ")
      // The plan has the alias, which stands in the statement after its table's name.
      guard words.count > 1, ["SCAN", "SEARCH"].contains(words[0]),
        !step.detail.contains(" INTEGER PRIMARY KEY "),
        let table = names.first(where: { "\(query.sql) ".contains("\($0.quotedIdentifier) \(words[1]) ") })
      else { continue }
      let bound = max(1, try rowBound(table: table))
      if words[0] == "SCAN" { scans.append(QueryPlan.Scan(table: table, rowCount: bound)) }
      // How many rows share a key is not known: between one and all.
      counts[index] = words[0] == "SCAN" ? Double(bound) : Double(bound).squareRoot()
    }
    return QueryPlan(lines: steps.map(\.line), scans: scans, rowCount: rowCount(steps, counts, below: 0))
  }
}

/// Loops within one query multiply; a subquery runs for each of their rows.
private func rowCount(_ steps: [PlanStep], _ counts: [Int: Double], below parent: Int) -> Double {
  var (product, subqueries) = (1.0, 0.0)
  for (index, step) in steps.enumerated() where step.parent == parent {
    product *= counts[index] ?? 1
    if steps.contains(where: { $0.parent == step.id }) {
      subqueries += rowCount(steps, counts, below: step.id)
    }
  }
  return product * (1 + subqueries)
}

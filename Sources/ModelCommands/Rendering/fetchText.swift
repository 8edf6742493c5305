import PersistentStore

/// A fetch request's SQL and SQLite's plan for it.
func fetchText(_ explanation: FetchExplanation, path: String) -> String {
  var lines = ["\(printable(path)): fetch request '\(printable(explanation.name))'", ""]
  lines.append("  \(printable(explanation.fetch.sql))")
  let parameters = explanation.fetch.parameters.map { ":" + $0 }
  if !parameters.isEmpty { lines.append("  the caller binds \(parameters.joined(separator: ", "))") }
  lines += ["", "  plan:"] + explanation.plan.map { "    \(printable($0))" }
  return lines.shownLines
}

extension FetchExplanation {
  var json: JSONValue {
    .object([
      .init("name", .string(name)), .init("entity", .string(entityName)), .init("sql", .string(fetch.sql)),
      .init("parameters", JSONValue(fetch.parameters)), .init("plan", JSONValue(plan)),
    ])
  }
}

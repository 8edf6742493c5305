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
    [
      "name": .string(name), "entity": .string(entityName), "sql": .string(fetch.sql),
      "parameters": JSONValue(fetch.parameters), "plan": JSONValue(plan),
    ]
  }
}

extension FetchExplanation {
  static let shape = JSONShape.object(
    "fetchResult", "A fetch request of a store's model.",
    [
      "store": .storeName,
      "fetch": .object(
        "fetch", "How SQLite carries it out.",
        [
          "name": .text(""), "entity": .text(""), "sql": .text(""),
          "parameters": .texts("What the caller binds."), "plan": .texts("SQLite's plan, a line each."),
        ]),
    ])
}

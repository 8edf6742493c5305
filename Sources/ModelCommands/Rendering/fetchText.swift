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

extension FetchExplanation: JSONResult {
  static let result = JSONObject<Self>(
    "fetch", "How SQLite carries it out.",
    [
      "name": .value(\.name), "entity": .value(\.entityName), "sql": .value(\.fetch.sql),
      "parameters": .value(\.fetch.parameters, "What the caller binds."),
      "plan": .value(\.plan, "SQLite's plan, a line each."),
    ])

  /// The object of `inspect STORE --fetch`.
  static let ofStore = JSONObject<(store: String, fetch: Self)>(
    "fetchResult", "A fetch request of a store's model.",
    ["store": .store(\.store), "fetch": .value(\.fetch)])
}

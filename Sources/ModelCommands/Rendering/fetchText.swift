import PersistentStore

extension FetchExplanation: JSONResult {
  /// A fetch request's SQL and SQLite's plan for it.
  func text(path: String) -> String {
    var lines = ["\(path.printable): fetch request '\(name.printable)'", ""]
    lines.append("  \(fetch.sql.printable)")
    let parameters = fetch.parameters.map { ":" + $0 }
    if !parameters.isEmpty { lines.append("  the caller binds \(parameters.joined(separator: ", "))") }
    lines += ["", "  plan:"] + plan.map { "    \($0.printable)" }
    return lines.shownLines
  }

  static let result = JSONObject<Self>("fetch", "How SQLite runs it.").adding([
    "name": .value(\.name), "entity": .value(\.entityName), "sql": .value(\.fetch.sql),
    "parameters": .value(\.fetch.parameters, "What the caller binds."),
    "plan": .value(\.plan, "SQLite's plan, a line each."),
  ])

  /// The object of `inspect STORE --fetch`.
  static let ofStore = JSONObject<(store: String, fetch: Self)>(
    "fetchResult", "A fetch request of a store's model."
  ).adding(["store": .store(\.store), "fetch": .value(\.fetch)])
}

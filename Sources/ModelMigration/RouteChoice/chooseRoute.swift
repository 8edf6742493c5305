package import ManagedModel

/// The route that was chosen, and why in words.
struct RouteChoice {
  var route: MigrationRoute
  var reason: String
}

/// What the routes would have to do.
struct RouteCosts {
  /// The statements that alter the store or a clone of it.
  var altering: StatementFootprint
  /// The statements that fill a new file; nil where that cannot be.
  var anew: StatementFootprint?
  /// Why a new file cannot be.
  var newFileObstacle: String?
  /// Whether large tables beside the model's change or go: persistent history, those of CloudKit.
  var changesSystemTables: Bool
}

/// - Throws: ``DiagnosticsError`` with MC3405 where the route that is asked for cannot serve.
func chooseRoute(_ request: RouteRequest, _ costs: RouteCosts, store: String) throws(DiagnosticsError)
  -> RouteChoice
{
  switch request {
  case .inPlace: return RouteChoice(route: .inPlace, reason: "asked for")
  case .clone: return RouteChoice(route: .clone, reason: "asked for")
  case .newFile:
    if let obstacle = costs.newFileObstacle {
      throw DiagnosticsError(.routeCannotServe("new-file", store: store, reason: obstacle))
    }
    return RouteChoice(route: .newFile, reason: "asked for")
  case .auto where !costs.altering.touchesRows && !costs.changesSystemTables:
    if !costs.altering.growsWithRows {
      return RouteChoice(route: .inPlace, reason: "only the schema changes, no row is touched")
    }
    if costs.altering.concernsOnlyIndexes {
      return RouteChoice(route: .inPlace, reason: "only indexes change, no row is touched")
    }
    return cheaperCopy(costs)
  case .auto, .copy: return cheaperCopy(costs)
  }
}

private func cheaperCopy(_ costs: RouteCosts) -> RouteChoice {
  let cloning = cloneCost + costs.altering.cost
  guard let anew = costs.anew else {
    let reason = costs.newFileObstacle.map { "a new file cannot be: \($0)" } ?? "rows change"
    return RouteChoice(route: .clone, reason: reason)
  }
  let isCheaper = anew.cost < cloning
  return RouteChoice(
    route: isCheaper ? .newFile : .clone,
    reason: isCheaper
      ? "most rows would be written several times in a clone (\(percent(cloning)) against \(percent(anew.cost)))"
      : "rows change, and altering a clone costs less than writing them anew (\(percent(cloning)) against \(percent(anew.cost)))"
  )
}

private func percent(_ cost: Double) -> String { "\(Int((cost * 100).rounded())) %" }

/// Copying the file, as a part of the time that writing the whole store anew takes.
let cloneCost = 0.15

extension StatementFootprint {
  /// The time as a part of what writing the whole store anew takes, from measurements on a store of 208 MB (the
  /// project's benchmarks print them): the factors are that part for a statement over all rows.
  var cost: Double {
    let factors: [Work: Double] = [
      .transfer: 0.4, .insert: 0.7, .update: 0.45, .delete: 0.3, .dropColumn: 0.55, .dropTable: 0.05,
      .createIndex: 0.2,
    ]
    return shares.reduce(0) { $0 + $1.value * (factors[$1.key] ?? 0) }
  }
}

extension Diagnostic.Code {
  package static let routeCannotServe = Self("MC3405")
}

extension Diagnostic {
  static func routeCannotServe(_ route: String, store: String, reason: String) -> Self {
    Self(
      .routeCannotServe, .error, "the route '\(route)' cannot serve \(store): \(reason)",
      help: ["leave out `--route`, or take `--route clone`, which always serves"])
  }
}

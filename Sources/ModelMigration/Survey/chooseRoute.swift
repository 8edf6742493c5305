package import ManagedModel

/// The route that was chosen, and why in words.
struct RouteChoice {
  var route: MigrationRoute
  var reason: String

  init(route: MigrationRoute, reason: String) {
    self.route = route
    self.reason = reason
  }

  /// - Parameters:
  ///   - footprint: what the statements touch.
  ///   - changesSystemTables: whether large tables beside the model's change or go: persistent history, those of CloudKit.
  init(_ request: RouteRequest, _ footprint: StatementFootprint, changesSystemTables: Bool = false) {
    switch request {
    case .inPlace: self.init(route: .inPlace, reason: "asked for")
    case .clone: self.init(route: .clone, reason: "asked for")
    case .auto where footprint.touchesRows || changesSystemTables:
      self.init(route: .clone, reason: "rows change")
    case .auto where !footprint.growsWithRows:
      self.init(route: .inPlace, reason: "only the schema changes, no row is touched")
    case .auto where footprint.concernsOnlyIndexes:
      self.init(route: .inPlace, reason: "only indexes change, no row is touched")
    case .auto: self.init(route: .clone, reason: "the schema and indexes over many rows change")
    }
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

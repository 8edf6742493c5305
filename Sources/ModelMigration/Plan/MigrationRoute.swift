/// How a migration changes its store.
public enum MigrationRoute: String, Hashable, Sendable, CaseIterable {
  /// One transaction on the store itself.
  case inPlace = "in-place"
  /// A private clone beside the store is altered, proved and swapped in.
  case clone

  /// Whether one transaction changes the store itself, so that only a journal needs room beside it.
  var isTransaction: Bool { self == .inPlace }

  /// What it does, for whoever reads a plan.
  package var procedure: String {
    switch self {
    case .inPlace: "one transaction on the store itself"
    case .clone: "a private clone is altered, proved and swapped in"
    }
  }
}

/// What a caller asks of the route.
public enum RouteRequest: String, Hashable, Sendable, CaseIterable {
  /// In place where no row is touched, else by a clone.
  case auto
  /// One transaction on the store itself.
  case inPlace = "in-place"
  /// A private clone that is altered and swapped in.
  case clone

  /// What `--route` says of itself.
  package static let summary =
    "How the store is reached: auto, in-place (one transaction) or clone (a copy is altered and swapped in)"
}

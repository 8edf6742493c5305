/// How a migration changes its store.
public enum MigrationRoute: String, Hashable, Sendable, CaseIterable {
  /// One transaction on the store itself.
  case inPlace = "in-place"
  /// A file that is laid out anew, filled from the store, proved and swapped in.
  case newFile = "new-file"
  /// A private clone beside the store is altered, proved and swapped in.
  case clone

  /// Whether one transaction changes the store itself, so that only a journal needs room beside it.
  var isTransaction: Bool { self == .inPlace }
}

/// What a caller asks of the route.
public enum RouteRequest: String, Hashable, Sendable, CaseIterable {
  /// In place where no row is touched, else as ``copy``.
  case auto
  /// One transaction on the store itself.
  case inPlace = "in-place"
  /// A private clone that is altered and swapped in.
  case clone
  /// A new file that is filled from the store and swapped in.
  case newFile = "new-file"
  /// A clone or a new file, whichever costs less.
  case copy

  /// What `--route` says of itself.
  package static let summary =
    "How the store is reached; in-place is one transaction, copy the cheaper one of clone and new-file"
}

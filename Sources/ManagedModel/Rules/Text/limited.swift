/// How many findings are worth their time.
package enum FindingLimits {
  /// Errors in one file or model. More help nobody, and cost time.
  package static let errors = 200
  /// Warnings and remarks, which stop nothing.
  static let remarks = 5_000
}

extension [Diagnostic] {
  /// Whether so much is wrong that looking further is of no use.
  package var isFull: Bool { count >= FindingLimits.errors }

  /// The findings up to the last error that is within the limit, and a word about the rest.
  package var limited: [Diagnostic] {
    guard count > FindingLimits.errors else { return self }
    let errors = indices.filter { self[$0].severity == .error }
    guard errors.count > FindingLimits.errors else { return self }
    let shown = self[..<errors[FindingLimits.errors]]
    return shown
      + [Diagnostic](
        .yamlLimit, .error, "more than \(FindingLimits.errors) errors; the rest is not shown",
        place: shown.last?.place, help: ["fix these first"])
  }
}

package import GRDB
package import ManagedModel

extension Database {
  /// Derived attributes whose stored values differ from their derivation. The time of a save is not checked.
  package func findWrongDerivations(in store: VerifiedStore) throws -> [Verification.Finding] {
    try store.schema.derivedColumns(hierarchy: store.hierarchy).compactMap { column in
      let rows = try Row.fetchCursor(
        self,
        sql: """
          SELECT Z_PK FROM (SELECT Z_PK, \(column.column) AS stored, (\(column.value)) AS derived, \
          (\(column.form.isFolded ? column.origin : "NULL")) AS origin FROM \(column.table) WHERE \(column.isOfEntity)) WHERE \(column.differs) ORDER BY Z_PK
          """)
      let keys = try rows.reduce(into: KeySample()) { keys, row in keys.add(row.integer(0) ?? 0) }
      if keys.count == 0 { return nil }
      return keys.finding(
        .values(
          .wrongDerivation, of: column.reference, keys.count, "is not what '\(column.derivation)' gives",
          notes: ["fetches find these objects by the wrong value, and triggers continue from that value"],
          help: [
            "`modelc repair STORE` recomputes it; or let the app change and save each object, and those that it leads to"
          ]))
    }
  }
}

extension DerivedColumn {
  /// Of `stored`, `derived` and `origin`.
  ///
  /// A count or a sum of nothing is zero, and null until something is added; sums of fractions depend on their order. No
  /// genuine store shows how Core Data folds letters beyond ASCII, so a text that differs in nothing but their writing is
  /// no finding.
  fileprivate var differs: String {
    if form.isFolded {
      return "stored IS NOT derived AND (stored IS NULL OR length(CAST(origin AS BLOB)) = length(origin)"
        + " OR modelc_fold('loose', stored) IS NOT modelc_fold('loose', origin))"
    }
    guard form.function != nil else { return "stored IS NOT derived" }
    let (left, right) = ("(IFNULL(stored, 0) + 0.0)", "(IFNULL(derived, 0) + 0.0)")
    return "abs(\(left) - \(right)) > 1e-9 * max(1.0, abs(\(right)))"
  }
}

extension Diagnostic.Code { package static let wrongDerivation = Self("MC5207") }

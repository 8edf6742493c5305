package import GRDB
package import ManagedModel
import PersistentStore

/// Derived attributes whose stored values differ from their derivation: counts and sums over a to-many, values of a
/// to-one's destination. Derivations of a row's own text or of the time of a save are not checked.
package func findWrongDerivations(_ db: Database, in store: VerifiedStore) throws -> [Verification.Finding] {
  try derivedColumns(in: store.schema, hierarchy: store.hierarchy).compactMap { column in
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT Z_PK FROM (SELECT Z_PK, \(column.column) AS stored, (\(column.value)) AS derived \
        FROM \(column.table) WHERE \(column.isOfEntity)) WHERE \(column.differs) ORDER BY Z_PK
        """)
    var count = 0
    var keys: [Int64] = []
    while let row = try rows.next() {
      count += 1
      if keys.count < 5 { keys.append(Int64.fromDatabaseValue(row[0]) ?? 0) }
    }
    if count == 0 { return nil }
    var diagnostic = Diagnostic.wrongDerivation(column.reference, column.derivation, count)
    diagnostic.notes.append(.primaryKeys(keys, of: count))
    return Verification.Finding(diagnostic, count: count, primaryKeys: keys)
  }
}

extension DerivedColumn {
  /// Of `stored` and `derived`.
  ///
  /// A count or a sum of nothing is zero, and null until something is added; sums of fractions depend on their order.
  fileprivate var differs: String {
    guard derivation.contains("@") else { return "stored IS NOT derived" }
    let (left, right) = ("(IFNULL(stored, 0) + 0.0)", "(IFNULL(derived, 0) + 0.0)")
    return "abs(\(left) - \(right)) > 1e-9 * max(1.0, abs(\(right)))"
  }
}

extension Diagnostic.Code {
  package static let wrongDerivation = Self("MC5207")
}

extension Diagnostic {
  fileprivate static func wrongDerivation(
    _ property: PropertyReference, _ derivation: String, _ count: Int
  ) -> Self {
    Self(
      .wrongDerivation, .error,
      "'\(property.property)' of \(objects(count, of: property.entity)) is not what '\(derivation)' gives",
      subject: ModelSubject(property),
      notes: ["triggers count on from the value that is there, so it stays wrong until it is written anew"],
      help: ["let the app save each of the objects, and the objects that they lead to, with a change"])
  }
}

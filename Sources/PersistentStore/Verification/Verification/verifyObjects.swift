package import GRDB
package import ManagedModel

extension Database {
  /// Checks the rows of a store against every rule of a model: required values, types, bounds, lengths, patterns, dates,
  /// counts, references, inverses, uniqueness.
  ///
  /// It keeps only counts and the keys of the first rows, so memory does not grow with the store.
  ///
  /// - Parameters:
  ///   - exampleLimit: how many rows a finding names.
  ///   - asksConstraints: whether groups of duplicates are looked for.
  ///   - tables: the only tables that are looked at; nil for all.
  package func verifyObjects(
    schema: StoreSchema, model: ManagedObjectModel, exampleLimit: Int = 5, asksConstraints: Bool = true,
    only tables: TouchedTables? = nil
  ) throws -> [Verification.Finding] {
    registerFetchFunctions()
    let store = VerifiedStore(schema: schema, model: model, only: tables)
    var verification = Verification(
      recognition: Recognition(recognisedBy: .none, versions: [], nearest: []), yardstick: nil,
      integrityCheck: .quick)
    try verifyRows(
      in: store, options: VerificationOptions(exampleLimit: exampleLimit), isCounting: false,
      into: &verification)
    verification.findings +=
      try asksConstraints ? findDuplicates(in: store) : findSharedPlaces(in: store)
    return verification.findings
  }

  /// Groups of objects that a uniqueness constraint should keep apart.
  package func verifyConstraints(
    schema: StoreSchema, model: ManagedObjectModel, only tables: TouchedTables? = nil
  ) throws -> [Verification.Finding] {
    try findBrokenConstraints(in: VerifiedStore(schema: schema, model: model, only: tables))
  }
}

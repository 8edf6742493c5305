package import GRDB
package import ManagedModel

/// Holds the rows of a store against every rule of a model: required values, types, bounds, lengths, patterns, dates,
/// counts, references, inverses, uniqueness.
///
/// Nothing is collected but counts and the keys of the first rows, so memory does not grow with the store.
///
/// - Parameters:
///   - exampleLimit: how many rows a finding names.
///   - verifiedTables: join tables that were held against the objects before.
package func verifyObjects(
  _ db: Database, schema: StoreSchema, model: ManagedObjectModel, exampleLimit: Int = 5,
  verifiedTables: Set<String> = []
) throws -> [Verification.Finding] {
  registerFetchFunctions(db)
  let store = VerifiedStore(schema: schema, model: model)
  var verification = Verification(
    recognition: Recognition(recognisedBy: .none, versions: [], nearest: []), yardstick: nil,
    integrityCheck: .quick)
  try verifyRows(
    db, in: store, options: VerificationOptions(exampleLimit: exampleLimit), isCounting: false,
    verifiedTables: verifiedTables, into: &verification)
  verification.findings += try findDuplicates(db, in: store)
  return verification.findings
}

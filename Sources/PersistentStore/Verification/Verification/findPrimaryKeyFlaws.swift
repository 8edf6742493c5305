import GRDB
import ManagedModel

extension Database {
  /// Compares `Z_PRIMARYKEY`'s highest keys with the tables. A key that was used may not be used again.
  func findPrimaryKeyFlaws(_ physical: PhysicalSchema, in store: VerifiedStore) throws -> [Verification
    .Finding]
  {
    var findings: [Verification.Finding] = []
    let rows = Dictionary(firstOf: physical.entityRows.map { ($0.number, $0) })
    for table in store.schema.tables where table.column(for: .primaryKey) != nil {
      guard let root = store.schema.entity(named: table.rootEntityName), let row = rows[root.number],
        let greatest = try self.greatestKey(table: table.name),
        row.maximum < greatest
      else { continue }
      let (maximum, key) = (row.maximum.value, greatest.value)
      findings.append(
        Verification.Finding(
          Diagnostic(
            .entityNumbersInconsistent, .warning,
            "Z_PRIMARYKEY says that the highest key of '\(root.name)' is \(maximum), but there is a row \(key)",
            subject: ModelSubject(entity: root.name),
            notes: [
              "a new object could get the key of an existing one; Core Data has written some stores like this"
            ],
            help: ["the next migration corrects it"]), primaryKeys: [key]))
    }
    for entity in store.schema.entities where entity.recordedName != entity.name {
      // A rename leaves the old name there; any other name has another cause.
      guard store.hierarchy.entity(named: entity.name)?.canonicalName != entity.recordedName else { continue }
      findings.append(
        Verification.Finding(
          Diagnostic(
            .entityNumbersInconsistent, .warning,
            "Z_PRIMARYKEY names entity \(entity.number) '\(entity.recordedName)', but by its position it is '\(entity.name)'",
            subject: ModelSubject(entity: entity.name),
            notes: [
              "after several renames an old name may remain; otherwise the numbers were edited by hand"
            ])))
    }
    let counts = Dictionary(physical.entityRows.map { ($0.name, 1) }, uniquingKeysWith: +)
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
      findings.append(
        Verification.Finding(
          Diagnostic(
            .entityNumbersInconsistent, .error, "Z_PRIMARYKEY numbers entity '\(name)' more than once",
            subject: ModelSubject(entity: name), help: ["restore the store from a backup"]), count: count))
    }
    return findings
  }
}

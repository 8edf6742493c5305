package import ManagedModel

extension RowScan {
  /// How many objects a to-many may have: at least one where it is required and has a minimum, and its least and greatest number.
  mutating func addCountChecks(of table: TableLayout, in store: VerifiedStore) {
    for name in store.hierarchy.descendantNames(includingSelf: table.rootEntityName) {
      for relationship in store.hierarchy.entity(named: name)?.relationships ?? []
      where relationship.isToMany && !relationship.isTransient {
        let reference = PropertyReference(entity: name, property: relationship.name)
        guard relationship.minCount > 0 || relationship.maxCount > 1,
          let keys = store.schema.ownerKeys(of: relationship.name, seenFrom: name, hierarchy: store.hierarchy)
        else { continue }
        let joined = joinCount(of: keys.table, by: keys.column)
        let number = "IFNULL(\(joined).n, 0)"
        let help = ["fix the relationship with the app before the objects are next saved"]
        func check(_ condition: String, _ diagnostic: @escaping @Sendable (Int) -> Diagnostic) {
          self.check(store.among(name, condition), joins: [joined], value: number, diagnostic)
        }
        if relationship.mustLeadSomewhere {
          check("\(number) = 0") {
            Diagnostic(
              .requiredValueMissing, .information,
              "the required '\(reference.property)' of \(objects($0, of: name)) is empty",
              subject: ModelSubject(reference),
              notes: ["Core Data checks this only when an object is saved"], cocoaCode: 1570)
          }
        }
        if relationship.minCount > 1 {
          check("\(number) BETWEEN 1 AND \(relationship.minCount - 1)") {
            .values(
              .tooFewObjects, of: reference, $0, "has fewer objects than the model requires", help: help,
              cocoaCode: 1580)
          }
        }
        if relationship.maxCount > 1 {
          check("\(number) > \(relationship.maxCount)") {
            .values(
              .tooManyObjects, of: reference, $0, "has more objects than the model allows", help: help,
              cocoaCode: 1590)
          }
        }
      }
    }
  }
}

extension Diagnostic.Code {
  package static let tooFewObjects = Self("MC6104")
  package static let tooManyObjects = Self("MC6105")
}

package import ManagedModel

extension RowScan {
  /// How many objects a to-many may have: at least one where it is required, and its least and greatest number.
  mutating func addCountChecks(of table: TableLayout, in store: VerifiedStore) {
    for name in store.hierarchy.descendantNames(includingSelf: table.rootEntityName) {
      for relationship in store.hierarchy.entity(named: name)?.relationships ?? []
      where relationship.isToMany && !relationship.isTransient {
        let reference = PropertyReference(entity: name, property: relationship.name)
        let mustLead = relationship.mustLeadSomewhere(in: store.hierarchy.model)
        guard mustLead || relationship.minCount > 0 || relationship.maxCount > 1,
          let keys = store.schema.ownerKeys(of: relationship.name, seenFrom: name, hierarchy: store.hierarchy)
        else { continue }
        let joined = joinCount(of: keys.table, by: keys.column)
        let number = "IFNULL(\(joined).n, 0)"
        func check(_ condition: String, _ diagnostic: @escaping @Sendable (Int) -> Diagnostic) {
          self.check(store.among(name, condition), joins: [joined], value: number, diagnostic)
        }
        if mustLead { check("\(number) = 0") { .empty(reference, $0) } }
        if relationship.minCount > 1 {
          check("\(number) BETWEEN 1 AND \(relationship.minCount - 1)") { .tooFew(reference, $0) }
        }
        if relationship.maxCount > 1 {
          check("\(number) > \(relationship.maxCount)") { .tooMany(reference, $0) }
        }
      }
    }
  }
}

extension Diagnostic.Code {
  package static let tooFewObjects = Self("MC6104")
  package static let tooManyObjects = Self("MC6105")
}

extension Diagnostic {
  fileprivate static func empty(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .requiredValueMissing, .information,
      "the required '\(property.property)' of \(objects(count, of: property.entity)) is empty",
      subject: ModelSubject(property), notes: ["Core Data checks this only when an object is saved"],
      cocoaCode: 1570)
  }

  fileprivate static func tooFew(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .tooFewObjects, .error,
      "'\(property.property)' of \(objects(count, of: property.entity)) has fewer objects than the model requires",
      subject: ModelSubject(property), help: [mend], cocoaCode: 1580)
  }

  fileprivate static func tooMany(_ property: PropertyReference, _ count: Int) -> Self {
    Self(
      .tooManyObjects, .error,
      "'\(property.property)' of \(objects(count, of: property.entity)) has more objects than the model allows",
      subject: ModelSubject(property), help: [mend], cocoaCode: 1590)
  }

  private static var mend: String { "fix the relationship with the app before the objects are next saved" }
}

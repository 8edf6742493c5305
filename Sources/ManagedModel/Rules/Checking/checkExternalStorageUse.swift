extension ModelIndex {
  /// A value that may lie beside the store's file can be neither indexed nor compared (MC1606).
  func checkExternalStorageUse(_ entity: EntityDescription) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    func check(_ name: String, _ what: String, _ subject: ModelSubject) {
      guard let attribute = self.attribute(named: name, of: entity.name),
        attribute.allowsExternalBinaryDataStorage
      else { return }
      findings.append(
        Diagnostic(
          .searchesExternalStorage, .error,
          "\(what) of '\(entity.name)' contains '\(name)', which may be stored outside the store's file",
          subject: subject, notes: ["the column then holds the name of a file, not the value"],
          help: ["leave it out, or remove 'externalStorage' from '\(name)'"]))
    }
    let whole = ModelSubject(entity: entity.name)
    for (number, constraint) in entity.uniquenessConstraints.enumerated() {
      for (position, name) in constraint.enumerated() {
        let subject = whole.part("uniquenessConstraints").element(number).element(position)
        check(name, "a uniqueness constraint", subject)
      }
    }
    for fetchIndex in entity.fetchIndexes {
      let subject = whole.part("fetchIndexes").part(fetchIndex.name)
      for (position, element) in fetchIndex.elements.enumerated() where !element.isExpression {
        check(element.property, "index '\(fetchIndex.name)'", subject.element(position))
      }
    }
    for (number, names) in entity.compoundIndexes.enumerated() {
      for (position, name) in names.enumerated() {
        check(name, "a compound index", whole.part("compoundIndexes").element(number).element(position))
      }
    }
    return findings
  }
}

package import ManagedModel

extension [PhysicalSchema.EntityRow] {
  /// Finds each entity's row in `Z_PRIMARYKEY`: by its name, by the name it had before it was renamed, else by its
  /// number, because a rename can leave the old name there (store-format.md 10.4).
  package func bindEntityNumbers(hierarchy: EntityHierarchy) -> (
    entities: [EntityLayout], diagnostics: [Diagnostic]
  ) {
    let rows = filter { $0.number < firstSystemEntityNumber }
    let names = hierarchy.namesInNumberingOrder
    var bound: [String: PhysicalSchema.EntityRow] = [:]
    var free = rows
    func claim(_ name: String, where matches: (PhysicalSchema.EntityRow) -> Bool) {
      guard bound[name] == nil, let index = free.firstIndex(where: matches) else { return }
      bound[name] = free.remove(at: index)
    }
    for name in names { claim(name) { $0.name == name } }
    for name in names {
      guard let former = hierarchy.entity(named: name)?.renamingIdentifier else { continue }
      claim(name) { $0.name == former }
    }
    for (index, name) in names.enumerated() {
      let parent = hierarchy.superentityName(of: name)
      let superNumber = parent.map { bound[$0]?.number ?? -1 } ?? 0
      claim(name) { $0.number == index + 1 && $0.superNumber == superNumber }
    }

    var diagnostics: [Diagnostic] = []
    var nextNumber = Swift.max(rows.map(\.number).max() ?? 0, 0) + 1
    var entities: [EntityLayout] = []
    for name in names {
      let parent = hierarchy.superentityName(of: name)
      let row = bound[name]
      if let row {
        let superNumber = parent.flatMap { bound[$0]?.number } ?? 0
        if row.superNumber != superNumber {
          diagnostics.append(
            .entityNumbersInconsistent, .error,
            "Z_PRIMARYKEY gives entity '\(name)' the parent number \(row.superNumber), the model \(superNumber)",
            subject: ModelSubject(entity: name))
        }
      } else {
        diagnostics.append(
          .entityNumbersInconsistent, .error, "Z_PRIMARYKEY has no row for entity '\(name)'",
          subject: ModelSubject(entity: name),
          notes: ["without its number the entity's rows cannot be distinguished from others"])
      }
      entities.append(
        EntityLayout(
          name: name, number: row?.number ?? nextNumber, superentityName: parent,
          rootEntityName: hierarchy.rootName(of: name), recordedName: row?.name ?? name))
      // A number that no row has keeps the entity's columns from being taken for another's.
      if row == nil { nextNumber += 1 }
    }
    if !free.isEmpty {
      let list = free.map { "'\($0.name)'" }.joined(separator: ", ")
      diagnostics.append(
        .entityNumbersInconsistent, .warning,
        "Z_PRIMARYKEY numbers entities that the model does not have: \(list)")
    }
    return (entities, diagnostics)
  }
}

extension Diagnostic.Code { package static let entityNumbersInconsistent = Self("MC5106") }

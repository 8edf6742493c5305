import ManagedModel
import PersistentStore

extension StoreTransition {
  /// Constraints over values that no constraint of the version before kept unique.
  ///
  /// A constraint is an index over a table: it binds every entity that has the properties, wherever it is declared.
  /// Nulls are distinct from one another, so a property that starts empty keeps every constraint satisfied.
  ///
  /// - Parameters:
  ///   - step: the mapping of this step alone.
  ///   - previous: the model that this step starts from.
  func newConstraints(
    in tables: [TablePlan], step: MappingModel, previous before: EntityHierarchy
  ) -> [DistinctValues] {
    var found: [DistinctValues] = []
    for table in tables {
      for name in destination.descendantNames(includingSelf: table.destination.rootEntityName) {
        for properties in destination.entity(named: name)?.uniquenessConstraints ?? [] {
          guard let declared = declarations(of: properties, seenFrom: name, in: destination) else { continue }
          let holders = table.entities.filter { holder in
            declared.allSatisfy { destination.isKind(holder, of: $0.entity) }
          }
          let numbers = holders.compactMap { oldNumber(ofDestination: $0) }
          guard !numbers.isEmpty,
            let values = values(of: declared, holders: holders, table.recipes),
            !existed(properties, holders: holders, step: step, before: before)
              || !table.source.keepsUnique(values)
          else { continue }
          found.append(
            DistinctValues(
              entity: name, properties: properties, table: table.source.name, values: values,
              numbers: numbers))
        }
      }
    }
    return found
  }

  /// The expressions to group by; nil if one is always null. Constants are left out, because all rows share them.
  private func values(
    of properties: [PropertyReference], holders: [String], _ recipes: [ColumnRecipe]
  ) -> [SQLExpression]? {
    var values: [SQLExpression] = []
    for property in properties {
      let recipe = recipes.first { [.attribute(property), .toOne(property)].contains($0.column.role) }
      let perHolder = holders.map { recipe?.values[$0] ?? .null }
      guard let first = perHolder.first, perHolder.contains(where: { $0 != .null }) else { return nil }
      if perHolder.allSatisfy({ $0 == first }) {
        if case .literal = first { continue }
        values.append(first)
      } else {
        values.append(
          .byEntity(
            zip(holders, perHolder).compactMap { holder, value in
              oldNumber(ofDestination: holder).map { .init(numbers: [$0], value: value) }
            }))
      }
    }
    return values
  }
}

extension TableLayout {
  /// Whether the store itself has no two rows with the same values, as the constraint says that its model has; its index may
  /// be missing. Of computed values nothing is asked.
  fileprivate func keepsUnique(_ values: [SQLExpression]) -> Bool {
    let names = Set(values.compactMap { $0.plainColumn?.uppercased() })
    if values.isEmpty || names.count < values.count { return true }
    let unique = indexes.filter(\.isUnique).map(\.columnNames) + inlineConstraints.map(\.columnNames)
    return unique.contains { !$0.isEmpty && names.isSuperset(of: $0.map { $0.uppercased() }) }
  }
}

private func declarations(
  of properties: [String], seenFrom entity: String, in hierarchy: EntityHierarchy
) -> [PropertyReference]? {
  let found = properties.compactMap { hierarchy.reference(to: $0, seenFrom: entity) }
  return found.count == properties.count ? found : nil
}

/// Whether one constraint of the version before kept these values unique over all these entities.
private func existed(
  _ properties: [String], holders: [String], step: MappingModel, before: EntityHierarchy
) -> Bool {
  let pasts = holders.compactMap { holder -> Set<PropertyReference>? in
    guard let mapping = step.mappings(toEntity: holder).first, let source = mapping.sourceEntityName else {
      return nil
    }
    let names = properties.compactMap { property -> String? in
      if case .source(let name)? = mapping.propertyMapping(named: property)?.value { name } else { nil }
    }
    return Set(declarations(of: names, seenFrom: source, in: before) ?? [])
  }
  guard let past = pasts.first, past.count == properties.count, pasts.allSatisfy({ $0 == past }) else {
    return false
  }
  return before.model.entities.contains { entity in
    entity.uniquenessConstraints.contains { constraint in
      declarations(of: constraint, seenFrom: entity.name, in: before).map(Set.init) == past
    }
  }
}

extension Diagnostic {
  static func duplicates(
    _ constraint: DistinctValues, _ version: String, count: Int, examples: [[Int64]]
  ) -> Self {
    let names = constraint.properties.map { "'\($0)'" }.joined(separator: ", ")
    let groups = count == 1 ? "1 group" : "\(count) groups"
    return Self(
      .duplicateValues, .error,
      "'\(constraint.entity)' is unique by \(names) in '\(version)', but the store has \(groups) of duplicates",
      subject: ModelSubject(version: version, entity: constraint.entity, key: "uniquenessConstraints"),
      notes: examples.map { keys in
        .init(
          "primary keys \(keys.map(String.init).joined(separator: ", "))\(keys.count < 5 ? "" : ", …") have the same values"
        )
      },
      help: ["remove the duplicates with the app, or leave the constraint out until they are gone"],
      cocoaCode: 134111)
  }
}

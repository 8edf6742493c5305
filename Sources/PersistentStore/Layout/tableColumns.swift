package import ManagedModel

extension EntityHierarchy {
  /// The columns of a root entity's table in the order of a new store.
  ///
  /// Names are allocated entity by entity in numbering order, attributes before to-one relationships, each sorted
  /// by name; the order of columns goes by kind of value first (store-format.md 3).
  ///
  /// - Parameter owned: the relationships whose owners' keys lie in this table; see `ownedRelationships`.
  func tableColumns(ofRoot root: String, numbers: [String: Int], owned: [PropertyReference]) -> [ColumnLayout]
  {
    var builder = ColumnBuilder(hierarchy: self, numbers: numbers)
    for entity in descendantNames(includingSelf: root).compactMap(entity(named:)) {
      builder.addAttributes(of: entity)
      builder.addToOnes(of: entity)
    }
    builder.addOwners(of: owned)
    return builder.columns
  }

  /// The to-many relationships without inverse, by the root entity of the table that they lead into: its objects hold the
  /// key of the one that has the relationship. In numbering order, then by name.
  var ownedRelationships: [String: [PropertyReference]] {
    let owned = storedRelationships.filter { $1.isToMany && storedInverse(of: $1) == nil }
    return Dictionary(grouping: owned) { rootName(of: $1.destinationEntityName) }
      .mapValues { $0.map(\.reference) }
  }

  /// In numbering order of the declaring entities, then by name.
  package var storedRelationships: [(reference: PropertyReference, relationship: RelationshipDescription)] {
    namesInNumberingOrder.compactMap(entity(named:)).flatMap { entity in
      entity.relationships.filter { !$0.isTransient }.sorted { $0.name.precedesInCodePointOrder($1.name) }
        .map { (PropertyReference(entity: entity.name, property: $0.name), $0) }
    }
  }
}

private struct ColumnBuilder {
  let hierarchy: EntityHierarchy
  let numbers: [String: Int]
  var names: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
  var byGroup: [AttributeTraits.ColumnGroup: [ColumnLayout]] = [:]
  var orders: [ColumnLayout] = []
  var owners: [ColumnLayout] = []

  var columns: [ColumnLayout] {
    let system = [
      ColumnLayout(name: "Z_PK", declaredType: "INTEGER", role: .primaryKey),
      ColumnLayout(name: "Z_ENT", declaredType: "INTEGER", role: .entityNumber),
      ColumnLayout(name: "Z_OPT", declaredType: "INTEGER", role: .optimisticLock),
    ]
    let integers = byGroup[.integer] ?? []
    let others = AttributeTraits.ColumnGroup.allCases.dropFirst().flatMap { byGroup[$0] ?? [] }
    return system + integers + orders + owners + others
  }

  mutating func addAttributes(of entity: EntityDescription) {
    for leaf in entity.attributes.storedLeaves(composites: hierarchy.model.composites) {
      // An element's column has the element's name alone.
      let name = uniqueName("Z" + leaf.attribute.name.uppercased(), &names, from: 1)
      let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
      byGroup[leaf.attribute.type.traits.columnGroup, default: []].append(
        ColumnLayout(
          name: name, declaredType: leaf.attribute.type.traits.columnType, role: .attribute(reference)))
    }
  }

  mutating func addToOnes(of entity: EntityDescription) {
    for relationship in entity.relationships.sorted(by: { $0.name.precedesInCodePointOrder($1.name) })
    where !relationship.isToMany && !relationship.isTransient {
      let name = uniqueName("Z" + relationship.name.uppercased(), &names, from: 1)
      let reference = PropertyReference(entity: entity.name, property: relationship.name)
      add(name, .toOne(reference))
      let destination = relationship.destinationEntityName
      if !hierarchy.subentityNames(of: destination).isEmpty, let number = numbers[destination] {
        add(uniqueName("Z\(number)_" + name.dropFirst(), &names, from: 1), .discriminator(reference))
      }
      if let inverse = hierarchy.storedInverse(of: relationship), inverse.isToMany, inverse.isOrdered {
        let order = uniqueName("Z_FOK_" + name.dropFirst(), &names, from: 1)
        orders.append(ColumnLayout(name: order, declaredType: "INTEGER", role: .order(reference)))
      }
    }
  }

  /// Columns for the to-many relationships without inverse that lead into this table.
  mutating func addOwners(of owned: [PropertyReference]) {
    for reference in owned {
      guard let number = numbers[reference.entity] else { continue }
      let name = uniqueName("Z\(number)" + reference.property.uppercased(), &names, from: 1)
      owners.append(ColumnLayout(name: name, declaredType: "INTEGER", role: .owner(reference)))
      if hierarchy.relationship(reference)?.isOrdered == true {
        let order = uniqueName("Z_FOK_" + name.dropFirst(), &names, from: 1)
        owners.append(ColumnLayout(name: order, declaredType: "INTEGER", role: .ownerOrder(reference)))
      }
    }
  }

  private mutating func add(_ name: String, _ role: ColumnRole) {
    byGroup[.integer, default: []].append(ColumnLayout(name: name, declaredType: "INTEGER", role: role))
  }
}

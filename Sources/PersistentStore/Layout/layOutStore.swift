package import ManagedModel

/// The schema that Core Data gives a new store of a model.
///
/// - Parameter frameworkVersion: `NSPersistenceFrameworkVersion` of the Core Data to imitate; it decides the
///   shape of indexes and uniqueness constraints.
package func layOutStore(for model: ManagedObjectModel, frameworkVersion: Int) -> StoreSchema {
  let hierarchy = EntityHierarchy(model)
  let names = hierarchy.namesInNumberingOrder
  let numbers = Dictionary(firstOf: zip(names, 1...max(1, names.count)))
  let entities = names.map { name in
    EntityLayout(
      name: name, number: numbers[name] ?? 0, superentityName: hierarchy.superentityName(of: name),
      rootEntityName: hierarchy.rootName(of: name), recordedName: name)
  }
  return layOutStore(
    entities: entities, hierarchy: hierarchy, features: FrameworkFeatures(version: frameworkVersion))
}

/// The same with entity numbers as given: those of an existing store need not follow the names.
package func layOutStore(
  entities: [EntityLayout], hierarchy: EntityHierarchy, features: FrameworkFeatures
) -> StoreSchema {
  let numbers = Dictionary(firstOf: entities.map { ($0.name, $0.number) })
  let owned = hierarchy.ownedRelationships
  var tableNames: Set = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
  let tables = hierarchy.rootNames.map { root in
    TableLayout(
      name: uniqueName("Z" + root.uppercased(), &tableNames, from: 1), rootEntityName: root,
      columns: hierarchy.tableColumns(ofRoot: root, numbers: numbers, owned: owned[root] ?? []))
  }
  var schema = StoreSchema(
    entities: entities, tables: tables, joinTables: joinTables(hierarchy: hierarchy, numbers: numbers))
  schema.addIndexes(hierarchy: hierarchy, features: features)
  if features.hasFetchIndexes { schema.triggers = schema.derivationTriggers(hierarchy: hierarchy) }
  return schema
}

package import ManagedModel

extension StoreSchema {
  /// Gives every table its indexes and inline constraints (store-format.md 6).
  package mutating func addIndexes(hierarchy: EntityHierarchy, features: FrameworkFeatures) {
    for position in tables.indices {
      let table = tables[position]
      let entities = hierarchy.descendantNames(includingSelf: table.rootEntityName).compactMap(
        hierarchy.entity(named:))
      var builder = IndexBuilder(table: table, schema: self, hierarchy: hierarchy)
      if features.hasFetchIndexes {
        builder.addReferenceIndexes()
        for entity in entities { builder.addFetchIndexes(of: entity) }
      } else {
        for entity in entities { builder.addAttributeIndexes(of: entity) }
        builder.addReferenceIndexes()
        for entity in entities { builder.addCompoundIndexes(of: entity) }
      }
      tables[position].indexes = builder.indexes
      tables[position].inlineConstraints = builder.constraints
      tables[position].unmadeIndexes = builder.unmade
    }
    guard features.indexesJoinTables else { return }
    joinTables.editEach { table in
      let columns = [table.far.column, table.near.column]
      table.indexes = [plainIndex("\(table.name)_\(columns[0])_INDEX", on: table.name, columns: columns)]
    }
  }
}

private struct IndexBuilder {
  let table: TableLayout
  let schema: StoreSchema
  let hierarchy: EntityHierarchy
  private(set) var indexes: [IndexLayout] = []
  private(set) var unmade: [UnmadeIndex] = []
  private(set) var constraints: [InlineConstraint] = []

  /// Of references, and of the entity's number where a table holds several.
  mutating func addReferenceIndexes() {
    // That the column of a to-many without inverse is indexed like any other reference is our choice.
    for column in table.columns where column.role.holdsKeys {
      add(plainIndex("\(table.name)_\(column.name)_INDEX", on: table.name, columns: [column.name]))
    }
    guard !hierarchy.subentityNames(of: table.rootEntityName).isEmpty else { return }
    add(plainIndex("\(table.name)_Z_ENT_INDEX", on: table.name, columns: ["Z_ENT"]))
  }

  /// Frameworks up to 754: one index per indexed attribute.
  mutating func addAttributeIndexes(of entity: EntityDescription) {
    for attribute in indexedAttributes(of: entity) {
      guard let column = column(of: attribute, in: entity), !isToOne(attribute, in: entity) else { continue }
      add(plainIndex("\(table.name)_\(column)_INDEX", on: table.name, columns: [column]))
    }
  }

  /// Frameworks up to 754: compound indexes, and uniqueness as clauses of the table. They knew neither partial indexes nor
  /// those over expressions.
  mutating func addCompoundIndexes(of entity: EntityDescription) {
    let lists =
      entity.compoundIndexes
      + entity.fetchIndexes.filter(\.isPlain).map { $0.elements.map(\.property) }.filter { $0.count > 1 }
    for properties in lists {
      guard let columns = columns(of: properties, in: entity) else { continue }
      add(plainIndex("\(table.name)_" + columns.joined(separator: "_"), on: table.name, columns: columns))
    }
    for properties in entity.uniquenessConstraints {
      guard let columns = columns(of: properties, in: entity) else { continue }
      let constraint = InlineConstraint(name: columns.joined(separator: "_"), columnNames: columns)
      if !constraints.contains(constraint) { constraints.append(constraint) }
    }
    for index in entity.fetchIndexes where !index.isPlain {
      unmade.append(
        UnmadeIndex(
          name: "Z_\(entity.name)_\(index.name)", entity: entity.name, index: index.name,
          reason: "the framework that wrote the store does not create such indexes",
          isRTree: index.elements.contains { $0.collation == .rtree }))
    }
  }

  /// Frameworks from 755 on: named fetch indexes, and uniqueness as unique indexes.
  mutating func addFetchIndexes(of entity: EntityDescription) {
    for attribute in indexedAttributes(of: entity) {
      let element = FetchIndexElement(property: attribute)
      addFetchIndex(FetchIndexDescription(name: attribute, elements: [element]), of: entity)
    }
    for index in entity.fetchIndexes { addFetchIndex(index, of: entity) }
    // Compound indexes that no fetch index repeats: editors since Xcode 9 write both.
    let known = Set(entity.fetchIndexes.map { $0.elements.map(\.property) })
    var names = Set(entity.fetchIndexes.map(\.name))
    for properties in entity.compoundIndexes where !properties.isEmpty && !known.contains(properties) {
      let elements = properties.map { FetchIndexElement(property: $0) }
      let name = uniqueName("compoundIndex", &names, from: 1)
      addFetchIndex(FetchIndexDescription(name: name, elements: elements), of: entity)
    }
    for properties in entity.uniquenessConstraints {
      guard let columns = columns(of: properties, in: entity) else { continue }
      let name = "Z_\(entity.name)_UNIQUE_" + properties.joined(separator: "_")
      add(collatedIndex(name, on: table.name, columns: columns.map { ($0, true) }, isUnique: true))
    }
  }

  /// Attributes that count as indexed by themselves, sorted: those marked so, and those with an ascending fetch
  /// index of their own, which Xcode's compiler marks for the sake of older systems.
  private func indexedAttributes(of entity: EntityDescription) -> [String] {
    let single = entity.fetchIndexes.filter { $0.isPlain && !$0.isOfSwiftData }.compactMap { index in
      index.elements.count == 1 ? index.elements.first : nil
    }
    let own = single.filter(\.isAscending).map(\.property)
    return entity.attributes.filter { $0.isIndexed || own.contains($0.name) }.map(\.name).sorted {
      $0.precedesInCodePointOrder($1)
    }
  }

  private mutating func addFetchIndex(_ index: FetchIndexDescription, of entity: EntityDescription) {
    if !index.isPlain { return addComputedIndex(index, of: entity) }
    guard let names = columns(of: index.elements.map(\.property), in: entity) else { return }
    // A single to-one has the index of its reference already.
    if index.elements.count == 1, let only = index.elements.first, isToOne(only.property, in: entity) {
      return
    }
    let columns = zip(names, index.elements).map { ($0, $1.isAscending) }
    add(collatedIndex("Z_\(entity.name)_\(index.name)", on: table.name, columns: columns, isUnique: false))
  }

  /// Partial indexes and those over expressions, in SQLite's documented form (sqlite.org/partialindex.html,
  /// sqlite.org/expridx.html) under the names of the others; no genuine store shows Core Data's own text, so this is our
  /// reading of it. R-trees are left to Core Data: it fetches from tables of its own, whose form is not known.
  private mutating func addComputedIndex(_ index: FetchIndexDescription, of entity: EntityDescription) {
    let name = "Z_\(entity.name)_\(index.name)"
    let isRTree = index.elements.contains { $0.collation == .rtree }
    do throws(NotExpressibleInSQL) {
      if isRTree {
        throw NotExpressibleInSQL(
          "Core Data keeps an R-tree in tables of its own, and no genuine store shows their form")
      }
      let text = try index.computedText(of: entity.name, schema: schema, hierarchy: hierarchy)
      let table = self.table.name.quotedIdentifier
      let sql = "CREATE INDEX \(name.quotedIdentifier) ON \(table) \(text)"
      add(IndexLayout(name: name, sql: sql, columnNames: []))
    } catch {
      unmade.append(
        UnmadeIndex(
          name: name, entity: entity.name, index: index.name, reason: error.reason, isRTree: isRTree))
    }
  }

  private func columns(of properties: [String], in entity: EntityDescription) -> [String]? {
    let columns = properties.compactMap { column(of: $0, in: entity) }
    return columns.isEmpty || columns.count != properties.count ? nil : columns
  }

  /// Of `entity`, which every managed object has, the column is that of the entity's number, as in indexes of Apple's own
  /// stores.
  private func column(of property: String, in entity: EntityDescription) -> String? {
    guard let reference = hierarchy.reference(to: property, seenFrom: entity.name) else {
      return property == FetchIndexElement.entityKey ? "Z_ENT" : nil
    }
    return (table.column(for: .attribute(reference)) ?? table.column(for: .toOne(reference)))?.name
  }

  private func isToOne(_ property: String, in entity: EntityDescription) -> Bool {
    hierarchy.reference(to: property, seenFrom: entity.name).flatMap { table.column(for: .toOne($0)) } != nil
  }

  private mutating func add(_ index: IndexLayout) {
    if !indexes.contains(where: { $0.name == index.name }) { indexes.append(index) }
  }
}

private func plainIndex(_ name: String, on table: String, columns: [String]) -> IndexLayout {
  let list = columns.map(\.quotedIdentifier).joined(separator: ", ")
  return IndexLayout(
    name: name, sql: "CREATE INDEX \(name.quotedIdentifier) ON \(table.quotedIdentifier) (\(list))",
    columnNames: columns)
}

private func collatedIndex(
  _ name: String, on table: String, columns: [(name: String, isAscending: Bool)], isUnique: Bool
) -> IndexLayout {
  let list = columns.map { column in
    column.name.quotedIdentifier + " COLLATE BINARY " + (column.isAscending ? "ASC" : "DESC")
  }
  let create = isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
  return IndexLayout(
    name: name,
    sql: "\(create) \(name.quotedIdentifier) ON \(table.quotedIdentifier) ("
      + list.joined(separator: ", ") + ")",
    columnNames: columns.map(\.name))
}

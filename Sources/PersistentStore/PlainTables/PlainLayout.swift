package import ManagedModel

/// A store's objects as plain tables for other programs: one for each root entity with all below it, one for each
/// to-many relationship that no key tells, and a view for each sub-entity.
package struct PlainLayout: Sendable {
  /// Those of entities first.
  package var tables: [Table]
  package var views: [View]

  package struct Table: Sendable {
    package var name: String
    /// Nil for a table of links.
    package var rootEntity: String?
    package var columns: [Column]
    /// The store's tables and rows that it is read from, after `SELECT …`.
    var source: String
  }

  package struct Column: Sendable {
    package var name: String
    /// What is read from the store.
    var source: String
    var content: Content

    package var isEntity: Bool { if case .entity = content { true } else { false } }
    /// The name of the table that its keys are of; nil if they are no references.
    package var target: String? { if case .reference(let table) = content { table } else { nil } }
  }

  enum Content: Sendable {
    case key
    /// The name of the object's entity, by its number.
    case entity([Int64: String])
    case attribute(AttributeDescription)
    /// The key of an object of that table.
    case reference(String)
    /// The place in an ordered relationship, from 0.
    case position
  }

  /// The objects of a sub-entity, under the names that its properties have.
  package struct View: Sendable {
    package var name: String
    package var sql: String
  }

  package init(_ schema: StoreSchema, _ model: ManagedObjectModel) {
    var builder = PlainLayoutBuilder(schema: schema, hierarchy: EntityHierarchy(model))
    builder.build()
    (tables, views) = (builder.tables, builder.views)
  }
}

/// Names that no two tables, columns or files share, on disks that ignore case too, and that mean nothing anywhere.
struct PlainNames {
  private var taken: Set<String> = []

  /// The name itself where it is free and made of letters, digits and underscores.
  mutating func take(_ wanted: String) -> String {
    let scalars = wanted.unicodeScalars.prefix(80).map { scalar -> Unicode.Scalar in
      scalar.properties.isXIDContinue || scalar == "_" ? scalar : "_"
    }
    var plain = String(String.UnicodeScalarView(scalars))
    // SQLite keeps names that begin so for itself.
    if plain.isEmpty || plain.lowercased().hasPrefix("sqlite_") { plain = "_" + plain }
    var (name, number) = (plain, 1)
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(plain)_\(number)"
    }
    return name
  }
}

private struct PlainLayoutBuilder {
  let schema: StoreSchema
  let hierarchy: EntityHierarchy
  var tables: [PlainLayout.Table] = []
  var views: [PlainLayout.View] = []
  var names = PlainNames()
  /// By root entity.
  var tableNames: [String: String] = [:]
  /// The columns that hold a property, by the entity that declares it.
  var places: [PropertyReference: String] = [:]

  mutating func build() {
    let roots = hierarchy.rootNames.filter { schema.table(ofEntity: $0) != nil }
    for root in roots { tableNames[root] = names.take(root) }
    for root in roots { addTable(of: root) }
    for name in hierarchy.namesInNumberingOrder where hierarchy.superentityName(of: name) != nil {
      addView(of: name)
    }
    for root in roots { for name in hierarchy.descendantNames(includingSelf: root) { addLinks(of: name) } }
  }

  private func tableName(ofEntity name: String) -> String { tableNames[hierarchy.rootName(of: name)] ?? "" }

  private mutating func addTable(of root: String) {
    guard let layout = schema.table(ofEntity: root), let name = tableNames[root] else { return }
    let kinds = hierarchy.descendantNames(includingSelf: root).compactMap(hierarchy.entity(named:))
    let numbers = kinds.filter { !$0.isAbstract }.compactMap { schema.entity(named: $0.name)?.number }
    var own = PlainNames()
    let isTaken = kinds.contains { $0.attributes.contains { $0.name.lowercased() == keyName } }
    // An attribute of that name, which is often a UUID, keeps it.
    var columns = [
      PlainLayout.Column(name: own.take(isTaken ? "pk" : keyName), source: "Z_PK", content: .key)
    ]
    if kinds.count > 1 {
      columns.append(.init(name: own.take("entity"), source: "Z_ENT", content: .entity(schema.namesByNumber)))
    }
    func add(_ role: ColumnRole, as wanted: String, _ content: PlainLayout.Content) {
      guard let reference = role.property, let column = layout.column(for: role) else { return }
      let name = own.take(wanted)
      places[reference] = name
      columns.append(.init(name: name, source: column.name.quotedIdentifier, content: content))
    }
    for entity in kinds {
      for leaf in entity.attributes.storedLeaves(composites: hierarchy.model.composites) {
        let reference = PropertyReference(entity: entity.name, property: leaf.keyPath)
        add(.attribute(reference), as: leaf.path.joined(separator: "_"), .attribute(leaf.attribute))
      }
      for toOne in entity.relationships where !toOne.isToMany && !toOne.isTransient {
        let reference = PropertyReference(entity: entity.name, property: toOne.name)
        let target = tableName(ofEntity: toOne.destinationEntityName)
        add(.toOne(reference), as: toOne.name + "_id", .reference(target))
      }
    }
    tables.append(
      .init(
        name: name, rootEntity: root, columns: columns,
        source: "FROM \(layout.name.quotedIdentifier) WHERE Z_ENT IN (\(numbers.sqlList)) ORDER BY Z_PK"))
  }

  private mutating func addView(of name: String) {
    guard let table = tables.first(where: { $0.name == tableName(ofEntity: name) }),
      let key = table.columns.first
    else { return }
    let kinds = hierarchy.descendantNames(includingSelf: name)
    var own = PlainNames()
    var columns = ["\(key.name.sqlIdentifier) AS \(own.take(key.name).sqlIdentifier)"]
    if kinds.count > 1 {
      columns.append("\(table.columns[1].name.sqlIdentifier) AS \(own.take("entity").sqlIdentifier)")
    }
    for entity in hierarchy.lineage(of: name) {
      let leaves = entity.attributes.storedLeaves(composites: hierarchy.model.composites)
      let toOnes = entity.relationships.filter { !$0.isToMany }.map { ($0.name, $0.name + "_id") }
      for (property, shown) in leaves.map({ ($0.keyPath, $0.path.joined(separator: "_")) }) + toOnes {
        guard let place = places[PropertyReference(entity: entity.name, property: property)] else { continue }
        columns.append("\(place.sqlIdentifier) AS \(own.take(shown).sqlIdentifier)")
      }
    }
    let list = kinds.map(\.sqlText).joined(separator: ", ")
    views.append(
      .init(
        name: names.take(name),
        sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.sqlIdentifier)"
          + " WHERE \(table.columns[1].name.sqlIdentifier) IN (\(list))"))
  }

  /// To-many relationships that no key of their members tells, or not in their order.
  private mutating func addLinks(of entityName: String) {
    guard let shape = EntityShape(entityName, schema: schema, hierarchy: hierarchy) else { return }
    for toMany in shape.toManys where toMany.reference.entity == entityName {
      switch toMany.storage {
      case .inverse where !toMany.isOrdered: continue
      case .join(let join):
        // One side tells the pairs; the other its order, where it has one.
        let isSource = schema.joinTable(of: toMany.reference)?.source == toMany.reference
        guard isSource || join.far.order != nil && !join.isOwnInverse else { continue }
      case .inverse, .owner: break
      }
      guard let query = membersQuery(of: toMany, in: schema, hierarchy: hierarchy, owner: nil) else {
        continue
      }
      let relationship = toMany.reference.property
      var own = PlainNames()
      var columns = [
        PlainLayout.Column(
          name: own.take(entityName + "_id"), source: "owner",
          content: .reference(tableName(ofEntity: entityName))),
        PlainLayout.Column(
          name: own.take(relationship + "_id"), source: "member",
          content: .reference(tableName(ofEntity: toMany.destinationEntityName))),
      ]
      if toMany.isOrdered {
        columns.append(
          .init(
            name: own.take("position"),
            source: "ROW_NUMBER() OVER (PARTITION BY owner ORDER BY place, member) - 1", content: .position))
      }
      tables.append(
        .init(
          name: names.take("\(entityName)_\(relationship)"), columns: columns,
          source: "FROM (WITH m(owner, member, number, place) AS (\(query)) SELECT * FROM m)"
            + " WHERE typeof(owner) = 'integer' AND typeof(member) = 'integer' ORDER BY owner, place, member",
        ))
    }
  }
}

/// What a key is called where no attribute is.
private let keyName = "id"

import ManagedModel
import PersistentStore

extension Passes {
  /// Attributes that get the large values of one attribute of the source, where these are several: `data` and `thumb` of
  /// `big`, or that of two entities into which one is split.
  var copiesOfLargeValues: [[(entity: EntityShape, property: String)]] {
    var copies: [[String]: [(entity: EntityShape, property: String)]] = [:]
    for work in work {
      guard let source = work.source, let entity = work.destination else { continue }
      for mapping in work.mapping.attributeMappings {
        guard let old = mapping.value.sourceName.flatMap(source.attribute),
          let new = entity.attribute(mapping.name)?.attribute, new.allowsExternalBinaryDataStorage
        else { continue }
        copies[[source.tableName, source.columnNames[old.slot]], default: []].append((entity, mapping.name))
      }
    }
    return copies.values.filter { $0.count > 1 }
  }

  /// Gives each large value a file of its own where several attributes have taken one: an app removes a file with the object
  /// that names it, and the value of the other object would be gone.
  func separateLargeValues() throws {
    for copies in copiesOfLargeValues {
      var taken: Set<String> = []
      var columns: Set<[String]> = []
      for (entity, property) in copies {
        guard let attribute = entity.attribute(property) else { continue }
        let name = entity.columnNames[attribute.slot]
        if columns.insert([entity.tableName, name]).inserted {
          try separate(name.quotedIdentifier, attribute.attribute, property, of: entity, &taken)
        }
      }
    }
  }

  private func separate(
    _ column: String, _ attribute: AttributeDescription, _ property: String, of entity: EntityShape,
    _ taken: inout Set<String>
  ) throws {
    let rows = manager.destinationContext.rows
    let table = entity.tableName.quotedIdentifier
    let cells = try RowReader(
      db, sql: "SELECT Z_PK, \(column) FROM \(table) WHERE \(column.isExternalReference) ORDER BY Z_PK")
    var shared: [(key: Int64, file: String)] = []
    while try cells.step() {
      guard let key = cells.integer(0), case .external(let file) = cells.cell(1).storedValue(of: attribute)
      else { continue }
      if !taken.insert(file).inserted { shared.append((key, file)) }
    }
    if shared.isEmpty { return }
    let update = try rows.writer("UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?", to: entity.tableName)
    for (key, file) in shared {
      let id = ManagedObject.ID(entityName: entity.name, primaryKey: key)
      guard let data = try rows.largeValues?.read(file),
        let cell = try storedCell(
          .binary(data), of: attribute, property: property, object: id, in: rows.largeValues)
      else { continue }
      try update.run(cells: [cell, .integer(key)])
    }
  }
}

package import ManagedModel

/// What a query finds in one place.
package enum QueryValue: Hashable, Sendable {
  case absent
  case value(AttributeValue)
  case object(ManagedObject.ID)
  /// Data in a file beside the store, by the file's name.
  case external(String)
  /// What a cell holds that is not a value of its attribute.
  case unreadable(String)

  /// A cell as the type of its attribute has it.
  package init(_ cell: StoredCell, of attribute: AttributeDescription) {
    switch cell.storedValue(of: attribute) {
    case .absent: self = .absent
    case .value(.binary(let data)) where attribute.type == .transformable:
      self = .value(data.plainValueText.map { .string($0) } ?? .binary(data))
    case .value(let value): self = .value(value)
    case .external(let file): self = .external(file)
    case .unreadable, .outOfBounds: self = .unreadable(cell.printed)
    }
  }

  fileprivate init(computed cell: StoredCell) {
    switch cell {
    case .null: self = .absent
    case .integer(let number): self = .value(.integer(number))
    case .real(let number): self = .value(.double(number))
    case .text(let text): self = .value(.string(text))
    case .blob(let data): self = .value(.binary(data))
    }
  }
}

extension StoreDatabase {
  /// Hands the rows of a query to the body, one after the other.
  package func readRows(_ query: CompiledQuery, schema: StoreSchema, _ body: ([QueryValue]) throws -> Void)
    throws
  {
    registerFetchFunctions()
    let rows = try RowReader(self, sql: query.sql)
    let names = schema.namesByNumber
    while try rows.step() {
      // The guard of the store's statements does not measure what becomes of the row.
      takeTime(counts: true)
      defer { takeTime(counts: false) }
      var place = 0
      try body(
        query.columns.map { column in
          let cell = rows.cell(place)
          place += 1
          switch column.content {
          case .attribute(let attribute): return QueryValue(cell, of: attribute)
          case .computed: return QueryValue(computed: cell)
          case .object(let entity):
            defer { place += 1 }
            guard case .integer(let key) = cell else {
              return cell == .null ? .absent : QueryValue(computed: cell)
            }
            let name = rows.integer(place).flatMap { names[$0] } ?? entity
            return .object(ManagedObject.ID(entityName: name, primaryKey: key))
          }
        })
    }
  }
}

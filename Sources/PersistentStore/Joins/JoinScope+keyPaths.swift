package import ManagedModel

package struct SQLValue: CompiledValue {
  package var sql: String
  /// The attribute's type, where it is an attribute's value.
  package var type: AttributeType?
  var isObject = false
  /// The entity of the object, or of those that it may be.
  var entity: String?
  var usesExternalStorage = false

  static let rowCount = SQLValue(sql: "COUNT(*)", type: .integer64)
}

enum PathTarget<Value> {
  case value(Value)
  case collection(ToManyPath)
}

/// A to-many relationship that a key path meets, and the keys that follow it.
struct ToManyPath {
  var owner: JoinScope.Row
  var relationship: RelationshipDescription
  var rest: ArraySlice<String>
}

extension JoinScope {
  /// Follows keys from an object, joining the rows of to-one relationships on the way.
  mutating func follow(
    _ keys: ArraySlice<String>, from start: Row
  ) throws(NotExpressibleInSQL) -> PathTarget<SQLValue> {
    if let value = start.value { return .value(try part(of: value, keys)) }
    var row = start
    var rest = keys
    while let key = rest.popFirst() {
      if let value = try attribute(key, &rest, of: row) { return .value(value) }
      if key == "self" || key == "objectID" {
        if rest.isEmpty { break }
        continue
      }
      guard let relationship = hierarchy.relationship(named: key, of: row.entity) else {
        throw NotExpressibleInSQL("'\(row.entity)' has no stored '\(key)'")
      }
      if relationship.isToMany {
        return .collection(ToManyPath(owner: row, relationship: relationship, rest: rest))
      }
      let column = try column(of: key, ColumnRole.toOne, in: row).name
      let reference = "\(row.prefix)\(column.quotedIdentifier)"
      if rest.isEmpty || rest == ["self"] || rest == ["objectID"] {
        return .value(SQLValue(sql: reference, isObject: true, entity: relationship.destinationEntityName))
      }
      row = try joined(reference, to: relationship.destinationEntityName, from: row)
    }
    return .value(SQLValue(sql: "\(row.prefix)Z_PK", isObject: true, entity: row.entity))
  }

  /// What key-value coding reaches of a plain value: itself, and a text's length.
  private func part(of value: SQLValue, _ keys: ArraySlice<String>) throws(NotExpressibleInSQL) -> SQLValue {
    switch keys.last {
    case nil: return value
    case "self"? where keys.count == 1: return value
    case "length"? where keys.count == 1 && value.type == .string:
      return SQLValue(sql: "modelc_utf16_length(CAST(\(value.sql) AS BLOB))", type: .integer64)
    default: throw NotExpressibleInSQL("a value has no key '\(keys.joined(separator: "."))'")
    }
  }

  /// The value of an attribute, or of an element of a composite, which takes further keys.
  private mutating func attribute(
    _ key: String, _ rest: inout ArraySlice<String>, of row: Row
  ) throws(NotExpressibleInSQL) -> SQLValue? {
    guard let attribute = hierarchy.attribute(named: key, of: row.entity) else { return nil }
    guard attribute.type == .composite else {
      if !rest.isEmpty {
        throw NotExpressibleInSQL("'\(key)' is a value and has no key '\(rest.joined(separator: "."))'")
      }
      return SQLValue(
        sql: try read(key, as: attribute, in: row), type: attribute.type,
        usesExternalStorage: attribute.allowsExternalBinaryDataStorage)
    }
    let path = ([key] + rest).joined(separator: ".")
    let leaf = [attribute].storedLeaves(composites: hierarchy.model.composites).first { $0.keyPath == path }
    guard let leaf else { throw NotExpressibleInSQL("the composite '\(path)' is not a single value") }
    rest = []
    return SQLValue(sql: try read(path, as: leaf.attribute, in: row), type: leaf.attribute.type)
  }

  private mutating func read(
    _ path: String, as attribute: AttributeDescription, in row: Row
  ) throws(NotExpressibleInSQL) -> String {
    let column = try column(of: path, ColumnRole.attribute, in: row)
    columnsRead.insert(
      ColumnRead(
        table: column.table, column: column.name, type: attribute.type,
        usesExternalStorage: attribute.allowsExternalBinaryDataStorage))
    return "\(row.prefix)\(column.name.quotedIdentifier)"
  }

  private func column(
    of path: String, _ role: (PropertyReference) -> ColumnRole, in row: Row
  ) throws(NotExpressibleInSQL) -> (table: String, name: String) {
    let reference =
      hierarchy.reference(to: path, seenFrom: row.entity)
      ?? PropertyReference(entity: row.entity, property: path)
    guard let table = schema.table(ofEntity: row.entity), let column = table.column(for: role(reference))
    else { throw NotExpressibleInSQL("'\(reference.entity).\(path)' has no column in this store") }
    return (table.name, column.name)
  }

  /// Begins a subquery over the objects of a to-many.
  ///
  /// - Returns: the row of an object, and the condition that it is one of the owner's.
  mutating func elements(of path: ToManyPath) throws(NotExpressibleInSQL) -> (row: Row, condition: String) {
    let relationship = path.relationship
    let destination = relationship.destinationEntityName
    guard let reference = hierarchy.reference(to: relationship.name, seenFrom: path.owner.entity),
      let table = schema.table(ofEntity: destination),
      let keys = schema.ownerKeys(of: relationship.name, seenFrom: path.owner.entity, hierarchy: hierarchy)
    else {
      throw NotExpressibleInSQL("'\(path.owner.entity).\(relationship.name)' has no columns in this store")
    }
    let alias = newAlias()
    var (rows, holder) = ("\(qualified(table.name)) \(alias)", alias)
    if let join = schema.joinTable(seenFrom: reference) {
      holder = newAlias()
      rows =
        "\(qualified(join.name)) \(holder) JOIN \(rows) "
        + "ON \(alias).Z_PK = \(holder).\(join.far.column.quotedIdentifier)"
    }
    let row = openLevel(rows, alias: alias, entity: destination, inside: path.owner)
    return (row, "\(holder).\(keys.column.quotedIdentifier) = \(path.owner.alias).Z_PK")
  }

  /// What the keys of a path begin at.
  func row(of base: Expression?, from row: Row) throws(NotExpressibleInSQL) -> Row {
    switch base {
    case nil, .evaluatedObject: return row
    case .variable(let name):
      guard var bound = row.variables[name] else {
        throw NotExpressibleInSQL("'$\(name)' is an object of the caller; its values are not known")
      }
      bound.variables = row.variables
      return bound
    default: throw NotExpressibleInSQL("a path cannot begin at '\(base?.description ?? "")'")
    }
  }
}

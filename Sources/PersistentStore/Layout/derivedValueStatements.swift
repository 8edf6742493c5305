package import ManagedModel

extension StoreSchema {
  /// Statements that compute derived attributes anew, one per attribute, for writers that run without triggers.
  ///
  /// All forms but `now()` are computed: what Core Data writes there is the time of its own next save. Texts are folded by
  /// `registerFetchFunctions()`.
  package func derivedValueStatements(for model: ManagedObjectModel) -> [String] {
    derivedColumns(hierarchy: EntityHierarchy(model)).map(\.statement)
  }

  package func derivedColumns(hierarchy: EntityHierarchy) -> [DerivedColumn] {
    var columns: [DerivedColumn] = []
    for entity in entities.compactMap({ hierarchy.entity(named: $0.name) }) {
      for attribute in entity.attributes.sorted(by: { $0.name.precedesInCodePointOrder($1.name) }) {
        let reference = PropertyReference(entity: entity.name, property: attribute.name)
        guard !attribute.isTransient, let derivation = attribute.derivationExpression,
          let form = DerivationForm(derivation), let table = self.table(ofEntity: entity.name),
          let column = table.column(for: .attribute(reference)),
          let origin = DerivationSQL(schema: self, hierarchy: hierarchy).value(
            form, of: attribute, entity: entity.name)
        else { continue }
        let kinds = Set(hierarchy.descendantNames(includingSelf: entity.name))
        let numbers = entities.filter { kinds.contains($0.name) }.map(\.number)
        let value = form.isFolded ? "modelc_fold('\(form.function ?? "")', \(origin))" : origin
        columns.append(
          DerivedColumn(
            reference: reference, derivation: derivation, form: form, table: table.name.quotedIdentifier,
            column: column.name.quotedIdentifier, value: value, origin: origin,
            isOfEntity: "Z_ENT IN (\(numbers.sqlList))"))
      }
    }
    return columns
  }
}

/// How a derived attribute comes about: `name`, `author.name`, `canonical:(name)`, `pages.@count`, `items.@sum.price`;
/// counts and sums are also printed as functions.
package struct DerivationForm {
  /// `canonical`, `uppercase`, `lowercase`, `@count`, `@sum`; nil for a copy.
  package let function: String?
  /// From the entity to the attribute; of a count, to the relationship.
  package let keys: [String]

  /// Nil for `now()`, and for what no SQL store derives.
  package init?(_ derivation: String) {
    let text = derivation.filter { !$0.isWhitespace }
    if let match = text.wholeMatch(of: #/(canonical|uppercase|lowercase|count|sum):\(([\w.]+)\)/#) {
      let name = String(match.1)
      function = ["count", "sum"].contains(name) ? "@" + name : name
      keys = match.2.split(separator: ".").map(String.init)
    } else if text.wholeMatch(of: #/[\w.@]+/#) != nil {
      let words = text.split(separator: ".").map(String.init)
      keys = words.filter { $0.first != "@" }
      function = words.first { $0.first == "@" }
      if words.count > keys.count + 1 { return nil }
    } else {
      return nil
    }
    if keys.isEmpty { return nil }
  }

  /// Whether the value is a text in another writing.
  package var isFolded: Bool { function.map { !$0.hasPrefix("@") } ?? false }
}

/// The column of a derived attribute that the store's own rows tell.
package struct DerivedColumn {
  package var reference: PropertyReference
  package var derivation: String
  package var form: DerivationForm
  /// Quoted, as the column.
  package var table: String
  package var column: String
  /// Over the row of the table: the value, and that from which it is folded.
  package var value: String
  package var origin: String
  /// That a row has the attribute.
  package var isOfEntity: String

  /// Computes the values of all rows.
  package var statement: String { "UPDATE \(table) SET \(column) = (\(value)) WHERE \(isOfEntity)" }
}

/// Scalar SQL over the row of an entity's table.
private struct DerivationSQL {
  let schema: StoreSchema
  let hierarchy: EntityHierarchy

  func value(_ form: DerivationForm, of attribute: AttributeDescription, entity: String) -> String? {
    guard let own = schema.table(ofEntity: entity).map({ $0.name.quotedIdentifier }) else { return nil }
    switch form.function {
    case "@count": return count(form.keys, of: entity, own: own)
    case "@sum": return sum(form.keys, of: entity, own: own)
    default: return copy(form.keys, as: attribute.type, of: entity, own: own)
    }
  }

  private func count(_ keys: [String], of entity: String, own: String) -> String? {
    guard keys.count == 1, let keys = schema.ownerKeys(of: keys[0], seenFrom: entity, hierarchy: hierarchy)
    else { return nil }
    return "SELECT COUNT(*) FROM \(keys.table.quotedIdentifier) AS d"
      + " WHERE d.\(keys.column.quotedIdentifier) = \(own).Z_PK"
  }

  private func sum(_ path: [String], of entity: String, own: String) -> String? {
    guard path.count == 2, let keys = schema.ownerKeys(of: path[0], seenFrom: entity, hierarchy: hierarchy),
      let destination = hierarchy.relationship(named: path[0], of: entity)?.destinationEntityName,
      let column = attributeColumn(path[1], of: destination),
      let table = schema.table(ofEntity: destination)
    else { return nil }
    let value = "d.\(column.quotedIdentifier)"
    let key = keys.column.quotedIdentifier
    guard keys.table != table.name else {
      return
        "SELECT IFNULL(SUM(\(value)), 0) FROM \(table.name.quotedIdentifier) AS d WHERE d.\(key) = \(own).Z_PK"
    }
    guard let join = schema.joinTables.first(where: { $0.name == keys.table }) else { return nil }
    let far = keys.column == join.near.column ? join.far.column : join.near.column
    return "SELECT IFNULL(SUM(\(value)), 0) FROM \(join.name.quotedIdentifier) AS j"
      + " JOIN \(table.name.quotedIdentifier) AS d ON d.Z_PK = j.\(far.quotedIdentifier)"
      + " WHERE j.\(key) = \(own).Z_PK"
  }

  /// Along to-one relationships.
  private func copy(
    _ keys: [String], as type: AttributeType, of entity: String, own: String, depth: Int = 0
  ) -> String? {
    guard keys.count > 1 else {
      guard let column = attributeColumn(keys[0], of: entity),
        let source = hierarchy.attribute(named: keys[0], of: entity)
      else { return nil }
      let value = "\(own).\(column.quotedIdentifier)"
      return source.type == type ? value : value.convertedSQL(from: source.type, to: type)
    }
    let alias = depth == 0 ? "d" : "d\(depth)"
    guard depth < 8, let relationship = hierarchy.relationship(named: keys[0], of: entity),
      !relationship.isToMany, let reference = hierarchy.reference(to: keys[0], seenFrom: entity),
      let key = schema.table(ofEntity: entity)?.column(for: .toOne(reference)),
      let table = schema.table(ofEntity: relationship.destinationEntityName),
      let value = copy(
        Array(keys.dropFirst()), as: type, of: relationship.destinationEntityName, own: alias,
        depth: depth + 1)
    else { return nil }
    return "(SELECT \(value) FROM \(table.name.quotedIdentifier) AS \(alias)"
      + " WHERE \(alias).Z_PK = \(own).\(key.name.quotedIdentifier))"
  }

  private func attributeColumn(_ property: String, of entity: String) -> String? {
    hierarchy.reference(to: property, seenFrom: entity).flatMap {
      schema.table(ofEntity: entity)?.column(for: .attribute($0))?.name
    }
  }
}

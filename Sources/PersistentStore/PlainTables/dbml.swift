import ManagedModel

extension PlainLayout {
  /// The tables in the language of dbdiagram.io and its kin.
  package var dbml: String {
    let blocks = tables.map { table in
      // An attribute of a sub-entity is empty for all others.
      let hasKinds = table.columns.contains(where: \.isEntity)
      let columns = table.columns.map { column in
        "  \(dbmlName(column.name)) \(column.dbmlType(isAlwaysThere: !hasKinds))"
      }
      return (["Table \(dbmlName(table.name)) {"] + columns + ["}", ""]).joined(separator: "\n")
    }
    let references = tables.flatMap { table in
      table.columns.compactMap { column -> String? in
        guard case .reference(let target) = column.content,
          let key = tables.first(where: { $0.name == target })?.columns.first
        else { return nil }
        return
          "Ref: \(dbmlName(table.name)).\(dbmlName(column.name)) > \(dbmlName(target)).\(dbmlName(key.name))"
      }
    }
    return (blocks + references).joined(separator: "\n")
  }
}

extension PlainLayout.Column {
  /// A column's type, with what else is said of it.
  fileprivate func dbmlType(isAlwaysThere: Bool) -> String {
    switch content {
    case .key: "integer [pk]"
    case .reference, .position: "integer"
    case .entity: "text"
    case .attribute(let attribute):
      attribute.type.name + (!attribute.isOptional && isAlwaysThere ? " [not null]" : "")
    }
  }
}

/// Names of tables and columns are letters, digits and underscores already.
private func dbmlName(_ name: String) -> String { "\"\(name)\"" }

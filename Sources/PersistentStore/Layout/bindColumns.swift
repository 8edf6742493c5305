package import ManagedModel

extension PhysicalSchema.Table {
  /// Matches a table's real columns with the expected ones: first by name, then by what a name can have become when
  /// an in-place migration gave entities new numbers or a collision another suffix.
  func columns(to expected: TableLayout) -> (columns: [ColumnLayout], diagnostics: [Diagnostic]) {
    var roles: [Int: ColumnLayout] = [:]
    var (open, free) = (expected.columns, Array(self.columns.indices))
    func claim(_ matches: (_ self: String, _ expected: ColumnLayout) -> Bool) {
      open.removeAll { column in
        // Most stand in the order that is expected, and are found at once.
        let place = free.firstIndex { matches(self.columns[$0].name, column) }
        if let place { roles[free.remove(at: place)] = column }
        return place != nil
      }
    }
    claim { $0.caseInsensitivelyEquals($1.name) }
    claim { $1.role.isNumbered && $0.withoutNumber == $1.name.withoutNumber }
    claim { isName($0, of: $1.role) }
    // Old frameworks made two columns for one relationship (`ZOWNER`, `ZOWNER1`) and used the second.
    for (index, column) in roles where column.role.isReference {
      let second = self.columns.indices.last {
        roles[$0] == nil && $0 > index && self.columns[$0].isDoubleInUse
          && isName(self.columns[$0].name, of: column.role)
      }
      if let second { (roles[second], roles[index]) = (column, nil) }
    }

    var diagnostics = open.map { column -> Diagnostic in
      let property = column.role.property
      let purpose = property.map { " for '\($0.path)'" } ?? ""
      return .missing(
        "table '\(self.name)' has no column '\(column.name)'\(purpose)", property?.entity, property?.property)
    }
    var columns: [ColumnLayout] = []
    for (index, column) in self.columns.enumerated() {
      let known = roles[index]
      if let known, !known.declaredType.caseInsensitivelyEquals(column.declaredType) {
        let property = known.role.property
        diagnostics.append(
          .schemaDiffers, .warning,
          "column '\(self.name).\(column.name)' is declared '\(column.declaredType)', not '\(known.declaredType)'",
          subject: ModelSubject(entity: property?.entity, property: property?.property, key: "type"),
          notes: ["SQLite accepts any value in any column: stored values stay readable"])
      }
      columns.append(
        ColumnLayout(
          name: column.name, declaredType: column.declaredType, role: known?.role ?? .unknown))
    }
    let bound = TableLayout(name: self.name, rootEntityName: expected.rootEntityName, columns: columns)
    let doubles = bound.columnsNotRead
    diagnostics += doubles.filter(\.read.role.holdsKeys).map {
      .columnTwice($0.name, read: $0.read.name, $0.read.role.property, table: self.name)
    }
    let unknown = bound.unknownColumns.map(\.name).filter { name in !doubles.contains { $0.name == name } }
    if !unknown.isEmpty { diagnostics.append(.columnsUnknown(unknown, table: self.name)) }
    return (columns, diagnostics)
  }
}

/// Whether Core Data could have given the name to a column of this role, whatever the entity's number and
/// whatever suffix a collision brought.
private func isName(_ name: String, of role: ColumnRole) -> Bool {
  guard let property = role.property else { return false }
  var rest = Substring(name.uppercased())
  switch role {
  case .attribute, .toOne: rest = rest.trimmingPrefix("Z")
  case .discriminator: rest = rest.trimmingPrefix(#/Z\d+_/#)
  case .order: rest = rest.trimmingPrefix("Z_FOK_")
  case .owner: rest = rest.trimmingPrefix(#/Z\d+/#)
  case .ownerOrder: rest = rest.trimmingPrefix(#/Z_FOK_\d+/#)
  case .primaryKey, .entityNumber, .optimisticLock, .unknown: return false
  }
  let stem = (keys(of: property.property).last ?? "").uppercased()
  return rest.hasPrefix(stem) && rest.dropFirst(stem.count).allSatisfy(\.isWholeNumber)
}

extension ColumnRole {
  /// Whether the column's name holds an entity number.
  fileprivate var isNumbered: Bool {
    switch self {
    case .discriminator, .owner, .ownerOrder: true
    default: false
    }
  }

  fileprivate var isReference: Bool { if case .toOne? = key { placedBy == nil } else { false } }
}

extension TableLayout {
  /// Columns of a relationship of which Core Data reads another one, which has the name and a number.
  package var columnsNotRead: [(name: String, read: ColumnLayout)] {
    unknownColumns.compactMap { column in
      let name = column.name.uppercased()
      return columns.first {
        $0.role.isReference && $0.name.uppercased().hasPrefix(name) && isName(column.name, of: $0.role)
      }.map { (column.name, $0) }
    }
  }
}

extension Diagnostic.Code { package static let columnTwice = Self("MC6118") }

extension Diagnostic {
  fileprivate static func columnTwice(
    _ name: String, read: String, _ property: PropertyReference?, table: String
  ) -> Diagnostic {
    Diagnostic(
      .columnTwice, .warning,
      "'\(property?.entity ?? "").\(property?.property ?? "")' has two columns in '\(table)': '\(name)' and '\(read)', which Core Data reads",
      subject: ModelSubject(entity: property?.entity, property: property?.property),
      notes: ["no object shows the values of '\(name)'; an old framework created both columns"])
  }

  fileprivate static func columnsUnknown(_ names: [String], table: String) -> Diagnostic {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return Diagnostic(
      .unknownSchemaObjects, .warning,
      "table '\(table)' has \(names.count == 1 ? "a column" : "columns") that the model does not know: \(list)",
      notes: [
        "no property shows their values; a migration keeps them, or counts those that it drops (MC3111)",
        "if a version adds a property with such a column, Core Data's own migration fails: duplicate column name",
      ])
  }
}

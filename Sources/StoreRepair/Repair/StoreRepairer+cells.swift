import Foundation
import GRDB
import ManagedModel
import PersistentStore

extension StoreRepairer {
  /// Cells of another type: converted where the value is the same afterwards; a text keeps what can be read of it; else the
  /// default, nothing, or, for a required value without default, the end of the object.
  func repairCells() throws {
    db.add(
      function: DatabaseFunction("modelc_readable_text", argumentCount: 1, pure: true) { values in
        Data.fromDatabaseValue(values[0]).map { Data(String(decoding: $0, as: UTF8.self).utf8) }
      })
    db.add(
      function: DatabaseFunction("modelc_uuid_bytes", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).flatMap { UUID(uuidString: $0)?.bytes }
      })
    db.add(
      function: DatabaseFunction("modelc_zoned_date", argumentCount: 1, pure: true) { values in
        // Without a zone it may be any of 26 hours.
        guard let text = String.fromDatabaseValue(values[0]), text.contains(#/(Z|[+-]\d\d:?\d\d)$/#),
          case .date(let seconds)? = AttributeValue(parsing: text, as: .date)
        else { return nil }
        return seconds
      })
    for table in store.schema.tables {
      for column in table.columns {
        guard case .attribute(let reference) = column.role, let leaf = store.leaves[reference] else {
          continue
        }
        try repair(Cell(table: table, column: column, reference: reference, leaf: leaf))
      }
    }
  }

  private struct Cell {
    var table: TableLayout
    var column: ColumnLayout
    var reference: PropertyReference
    var leaf: StoredLeaf

    var value: String { "t.\(column.name.quotedIdentifier)" }
    var isRequired: Bool { !leaf.isOptional && !leaf.attribute.isDerived }
    var usesExternalStorage: Bool { leaf.attribute.allowsExternalBinaryDataStorage }

    /// Whether the column keeps what is written into it. One of another affinity makes it another kind of value again:
    /// what was converted would still not fit, and the object would be taken for lost.
    var keepsWhatIsWritten: Bool {
      let declared = column.declaredType.uppercased()
      func says(_ words: [String]) -> Bool { words.contains { declared.contains($0) } }
      // SQLite's rules, in SQLite's order.
      let isWhole = says(["INT"])
      let isText = !isWhole && says(["CHAR", "CLOB", "TEXT"])
      let isBytes = !isWhole && !isText && (declared.isEmpty || says(["BLOB"]))
      let isReal = !isWhole && !isText && !isBytes && says(["REAL", "FLOA", "DOUB"])
      let type = leaf.attribute.type
      if type.isInteger || type == .boolean { return !isText && !isReal }
      if type.isText { return isText || isBytes }
      return ![.double, .float, .decimal, .date].contains(type) || !isText
    }

    func misfit(_ value: String) -> String {
      PersistentStore.misfit(
        value, leaf.attribute.type, usesExternalStorage: usesExternalStorage,
        declaredType: column.declaredType)
    }

    /// The default, in SQL.
    var fallback: String? {
      let sql = leaf.attribute.heldDefaultValue?.sql(usesExternalStorage: usesExternalStorage)
      return sql == "NULL" ? nil : sql
    }

    func set(_ value: String, where condition: String) -> String {
      "UPDATE OR IGNORE \(table.name.quotedIdentifier) AS t SET \(column.name.quotedIdentifier) = \(value) "
        + "WHERE \(condition)"
    }
  }

  private func repair(_ cell: Cell) throws {
    let (reference, value) = (cell.reference, cell.value)
    let name = "'\(reference.path)'"
    let misfit = store.among(reference.entity, "\(value) IS NOT NULL AND (\(cell.misfit(value)))")
    if cell.keepsWhatIsWritten, try hasRows(in: cell.table, where: misfit) {
      let type = cell.leaf.attribute.type.name
      for conversion in conversions(of: value, to: cell.leaf.attribute.type, cell.usesExternalStorage) {
        try change(
          .cellType, of: reference,
          cell.set(
            conversion.sql,
            where: "\(misfit) AND \(conversion.condition) AND NOT (\(cell.misfit(conversion.sql)))")
        ) {
          "\($0) \(verb($0, "value", "values")) of \(name) \(verb($0, "becomes", "become")) \(type), unchanged"
        }
      }
      if cell.leaf.attribute.type.isText {
        // The bytes of a required value come before no value, and before no object.
        let isSaved = cell.isRequired && cell.fallback == nil ? "1" : "typeof(\(value)) = 'text'"
        let text = "CAST(modelc_readable_text(CAST(\(value) AS BLOB)) AS TEXT)"
        try change(.cellType, of: reference, isLoss: true, cell.set(text, where: "\(misfit) AND \(isSaved)"))
        {
          "\($0) \(verb($0, "value", "values")) of \(name) \(verb($0, "gets", "get")) U+FFFD for bytes that are not UTF-8"
        }
      }
      if let other = cell.isRequired ? cell.fallback : "NULL" {
        try change(.cellType, of: reference, isLoss: true, cell.set(other, where: misfit)) {
          "\($0) \(verb($0, "value", "values")) of \(name) \(verb($0, "is", "are")) not of type \(type)"
            + (cell.isRequired
              ? "; the default is used instead" : " and \(verb($0, "is dropped", "are dropped"))")
        }
      }
      try drop(.cellType, of: reference, in: cell.table, where: misfit) {
        "\(objects($0, of: reference.entity)) \(verb($0, "is dropped", "are dropped")): the required \(name) is not a valid \(type)"
      }
    }
    guard cell.isRequired, let fallback = cell.fallback else { return }
    let missing = store.among(reference.entity, "\(value) IS NULL")
    try change(.requiredValue, of: reference, cell.set(fallback, where: missing)) {
      "\(objects($0, of: reference.entity)) \(verb($0, "gets", "get")) the default of the required \(name)"
    }
  }

  /// Ways to say the same value in the attribute's own type.
  private func conversions(
    of value: String, to type: AttributeType, _ usesExternalStorage: Bool
  ) -> [(sql: String, condition: String)] {
    let (whole, real) = ("CAST(\(value) AS INTEGER)", "CAST(\(value) AS REAL)")
    let isText = "typeof(\(value)) = 'text'"
    if type.isInteger || type == .boolean {
      return [
        (whole, "\(isText) AND trim(\(value)) = CAST(\(whole) AS TEXT)"),
        (whole, "typeof(\(value)) = 'real' AND \(value) = \(whole)"),
      ]
    }
    let isNumber = "\(isText) AND trim(\(value)) IN (CAST(\(real) AS TEXT), CAST(\(whole) AS TEXT))"
    switch type {
    case .date: return [(real, isNumber), ("modelc_zoned_date(\(value))", isText)]
    case .double, .float, .decimal: return [(real, isNumber)]
    case .binary:
      let bytes = usesExternalStorage ? "CAST(X'01' || \(value) AS BLOB)" : "CAST(\(value) AS BLOB)"
      return [(bytes, isText)]
    case _ where type.isText: return [("CAST(\(value) AS TEXT)", "typeof(\(value)) <> 'text'")]
    // A UUID as other tools write it.
    case _ where type.isSpelled: return [("modelc_uuid_bytes(\(value))", isText)]
    default: return []
    }
  }

  /// Of objects that a constraint calls the same the first stays; a later one gives up an optional value, or goes.
  func repairDuplicates() throws {
    try dropStrayDuplicates()
    guard try !db.findBrokenConstraints(in: store).isEmpty else { return }
    for constraint in store.storedConstraints {
      let table = constraint.table.name.quotedIdentifier
      let kinds = "Z_ENT IN (\(constraint.numbers.sqlList))"
      let names = constraint.columns.map { $0.name.quotedIdentifier }
      let present = ([kinds] + names.map { "\($0) IS NOT NULL" }).balanced(" AND ")
      let later =
        "\(present) AND Z_PK NOT IN (SELECT MIN(Z_PK) FROM \(table) WHERE \(present) "
        + "GROUP BY \(names.joined(separator: ", ")))"
      let optional = constraint.columns.first { column in
        guard case .attribute(let reference) = column.role else { return false }
        return store.leaves[reference]?.isOptional == true
      }
      let properties = constraint.properties.map { "'\($0)'" }.joined(separator: ", ")
      func summary(_ count: Int) -> String {
        "\(objects(count, of: constraint.entity)) \(verb(count, "has", "have")) the same \(properties) as an earlier one "
          + "and \(optional == nil ? verb(count, "is dropped", "are dropped") : "\(verb(count, "loses", "lose")) it")"
      }
      guard let name = optional?.name.quotedIdentifier else {
        try drop(.duplicates, entity: constraint.entity, in: constraint.table, where: later, summary)
        continue
      }
      try change(
        .duplicates, entity: constraint.entity, isLoss: true,
        "UPDATE \(table) SET \(name) = NULL WHERE \(later)", summary)
    }
  }

  /// A unique index is about every row of its table, also about one that is no entity's: that one goes.
  private func dropStrayDuplicates() throws {
    for constraint in store.storedConstraints {
      let table = constraint.table.name.quotedIdentifier
      let (stray, other) = (isStray("t", in: constraint.table), isStray("o", in: constraint.table))
      guard try hasRows(in: constraint.table, where: stray) else { continue }
      let same = constraint.columns.map(\.name.quotedIdentifier).map { "t.\($0) = o.\($0)" }
      try drop(
        .duplicates, entity: constraint.entity, in: constraint.table,
        where: "\(stray) AND EXISTS (SELECT 1 FROM \(table) AS o "
          + "WHERE \(same.balanced(" AND ")) AND (NOT \(other) OR o.Z_PK < t.Z_PK))"
      ) {
        "\($0) \(verb($0, "row", "rows")) without an entity \(verb($0, "has", "have")) the same values as an object of "
          + "'\(constraint.entity)' and \(verb($0, "is dropped", "are dropped"))"
      }
    }
  }
}

import ManagedModel
import PersistentStore

extension Survey {
  /// Looks for values that hold URIs of objects whose entity gets another name.
  ///
  /// The URI of an object is `x-coredata://UUID/Entity/pN`. It contains the entity's name, so it leads nowhere once that
  /// has changed.
  ///
  /// - Parameter schema: the destination's.
  /// - Returns: the statements that replace them, if that was asked for, over the destination's names, after all others.
  func surveyObjectURIs(
    _ transition: StoreTransition, schema: StoreSchema, into findings: inout Findings
  ) throws -> [StoreStatement] {
    let isRewriting = options.rewritesURIs
    let renamed = transition.mappingModel.entityMappings.compactMap {
      mapping -> (old: String, new: String)? in
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName, old != new,
        transition.source.entity(named: old)?.isAbstract == false
      else { return nil }
      return (old, new)
    }.sorted { $0.old < $1.old }
    guard !renamed.isEmpty else { return [] }
    let all = renamed.map { name -> StoreStatement.TextReplacement in
      func start(_ entity: String) -> String { "x-coredata://\(metadata.uuid)/\(entity)/p" }
      return .init(start(name.old), with: start(name.new))
    }
    let texts = all.map(\.old)
    let names = renamed.map(\.old)
    let inMetadata = metadata.countTexts(containing: texts)
    if inMetadata > 0 {
      findings.diagnostics.append(.objectURIs(nil, count: inMetadata, of: names, isRewriting: isRewriting))
    }
    let columns = textColumns(transition)
    // What rewrites reads the rows anyway.
    guard countsAllRows || isRewriting else {
      if columns.isEmpty { return [] }
      findings.diagnostics.append(
        .objectURIsChange, .information,
        "the URIs of objects of \(names.map { "'\($0)'" }.joined(separator: ", ")) change with the entity's name",
        notes: [
          "`modelc plan STORE` counts the values that hold one, `MigrationOptions.rewritesURIs` rewrites them"
        ])
      return []
    }
    var inRows = 0
    for (table, columns) in columns {
      let conditions = columns.map { SQLCondition.containsText(column: $0.column.quotedIdentifier, texts) }
      let counts = try countRows(db, table: table, conditions: conditions)
      for (index, column) in columns.enumerated() {
        let count = counts.values.reduce(0) { $0 + $1.matching[index] }
        if count == 0 { continue }
        inRows += count
        findings.diagnostics.append(
          .objectURIs(column.reference, count: count, of: names, isRewriting: isRewriting))
      }
    }
    guard isRewriting else { return [] }
    findings.uriReplacements = all
    if inRows == 0 { return [] }
    return schema.tables.flatMap { table in
      table.columns.filter(\.holdsText).map { column in
        StoreStatement.replaceTexts(table: table.name, column: column.name, all)
      }
    }
  }

  /// Columns of texts and URIs that go on, by table.
  private func textColumns(
    _ transition: StoreTransition
  ) -> [(table: String, columns: [(column: String, reference: PropertyReference)])] {
    transition.schema.tables.compactMap { table in
      let columns = table.columns.compactMap { column -> (column: String, reference: PropertyReference)? in
        guard column.holdsText, let reference = column.role.property else { return nil }
        let name = String(reference.property.prefix { $0 != "." })
        // Its values go on, for any entity that has it.
        let survives = transition.source.descendantNames(includingSelf: reference.entity).contains {
          transition.mapping(fromEntity: $0)?.carries(sourceProperty: name) == true
        }
        return survives ? (column.name, reference) : nil
      }
      return columns.isEmpty ? nil : (table.name, columns)
    }
  }
}

extension ColumnLayout {
  /// Whether it is an attribute's, of a text or a URI.
  fileprivate var holdsText: Bool {
    if case .attribute = role { declaredType.uppercased() == "VARCHAR" } else { false }
  }
}

extension Diagnostic {
  /// - Parameter place: nil for the store's metadata.
  fileprivate static func objectURIs(
    _ place: PropertyReference?, count: Int, of entities: [String], isRewriting: Bool
  ) -> Self {
    let names = entities.map { "'\($0)'" }.joined(separator: ", ")
    let name = place.map { "'\($0.entity).\($0.property)'" } ?? "the store's metadata"
    let values = count == 1 ? "1 value" : "\(count) values"
    let verb = count == 1 ? "holds" : "hold"
    return Self(
      .objectURIsChange, isRewriting ? .information : .warning,
      "\(values) of \(name) \(verb) URIs of objects of \(names), which get another name",
      subject: ModelSubject(entity: place?.entity, property: place?.property),
      notes: [isRewriting ? "they are rewritten" : "such a URI is invalid after the migration"],
      help: isRewriting ? [] : ["with `MigrationOptions.rewritesURIs` they name the new entity"])
  }
}

import ManagedModel

extension FetchIndexDescription {
  /// Whether it orders every row by columns alone.
  var isPlain: Bool {
    condition == nil && elements.allSatisfy { !$0.isExpression && $0.collation == .binary }
  }

  /// Nil if it holds every row.
  fileprivate var condition: String? {
    partialIndexPredicate.flatMap { text in text.allSatisfy(\.isWhitespace) ? nil : text }
  }

  /// What stands after the table of an index that is partial or holds expressions, in SQLite's form: made of what the
  /// model's predicate and expressions mean, nothing of them is pasted.
  ///
  /// - Throws: where an index could not hold that, or where a program without our functions could not write to the table
  ///   any more.
  func computedText(of entity: String, schema: StoreSchema, hierarchy: EntityHierarchy)
    throws(NotExpressibleInSQL) -> String
  {
    var compiler = FetchCompiler(try JoinScope(entity, schema: schema, hierarchy: hierarchy, alias: ""))
    var elements: [String] = []
    for element in self.elements {
      let expression =
        try element.isExpression
        ? parsed { () throws(DiagnosticsError) in try parseExpression(element.property) }
        : .keyPath(element.property.split(separator: ".").map(String.init), of: nil)
      let value = try compiler.value(expression, compiler.joins.root)
      elements.append("\(value.sql) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")")
    }
    var text = "(\(elements.joined(separator: ", ")))"
    if let condition = self.condition {
      let predicate = try parsed { () throws(DiagnosticsError) in try parsePredicate(condition) }
      text += " WHERE \(try compiler.condition(predicate, compiler.joins.root))"
    }
    guard compiler.joins.joinedRows(of: compiler.joins.root).isEmpty, compiler.joins.parameters.isEmpty else {
      throw NotExpressibleInSQL("it asks for more than the row itself")
    }
    guard let schema = SchemaText("CREATE INDEX i ON t \(text)") else {
      throw NotExpressibleInSQL("it is not an index")
    }
    if let operation = schema.operationOfOthers {
      throw NotExpressibleInSQL("it needs '\(operation)', which some programs that write to the store lack")
    }
    return text
  }
}

private func parsed<Value>(_ parse: () throws(DiagnosticsError) -> Value) throws(NotExpressibleInSQL) -> Value
{
  do throws(DiagnosticsError) { return try parse() } catch {
    throw NotExpressibleInSQL(error.diagnostics.first?.message ?? "it cannot be read")
  }
}

extension IndexLayout {
  /// Whether it holds something else than columns of every row.
  package var isComputed: Bool { columnNames.isEmpty }

  /// What stands after its table: two indexes of one table with the same are the same.
  package var body: Substring { sql.drop { $0 != "(" } }

  /// Whether it may read the column.
  package func mentions(_ column: String) -> Bool {
    SchemaText(sql)?.namesInBody.contains(column.uppercased()) ?? true
  }
}

extension TriggerLayout {
  /// Every name in it, its own and its table's left out, in upper case; nil if it cannot be read.
  package var namesInBody: Set<String>? { SchemaText(sql)?.namesInBody }

  /// Whether a statement, which begins with its verb and its table as we write them, fires it.
  func isFired(by statement: String) -> Bool {
    guard let text = SchemaText(sql) else { return true }
    let (line, table) = (statement.uppercased() + " ", tableName.quotedIdentifier.uppercased())
    return text.firingVerbs.contains { line.hasPrefix("\($0) \(table) ") }
      && (text.firingColumns.isEmpty || text.firingColumns.contains { line.contains($0.uppercased()) })
  }
}

extension PhysicalSchema.Index {
  /// Whether it holds only rows for which a condition holds.
  var isPartial: Bool { sql.uppercased().contains("WHERE") && SchemaText(sql)?.isPartial != false }
}

extension PhysicalSchema.Table {
  /// Whether it is an R-tree (sqlite.org/rtree.html).
  var isRTree: Bool {
    columns.isEmpty && SchemaText(sql).map { $0.isVirtual && $0.namesInBody.contains("RTREE") } == true
  }
}

extension PhysicalSchema {
  /// The table of a model's R-tree, by its name: which form Core Data gives the name no genuine store shows.
  package func rTree(of index: UnmadeIndex) -> Table? {
    tables.first {
      let name = $0.name.uppercased()
      return $0.isRTree && name.contains(index.entity.uppercased()) && name.contains(index.index.uppercased())
    }
  }

  /// The tables without those that SQLite's modules FTS5, FTS4 and R-tree keep for a virtual table, by their names.
  package var properTables: [Table] {
    let virtual = tables.filter { $0.columns.isEmpty && SchemaText($0.sql)?.isVirtual == true }
    let parts = "NODE ROWID PARENT DATA IDX CONTENT DOCSIZE CONFIG SEGMENTS SEGDIR STAT".split(separator: " ")
    let shadows = Set(virtual.flatMap { table in parts.map { "\(table.name.uppercased())_\($0)" } })
    return tables.filter { !shadows.contains($0.name.uppercased()) }
  }

  /// The tables of R-trees that the model accounts for.
  func rTrees(of schema: StoreSchema) -> Set<String> {
    Set(schema.tables.flatMap(\.unmadeIndexes).filter(\.isRTree).compactMap { rTree(of: $0)?.name })
  }
}

package import ManagedModel

extension PhysicalSchema {
  /// Gives an existing store's tables and columns their meaning in a model.
  ///
  /// Real names win: what the store says is taken as it is, and the names that Core Data would choose for a new
  /// store serve only to find it (store-format.md 5 and 10). What the model has and the store has not is missing
  /// from the result and reported; what the store has and the model has not is kept as ``ColumnRole/unknown``.
  package func bound(to model: ManagedObjectModel) -> (schema: StoreSchema, diagnostics: [Diagnostic]) {
    let hierarchy = EntityHierarchy(model)
    var (entities, diagnostics) = entityRows.bindEntityNumbers(hierarchy: hierarchy)
    let expected = layOutStore(entities: entities, hierarchy: hierarchy, features: FrameworkFeatures())
    entities.sort { $0.number < $1.number }
    var (tables, joinTables): ([TableLayout], [JoinTableLayout]) = ([], [])
    let indexes = Dictionary(grouping: indexes) { $0.tableName.uppercased() }
    var claimed: Set<String> = []

    for table in expected.tables {
      guard let real = find(table, of: entities, hierarchy, except: claimed) else {
        let entity = table.rootEntityName
        diagnostics.append(.missing("the store has no table '\(table.name)' for entity '\(entity)'", entity))
        continue
      }
      claimed.insert(real.name)
      let result = real.columns(to: table)
      diagnostics += result.diagnostics
      tables.append(
        TableLayout(
          name: real.name, rootEntityName: table.rootEntityName, columns: result.columns,
          inlineConstraints: real.sql.inlineConstraints,
          indexes: (indexes[real.name.uppercased()] ?? []).layouts(on: real.name)))
    }
    for table in expected.joinTables {
      guard var real = joinTable(table, except: claimed) else {
        let (entity, name) = (table.source.entity, table.source.property)
        diagnostics.append(
          .missing("the store has no join table '\(table.name)' for '\(entity).\(name)'", entity, name))
        continue
      }
      claimed.insert(real.name)
      real.indexes = (indexes[real.name.uppercased()] ?? []).layouts(on: real.name)
      joinTables.append(real)
    }
    let numbers = Dictionary(firstOf: entities.map { ($0.name, $0.number) })
    tables.sort { (numbers[$0.rootEntityName] ?? 0) < (numbers[$1.rootEntityName] ?? 0) }
    diagnostics += unknownObjects(in: self, claimed: claimed.union(rTrees(of: expected)))
    let bound = StoreSchema(entities: entities, tables: tables, joinTables: joinTables, triggers: triggers)
    return (bound, diagnostics)
  }

  /// The table under the name that the entity has, had before it was renamed, or has in `Z_PRIMARYKEY`.
  private func find(
    _ table: TableLayout, of entities: [EntityLayout], _ hierarchy: EntityHierarchy,
    except claimed: Set<String>
  ) -> Table? {
    let root = table.rootEntityName
    let recorded = entities.first { $0.name == root }?.recordedName ?? root
    let canonical = hierarchy.entity(named: root)?.canonicalName ?? root
    let names = [table.name, "Z" + recorded.uppercased(), "Z" + canonical.uppercased()]
    // A virtual table has no columns here: what it does when it is read is not Core Data's.
    return names.lazy.compactMap(self.table(named:))
      .first { !claimed.contains($0.name) && !$0.columns.isEmpty }
  }
}

extension StoreSchema {
  /// What is said of triggers that are neither Core Data's own for derived attributes nor on its system tables, where rows
  /// change: they are off meanwhile. Those of an R-tree, which may be Core Data's, are as well.
  ///
  /// - Parameters:
  ///   - what: the objects whose rows these are, in words.
  ///   - names: the tables that change; nil for all of the model's.
  ///   - statements: those that change rows, if they are known: only triggers that they would fire count.
  package func triggersPassed(
    by what: String, in names: [String]? = nil, statements: [String]? = nil
  ) -> [Diagnostic] {
    let changed = Set((names ?? tableNames).map { $0.uppercased() })
    let own = triggers.filter { trigger in
      !trigger.name.hasPrefix("Z_DA_") && changed.contains(trigger.tableName.uppercased())
        && statements?.contains(where: trigger.isFired) != false
    }
    if own.isEmpty { return [] }
    let (word, verb) = own.count == 1 ? ("trigger", "does") : ("triggers", "do")
    return [Diagnostic](
      .unknownSchemaObjects, .warning,
      "the \(word) \(own.map(\.name).quoted(5)) \(verb) not run for \(what)",
      notes: [
        "what they maintain, such as a full-text index or an R-tree, lacks these, and may fail at the app's next change"
      ],
      help: [
        "rebuild it before the app opens the store: `INSERT INTO words(words) VALUES('rebuild')` for a table 'words' of FTS5"
      ])
  }
}

extension [PhysicalSchema.Index] {
  /// Every index of a table under its real name, which after a migration may tell of other numbers.
  fileprivate func layouts(on table: String) -> [IndexLayout] {
    filter { $0.tableName.caseInsensitivelyEquals(table) }.map {
      IndexLayout(name: $0.name, sql: $0.sql, columnNames: $0.isPartial ? [] : $0.columnNames)
    }
  }
}

extension String {
  /// The `CONSTRAINT … UNIQUE (…)` clauses of a `CREATE TABLE` text.
  package var inlineConstraints: [InlineConstraint] {
    // Few tables have one, and to make the expression costs more than all the rest.
    guard uppercased().contains("CONSTRAINT") else { return [] }
    return matches(of: #/CONSTRAINT\s+("[^"]+"|\w+)\s+UNIQUE\s*\(([^()]*)\)/#.ignoresCase()).map { match in
      InlineConstraint(
        name: String(match.1).normalizedSQL,
        columnNames: match.2.split(separator: ",").map { String($0).normalizedSQL }
      )
    }
  }

  /// Core Data's own tables: keys, metadata, model cache, persistent history, CloudKit mirroring.
  package var isSystemTable: Bool {
    let fixed = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
    return fixed.contains { $0.caseInsensitivelyEquals(self) } || isHistoryTable || isCloudKitTable
  }

  package var isHistoryTable: Bool {
    ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains { $0.caseInsensitivelyEquals(self) }
  }

  package var isCloudKitTable: Bool { uppercased().hasPrefix("ANSCK") }
}

/// Tables, triggers and views that neither the model nor Core Data accounts for.
private func unknownObjects(in physical: PhysicalSchema, claimed: Set<String>) -> [Diagnostic] {
  let tables = physical.properTables.map(\.name).filter { !claimed.contains($0) && !$0.isSystemTable }
  let rTrees = Set(
    physical.tables.filter { $0.isRTree && claimed.contains($0.name) }.map { $0.name.uppercased() })
  let triggers = physical.triggers.filter { trigger in
    !trigger.name.hasPrefix("Z_DA_") && !trigger.tableName.isSystemTable
      && (rTrees.isEmpty || SchemaText(trigger.sql)?.namesInBody.isDisjoint(with: rTrees) != false)
  }
  var diagnostics: [Diagnostic] = []
  if !tables.isEmpty { diagnostics.append(.unknown("table", tables)) }
  if !triggers.isEmpty { diagnostics.append(.unknown("trigger", triggers.map(\.name))) }
  if !physical.viewNames.isEmpty { diagnostics.append(.unknown("view", physical.viewNames)) }
  return diagnostics
}

extension Diagnostic.Code {
  package static let schemaDiffers = Self("MC5105")
  package static let unknownSchemaObjects = Self("MC5107")
  package static let coreDataSystemTables = Self("MC5201")
}

extension Diagnostic {
  /// What the model has and the store has not.
  static func missing(_ message: String, _ entity: String?, _ property: String? = nil) -> Diagnostic {
    Diagnostic(
      .schemaDiffers, .error, message, subject: ModelSubject(entity: entity, property: property),
      notes: entity == nil
        ? [] : ["the store's version hashes include it, so something other than Core Data removed it"],
      help: ["restore the store from a backup, or open it once with the app that wrote it"])
  }

  fileprivate static func unknown(_ kind: String, _ names: [String]) -> Diagnostic {
    Diagnostic(
      .unknownSchemaObjects, .warning,
      "the store has \(names.count == 1 ? "a \(kind)" : "\(kind)s") of unknown origin: \(names.quoted(5))",
      help: [
        kind == "trigger"
          ? "\(names.count == 1 ? "its" : "their") text is left unchanged, even if what it names changes"
          : names.count == 1
            ? "it is left unchanged; its rows are not read"
            : "they are left unchanged; their rows are not read"
              + (kind == "view" ? ", and a migration cannot remove a column that a view reads" : "")
      ])
  }
}

package import GRDB
package import ManagedModel

/// Cells that were held against the rules of a model already, so that verifying need not look at them.
package struct CheckedCells: Hashable, Sendable {
  /// Names of columns, by table.
  package var columns: [String: Set<String>] = [:]
  package var joinTables: Set<String> = []

  package init() {}

  /// The table with the columns that are left.
  func unchecked(of table: TableLayout) -> TableLayout {
    guard let names = columns[table.name] else { return table }
    var rest = table
    rest.columns.removeAll { names.contains($0.name) }
    return rest
  }
}

/// A store's schema with the model that it is bound to.
package struct BoundSchema: Sendable {
  package var schema: StoreSchema
  package var model: ManagedObjectModel

  package init(_ schema: StoreSchema, _ model: ManagedObjectModel) {
    self.schema = schema
    self.model = model
  }
}

/// Holds those cells of a store against the rules of another model that go on into its store as they are.
///
/// - Parameters:
///   - tables: whose rows all go on, each under its key.
///   - joins: join tables of the store.
/// - Returns: cells in which nothing was found. A reference is among them where the objects that it may lead to are
///   in one of the tables too.
package func checkCarriedCells(
  of tables: [KeptTable], joins: [String], in db: Database, from former: BoundSchema, to next: BoundSchema
) throws -> CheckedCells {
  registerFetchFunctions(db)
  let names = Set(tables.map(\.name))
  var checked = CheckedCells()
  let before = VerifiedStore(schema: former.schema, model: former.model)
  for join in former.schema.joinTables where joins.contains(join.name) {
    let ends = [join.source.entity, join.destination.entity].compactMap { former.schema.table(ofEntity: $0) }
    guard ends.count == 2, ends.allSatisfy({ names.contains($0.name) }) else { continue }
    var scan = RowScan(table: join.name, key: join.sourceColumn)
    addJoinChecks(to: &scan, of: join, in: before)
    if try scan.run(db, showsValues: false).findings.isEmpty { checked.joinTables.insert(join.name) }
  }
  let after = VerifiedStore(schema: next.schema, model: next.model)
  for kept in tables {
    guard var table = next.schema.tables.first(where: { $0.name == kept.name }) else { continue }
    table.columns = table.columns.filter {
      kept.carriedColumns.contains($0.name) && isJudgedAlone($0, of: table, tables: names, after)
    }
    var scan = RowScan(table: table.name)
    addRowIdentityChecks(to: &scan, of: table, in: after)
    addAttributeChecks(to: &scan, of: table, in: after, db: db)
    addReferenceChecks(to: &scan, of: table, in: after)
    if try scan.run(db, showsValues: false).findings.isEmpty {
      checked.columns[table.name] = Set(table.columns.map(\.name))
    }
  }
  return checked
}

/// Whether the rules for a column speak of nothing but its cells, and of whether there is an object with the key in it.
private func isJudgedAlone(
  _ column: ColumnLayout, of table: TableLayout, tables: Set<String>, _ store: VerifiedStore
) -> Bool {
  switch column.role {
  case .primaryKey: return true
  case .attribute(let reference):
    return store.leaves[reference]?.attribute.validation.predicates.isEmpty ?? false
  case .toOne(let reference):
    guard let entity = store.relationship(reference)?.destinationEntityName,
      let target = store.schema.table(ofEntity: entity), tables.contains(target.name)
    else { return false }
    return store.oneToOneInverse(of: reference) == nil && store.isKind("t", of: entity) == nil
      && table.column(for: .discriminator(reference)) == nil && table.column(for: .order(reference)) == nil
  default: return false
  }
}

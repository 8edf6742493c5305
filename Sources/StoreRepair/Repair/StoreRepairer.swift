import GRDB
import ManagedModel
import PersistentStore

/// Repairs the tables of a private copy, step by step, and writes down what each step changed.
///
/// A step is a statement whose condition is that of a check in StoreVerification, so that a row that passes the check is
/// not touched.
final class StoreRepairer {
  let db: Database
  let target: RepairTarget
  var store: VerifiedStore
  private(set) var repairs: [StoreRepair] = []
  private(set) var statements: [String] = []
  /// Files with large values of objects that were dropped.
  var unusedFiles = (count: 0, bytes: Int64(0))

  init(_ db: Database, target: RepairTarget) {
    self.db = db
    self.target = target
    store = VerifiedStore(schema: StoreSchema(entities: [], tables: [], joinTables: []), model: target.model)
  }

  /// Runs a statement; where it changes rows, that is a repair.
  ///
  /// - Parameters:
  ///   - isLoss: whether what it changes is lost.
  ///   - summary: of the number of rows.
  @discardableResult
  func change(
    _ kind: StoreRepair.Kind, of reference: PropertyReference? = nil, isLoss: Bool = false, _ sql: String,
    _ summary: (Int) -> String
  ) throws -> Int {
    let count = try db.executeStatement(sql)
    guard count > 0 else { return 0 }
    statements.append(sql)
    add(
      StoreRepair(
        kind, entity: reference?.entity,
        property: reference.flatMap { $0.property.isEmpty ? nil : $0.property },
        count: count, lost: isLoss ? count : 0, summary(count)))
    return count
  }

  /// Runs a statement that changes the schema.
  func define(
    _ kind: StoreRepair.Kind, entity: String? = nil, lost: Int = 0, _ sql: String, _ summary: String
  ) throws {
    _ = try db.executeStatement(sql)
    statements.append(sql)
    add(StoreRepair(kind, entity: entity, count: max(1, lost), lost: lost, summary))
  }

  /// Runs a statement that a later one needs.
  @discardableResult
  func prepare(_ sql: String) throws -> Int {
    statements.append(sql)
    return try db.executeStatement(sql)
  }

  func add(_ repair: StoreRepair) {
    repairs.append(repair)
  }

  /// Rows change until a round changes none: what one step takes away another one may have to follow.
  func repairRows() throws {
    for _ in 0..<8 {
      let before = repairs.count
      try repairKeys()
      try repairEntities()
      try repairCells()
      try repairDuplicates()
      try repairReferences()
      try repairJoins()
      try repairInverses()
      try repairDiscriminators()
      try repairOrders()
      if repairs.count == before { return }
    }
  }
}

extension StoreSchema {
  /// Numbers of the entities whose rows a table holds.
  func numbers(in table: TableLayout) -> [Int] {
    entities.filter { $0.rootEntityName == table.rootEntityName }.map(\.number)
  }
}

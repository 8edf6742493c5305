import Foundation
package import GRDB
package import ManagedModel

/// What takes room in a store: tables, values, files, and objects that nothing owns any more.
package struct StoreSizes: Sendable {
  /// A table of objects, or one of Core Data's own.
  package struct Table: Sendable {
    package var name: String
    /// Whose objects it holds; empty for join tables and Core Data's own.
    package var entities: [String]
    package var rowCount: Int
    /// Of its pages.
    package var rowBytes: Int64
    /// Of its indexes' pages.
    package var indexBytes: Int64
  }

  /// An attribute that holds texts or bytes.
  package struct Values: Sendable {
    package var attribute: PropertyReference
    /// Values that are not nil, those in files of their own included.
    package var count: Int
    /// In the store's file.
    package var bytes: Int64
    /// The longest in the store's file.
    package var largest: Int64
    /// Files beside the store that hold values.
    package var files: Int
    package var fileBytes: Int64

    package var total: Int64 { bytes.addingClamped(fileBytes) }
  }

  /// Objects that have lost every owner whose deletion would have taken them along.
  package struct Orphans: Sendable {
    package var entity: String
    package var count: Int
    /// Objects of the entity.
    package var all: Int
    /// The relationships that could lead to them.
    package var owners: [PropertyReference]
  }

  package var bytes: Int64
  /// Of pages that hold nothing.
  package var freeBytes: Int64
  /// Whether CloudKit mirrors it: objects that are deleted elsewhere than in the app would come back.
  package var isMirrored: Bool
  /// The largest first.
  package var tables: [Table]
  /// The largest first.
  package var values: [Values] = []
  /// The most first.
  package var orphans: [Orphans] = []

  /// Reads every page of a store.
  ///
  /// - Parameter path: where files beside it are to be counted.
  package init(_ db: Database, of inspection: StoreInspection, path: String) throws {
    let physical = try db.readPhysicalSchema()
    let schema = inspection.schema
    let free: Int = try db.pragma("freelist_count") ?? 0
    bytes = Int64(inspection.byteCount)
    freeBytes = Int64(free) * Int64(inspection.pageSize)
    isMirrored = !inspection.cloudKitTableNames.isEmpty
    let sizes = try db.countTableBytes(physical: physical)
    tables = try physical.tables.map { table in
      let root = schema.tables.first { $0.name == table.name }?.rootEntityName
      let size = sizes[table.name] ?? TableBytes()
      return Table(
        name: table.name, entities: schema.entities.filter { $0.rootEntityName == root }.map(\.name),
        rowCount: table.columns.isEmpty ? 0 : try db.countAllRows(table: table.name), rowBytes: size.rows,
        indexBytes: size.indexes)
    }.sorted { ($0.rowBytes + $0.indexBytes, $1.name) > ($1.rowBytes + $1.indexBytes, $0.name) }
    guard let model = inspection.model else { return }
    let store = VerifiedStore(schema: schema, model: model)
    let folder = try dataFolder(ofStoreAt: path)
    values = try schema.tables.flatMap { try Self.values(db, $0, store, folder: folder) }
      .filter { $0.total > 0 }.sorted { $0.total > $1.total }
    let cascades = store.relationships(withDeleteRule: .cascade)
    orphans = try schema.entities.compactMap { entity in
      guard let table = schema.table(ofEntity: entity.name),
        let (condition, owners) = store.isOrphan(entity, cascades)
      else { return nil }
      let row = try Row.fetchOne(
        db,
        sql:
          "SELECT COUNT(*) FILTER (WHERE \(condition)), COUNT(*) FROM \(table.name.quotedIdentifier) AS t WHERE t.Z_ENT = \(entity.number)"
      )
      guard let row, let count = row.number(0), count > 0 else { return nil }
      return Orphans(entity: entity.name, count: count, all: row.number(1) ?? count, owners: owners)
    }.sorted { $0.count > $1.count }
  }

  /// One pass over the table for 500 attributes: a query has at most 2,000 results, and each attribute needs three.
  private static func values(
    _ db: Database, _ table: TableLayout, _ store: VerifiedStore, folder: String?
  ) throws -> [Values] {
    let columns = table.columns.compactMap {
      column -> (layout: ColumnLayout, reference: PropertyReference)? in
      guard case .attribute(let reference) = column.role, let type = store.leaves[reference]?.attribute.type,
        ["VARCHAR", "BLOB"].contains(type.traits.columnType)
      else { return nil }
      return (column, reference)
    }
    return try stride(from: 0, to: columns.count, by: 500).flatMap { start -> [Values] in
      let part = columns[start..<min(start + 500, columns.count)]
      let terms = part.flatMap { column in
        let name = column.layout.name.quotedIdentifier
        let size = "length(CAST(\(name) AS BLOB))"
        return ["COUNT(\(name))", "TOTAL(\(size))", "MAX(\(size))"]
      }
      let sql = "SELECT \(terms.joined(separator: ", ")) FROM \(table.name.quotedIdentifier)"
      guard let row = try Row.fetchOne(db, sql: sql) else { return [] }
      return try part.enumerated().map { index, column in
        let files = try folder.map { try store.externalFiles(db, of: column.layout, in: table, folder: $0) }
        return Values(
          attribute: column.reference, count: row.number(index * 3) ?? 0,
          bytes: Int64(exactly: Double.fromDatabaseValue(row[index * 3 + 1]) ?? 0) ?? 0,
          largest: row.integer(index * 3 + 2) ?? 0, files: files?.count ?? 0, fileBytes: files?.bytes ?? 0)
      }
    }
  }
}

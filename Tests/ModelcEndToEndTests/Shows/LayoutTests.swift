import Foundation
import GRDB
import PersistentStore
import TestSupport
import Testing

/// A fixture of a genuine store's model, imitating its Core Data, has the store's own tables.
@Suite("A fixture's tables are Core Data's", .needsFixtures) struct LayoutTests {
  /// Stores that a migration altered in place, and what it left that no model tells (store-format.md 10.4).
  private static let altered = ["SampleModel_V2.sqlite"]

  struct Layout {
    /// `CREATE` statements by name.
    var statements: [String: String] = [:]
    /// `number name parent`.
    var entities: [String] = []
    /// Where a history has begun, its own rows are left out of the comparison with an empty one.
    var framework = 0
  }

  private func layout(of store: URL) throws -> Layout {
    try withStore(store) { db in
      var layout = Layout()
      // Triggers of derived attributes have a test of their own, in PersistentStoreTests.
      for row in try Row.fetchAll(
        db, sql: "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql NOTNULL")
      {
        layout.statements[row[0]] = row[1]
      }
      layout.entities = try rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", in: db)
      layout.framework = try metadata(in: db)["NSPersistenceFrameworkVersion"] as? Int ?? 0
      return layout
    }
  }

  @Test func `tables, indexes, numbers and parents are those of the genuine stores`() throws {
    var lines: [String] = []
    var (compared, equal, indexes, entities) = (0, 0, 0, 0)
    for store in ListedStore.withModel {
      try Workplace.with { place in
        let copy = try place.copyStore(store.path)
        expectSuccess(
          try place.modelc(
            "fixture", store.version(copy: copy), "--rows", "40", "--framework", copy, "-o", "new.sqlite"))
        let (real, own) = try (layout(of: place.url(copy)), layout(of: place.url("new.sqlite")))
        #expect(own.framework == real.framework)
        let isAltered = Self.altered.contains(store.testDescription)
        for (name, sql) in real.statements {
          let isTable = sql.hasPrefix("CREATE TABLE")
          compared += isTable ? 1 : 0
          indexes += isTable ? 0 : 1
          #expect(own.statements[name] == sql, "\(store.testDescription)")
          equal += isTable && own.statements[name] == sql ? 1 : 0
        }
        #expect(Set(own.statements.keys) == Set(real.statements.keys), "\(store.testDescription)")
        for (left, right) in zip(real.entities, own.entities) where left != right {
          lines.append(
            "\(store.testDescription): \(left), here \(right) (store-format.md 10.4: a stale name)")
          #expect(isAltered)
          // The number and the parent are right all the same.
          #expect(left.split(separator: "|")[0] == right.split(separator: "|")[0])
          #expect(left.split(separator: "|")[2] == right.split(separator: "|")[2])
        }
        #expect(real.entities.count == own.entities.count)
        entities += real.entities.count
      }
    }
    for store in ListedStore.all where store.lacksModel {
      lines.append("\(store.testDescription): its model is nowhere at hand (store-format.md 9)")
    }
    print(
      "layout: \(ListedStore.withModel.count) stores, \(compared) tables compared, \(equal) equal,"
        + " \(indexes) indexes, \(entities) entity numbers; exceptions:")
    for line in lines { print("  \(line)") }
    #expect(compared == equal && compared >= 100)
    #expect(lines.count == 4)
  }

  @Test func `every column, join table and number of a store that was altered in place is bound`() throws {
    for store in ListedStore.withModel where Self.altered.contains(store.testDescription) {
      try Workplace.with { place in
        let copy = try place.copyStore(store.path)
        let (columns, joins, numbers) = try withStore(place.url(copy)) { db in
          let physical = try db.readPhysicalSchema()
          let metadata = try db.readStoreMetadata()
          let model = try #require(try readStoreModel(db, physical: physical, metadata: metadata))
          let (schema, diagnostics) = physical.bound(to: model)
          #expect(diagnostics == [])
          let bound = schema.tables.flatMap(\.columns)
          #expect(bound.filter { $0.role == .unknown } == [])
          #expect(schema.entities.count == physical.entityRows.filter { $0.number < 16000 }.count)
          return (bound.count, schema.joinTables.count, schema.entities.count)
        }
        print("\(store.testDescription): \(columns) columns, \(joins) join tables, \(numbers) numbers bound")
        #expect(columns > 10 && numbers == 4)
      }
    }
  }
}

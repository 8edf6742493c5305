import Foundation
import GRDB
import ManagedModel
import PersistentStore
import TestSupport
import Testing

@Suite struct `Plain tables` {
  /// SQL, paths, the same without case, and what SQLite keeps for itself.
  static let hostile = [
    "x\"; DROP TABLE a; --", "../../x", "sqlite_master", "Hut", "HUT", "Hut_2", "a'b\0c", "con\u{202E}txt",
    "", "-o",
  ]

  @Test func `names of a store are plain names that differ without case, and none of them runs`() throws {
    let model = ManagedObjectModel(
      entities: Self.hostile.map { name in
        EntityDescription(
          name: name,
          attributes: Self.hostile.map { AttributeDescription(name: $0, type: .string) } + [
            AttributeDescription(name: "ID", type: .uuid)
          ])
      })
    let layout = PlainLayout(layOutStore(for: model, frameworkVersion: 1344), model)
    let names = layout.tables.map(\.name) + layout.views.map(\.name)
    #expect(Set(names.map { $0.lowercased() }).count == Self.hostile.count)
    for name in names + layout.tables.flatMap({ $0.columns.map(\.name) }) {
      #expect(name.wholeMatch(of: #/[\w]+/#) != nil && !name.hasPrefix("sqlite_"), "\(name)")
    }
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE a (b)")
      for table in layout.tables { try db.executeStatement(table.creation) }
      #expect(
        try Row.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'").count == names.count
          + 1)
    }
    #expect(layout.tables.allSatisfy { $0.columns.first?.name == "pk" })
  }

  @Test func `a store's tables by the model's names`() throws {
    try withNewStore(of: SampleModels.hiking, objects: Hike.objects) { db, schema, _ in
      let layout = PlainLayout(schema, SampleModels.hiking)
      let places = try #require(layout.tables.first { $0.name == "Place" })
      var kinds: [QueryValue] = []
      try places.forEachRow(db) { kinds.append($0[1]) }
      #expect(kinds.count == 4)
      #expect(kinds[0] == .value(.string("Hut")))
      #expect(layout.views.map(\.name).contains("Hut"))
      #expect(layout.tables.map(\.name).contains { $0.hasPrefix("Trail_") })
      // The views over the store itself are queries that SQLite takes.
      for table in layout.tables {
        var count = 0
        try table.forEachRow(db) { _ in count += 1 }
        #expect(try Row.fetchAll(db, sql: table.ownSQL).count == count)
      }
    }
  }
}

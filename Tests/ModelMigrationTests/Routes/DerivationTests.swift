import Foundation
import GRDB
import ManagedModel
import ModelMigration
import PersistentStore
import TestSupport
import Testing

@Suite("What becomes of derived attributes") struct DerivationTests {
  private static func model(_ order: String, price: String = "double = 0", buyer: String = "Buyer") -> String
  {
    """
    entities:
      Order:
        attributes: {number: string?\(order)}
        relationships: {items: {toMany: Item, inverse: order}, buyer: {to: \(buyer), inverse: orders}}
      Item: {attributes: {price: \(price)}, relationships: {order: {to: Order, inverse: items}}}
      \(buyer):
        attributes: {name: string?}
        relationships: {orders: {toMany: Order, inverse: buyer}}
    """
  }
  private static let derived =
    ", total: {type: double?, derivation: items.@sum.price}, buyerName: {type: string?, derivation: buyer.name}, "
    + "count: {type: integer64?, derivation: items.@count}, touched: {type: date?, derivation: now()}"

  private static let objects: [ManagedObject] = {
    let buyer = objectID("Buyer", 1)
    let orders = (1...2).map { ManagedObject("Order", $0, toOne: ["buyer": buyer]) }
    let items = (1...3).map {
      ManagedObject(
        "Item", $0, values: ["price": .double(Double($0) + 0.5)],
        toOne: ["order": objectID("Order", $0 > 2 ? 2 : 1)])
    }
    return [ManagedObject("Buyer", 1, values: ["name": .string("Ann")])] + orders + items
  }()

  private func withStore(_ old: String, _ new: String, _ body: (TestStore, VersionedModel) throws -> Void)
    throws
  {
    try withTemporaryFolder { folder in
      let model = try writtenModel(old, new)
      try body(try TestStore(in: folder, of: model.versions[0], objects: Self.objects), model)
    }
  }

  private func verified(_ store: TestStore, _ model: VersionedModel) throws -> [Verification.Finding] {
    try store.read { db in
      try verifyStore(db, name: "s", path: store.url.path, among: [model]).findings
    }
  }

  private func unkept(_ plan: MigrationPlan) -> [String?] {
    plan.diagnostics.filter { $0.code == .derivationNotKept }.map(\.subject?.property).sorted {
      ($0 ?? "") < ($1 ?? "")
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `values are right after the migration, and those that no trigger keeps are named`(
    _ route: RouteRequest
  ) throws {
    try withStore(Self.model(""), Self.model(Self.derived)) { store, model in
      let report = try store.migrate(model, route: route)
      #expect(unkept(report.plan) == ["buyerName", "total", "touched"])
      let rows = try store.read { db in
        try Row.fetchAll(db, sql: "SELECT ZTOTAL, ZBUYERNAME, ZCOUNT FROM ZORDER ORDER BY Z_PK")
      }
      #expect(rows.map { $0[0] as Double? } == [4, 3.5])
      #expect(rows.map { $0[1] as String? } == ["Ann", "Ann"])
      #expect(rows.map { $0[2] as Int? } == [2, 1])
      #expect(try verified(store, model).isEmpty)
      try store.write {
        try $0.execute(sql: "UPDATE ZORDER SET ZTOTAL = 4.1, ZBUYERNAME = NULL WHERE Z_PK = 1")
      }
      let wrong = try verified(store, model)
      #expect(wrong.map(\.diagnostic.code.description) == ["MC5207", "MC5207"])
      #expect(wrong.map(\.primaryKeys) == [[1], [1]] && wrong.map(\.count) == [1, 1])
    }
  }

  @Test func `sums that differ in the last digit and counts of nothing are not wrong`() throws {
    let model = Self.model(Self.derived)
    try withStore(model, model) { store, model in
      try store.write { db in
        try db.execute(
          sql: """
            UPDATE ZORDER SET ZTOTAL = 4.0000000000001 WHERE Z_PK = 1;
            DELETE FROM ZITEM WHERE ZORDER = 2; UPDATE ZORDER SET ZTOTAL = 0, ZCOUNT = NULL WHERE Z_PK = 2
            """)
      }
      #expect(try verified(store, model).filter { $0.diagnostic.code == .wrongDerivation } == [])
    }
  }

  /// A trigger as the store has it; its text is the store's own, and no statement of it is run here.
  private func addTriggers(_ store: TestStore) throws {
    try store.write { db in
      for (name, table, column) in [("total", "ZITEM", "ZTOTAL"), ("buyerName", "ZBUYER", "ZBUYERNAME")] {
        try db.execute(
          sql: """
            CREATE TRIGGER Z_DA_\(table)_Order_\(name)_SOMETHING AFTER UPDATE ON \(table) FOR EACH ROW BEGIN \
            UPDATE ZORDER SET \(column) = NULL WHERE Z_PK = NEW.Z_PK; END
            """)
      }
    }
  }

  private func triggers(_ store: TestStore) throws -> [String] {
    try store.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%SOMETHING' ORDER BY name")
    }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `triggers that the store has go on where their names do`(_ route: RouteRequest) throws {
    try withStore(Self.model(Self.derived), Self.model(Self.derived + ", note: string?")) { store, model in
      try addTriggers(store)
      let before = try triggers(store)
      #expect(before.count == 2)
      let report = try store.migrate(model, route: route)
      #expect(try triggers(store) == before)
      #expect(unkept(report.plan) == ["touched"])
    }
  }

  @Test func `those of a table that gets another name go, and that is said`() throws {
    let new = Self.model(Self.derived, buyer: "Client").replacing(
      "  Client:\n", with: "  Client:\n    renamingIdentifier: Buyer\n")
    try withStore(Self.model(Self.derived), new) { store, model in
      try addTriggers(store)
      let report = try store.migrate(model, route: .clone)
      #expect(try triggers(store).count == 1)
      #expect(unkept(report.plan) == ["buyerName", "touched"])
      #expect(try verified(store, model).filter { $0.diagnostic.code == .wrongDerivation } == [])
    }
  }

  /// Texts, and what they are in canonical form.
  private static let names: [(name: String?, canonical: String?)] = [
    ("Bern", "bern"), ("Zürich", "zurich"), ("Gene\u{300}ve", "geneve"), ("", ""), (nil, nil),
  ]
  private static func towns(_ derived: String, name: String = "name: string?") -> String {
    """
    entities:
      Town: {attributes: {\(name)\(derived)}, relationships: {huts: {toMany: Hut, inverse: town}}}
      Hut: {attributes: {n: string?\(derived.isEmpty ? "" : ", place: {type: string?, derivation: \"uppercase:(town.name)\"}")}, relationships: {town: {to: Town, inverse: huts}}}
    """
  }
  private static let folded =
    ", search: {type: string?, derivation: \"canonical:(name)\"}, same: {type: string?, derivation: name}, "
    + "low: {type: string?, derivation: \"lowercase:(name)\"}, huts2: {type: integer32?, derivation: \"count:(huts)\"}"

  private func withTowns(_ old: String, _ new: String, _ body: (TestStore, VersionedModel) throws -> Void)
    throws
  {
    let objects = Self.names.enumerated().flatMap { index, item in
      [
        ManagedObject("Town", Int64(index + 1), values: item.name.map { ["name": .string($0)] } ?? [:]),
        ManagedObject("Hut", Int64(index + 1), toOne: ["town": objectID("Town", Int64(index + 1))]),
      ]
    }
    try withTemporaryFolder { folder in
      let model = try writtenModel(old, new)
      try body(try TestStore(in: folder, of: model.versions[0], objects: objects), model)
    }
  }

  private func column(_ name: String, of table: String = "ZTOWN", in store: TestStore) throws -> [String?] {
    try store.read { try Row.fetchAll($0, sql: "SELECT \(name) FROM \(table) ORDER BY Z_PK").map { $0[0] } }
  }

  @Test(arguments: AcceptanceTests.routes)
  func `folded texts and copies are computed`(_ route: RouteRequest) throws {
    try withTowns(Self.towns(""), Self.towns(Self.folded)) { store, model in
      let report = try store.migrate(model, route: route)
      #expect(report.plan.diagnostics.filter { $0.code == .derivationNotComputed } == [])
      #expect(try column("ZSEARCH", in: store) == Self.names.map(\.canonical))
      #expect(try column("ZSAME", in: store) == Self.names.map(\.name))
      #expect(try column("ZLOW", in: store) == Self.names.map { $0.name?.lowercased() })
      #expect(try column("ZPLACE", of: "ZHUT", in: store) == Self.names.map { $0.name?.uppercased() })
      #expect(try column("CAST(ZHUTS2 AS TEXT)", in: store) == Self.names.map { _ in "1" })
      #expect(try verified(store, model) == [])
    }
  }

  @Test func `a text of a renamed attribute, or of another one, is folded anew`() throws {
    let renamed = Self.towns(Self.folded, name: "name: {type: string?, renamingIdentifier: title}")
    try withTowns(Self.towns(", title: string?"), renamed) { store, model in
      try store.write { try $0.execute(sql: "UPDATE ZTOWN SET ZTITLE = 'B' || Z_PK") }
      try store.migrate(model)
      #expect(try column("ZSEARCH", in: store) == ["b1", "b2", "b3", "b4", "b5"])
    }
  }

  @Test(arguments: [
    ("Z_PK = 1", "'Bern'", [1]), ("Z_PK = 1", "NULL", [1]), ("Z_PK = 2", "'zürich'", []),
    ("Z_PK = 2", "'zuerich'", [2]), ("Z_PK = 5", "'x'", [5]), ("Z_PK = 3", "'gene' || char(768) || 've'", []),
  ])
  func `a wrong text is found; a foreign letter may be folded otherwise`(
    _ row: String, _ value: String, _ keys: [Int64]
  ) throws {
    try withTowns(Self.towns(Self.folded), Self.towns(Self.folded)) { store, model in
      #expect(try column("ZSEARCH", in: store) == Self.names.map(\.canonical))
      try store.write { try $0.execute(sql: "UPDATE ZTOWN SET ZSEARCH = \(value) WHERE \(row)") }
      let wrong = try verified(store, model)
      #expect(
        wrong.flatMap(\.primaryKeys) == keys && wrong.allSatisfy { $0.diagnostic.code == .wrongDerivation })
    }
  }
}

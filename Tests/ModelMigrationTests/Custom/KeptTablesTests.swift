import Foundation
import GRDB
import ManagedModel
import ModelMapping
import ModelMigration
import TestSupport
import Testing

/// Tables that a custom mapping leaves as they lie, in a clone of the store: the file is the one that is filled anew.
@Suite("Tables that stay in a custom migration") struct KeptTablesTests {
  private static let first = """
    entities:
      Customer:
        attributes: {name: string, city: string?, code: string}
        relationships:
          orders: {toMany: Order, inverse: customer}
        fetchIndexes: {byCode: [code]}
      Item:
        attributes: {title: string, count: integer16 = 1}
        relationships:
          order: {to: Order, inverse: items}
      Order:
        attributes: {number: integer32 = 0}
        relationships:
          customer: {to: Customer, inverse: orders}
          items: {toMany: Item, inverse: order}
          tags: {toMany: Tag, inverse: orders}
      Tag:
        attributes: {name: string}
        relationships:
          orders: {toMany: Order, inverse: tags}

    """
  private static let second =
    first.replacing("city: string?, ", with: "")
    .replacing("{number: integer32 = 0}", with: "{number: integer32 = 0, label: string?}")
    .replacing(
      "      orders: {toMany: Order, inverse: customer}\n",
      with: "      orders: {toMany: Order, inverse: customer}\n"
        + "      address: {to: Address, inverse: customer}\n")
      + """
        Address:
          attributes: {city: string?}
          relationships:
            customer: {to: Customer, inverse: address}

      """
  private static let mapping = """
    entityMappings:
      CustomerToAddress:
        source: Customer
        destination: Address
        attributes: {city: $source.city}
        relationships: {customer: 'destinationInstances("CustomerToCustomer", $source)'}
      CustomerToCustomer:
        source: Customer
        destination: Customer
        relationships: {address: 'destinationInstances("CustomerToAddress", $source)'}
      OrderToOrder:
        source: Order
        destination: Order
        attributes: {label: 'concat($source.customer.name, " ", $source.number)'}
    """

  private var objects: [ManagedObject] {
    var made: [ManagedObject] = []
    for key in 1...6 as ClosedRange<Int64> {
      made.append(
        ManagedObject(
          "Customer", key,
          values: ["name": .string("C\(key)"), "city": .string("X"), "code": .string("\(9 - key)")]))
      var order = ManagedObject("Order", key * 2, values: ["number": .integer(key)])
      if key != 3 { order.toOne["customer"] = objectID("Customer", 7 - key) }
      order.toMany["tags"] = key.isMultiple(of: 2) ? [objectID("Tag", 1), objectID("Tag", 2)] : []
      made.append(order)
    }
    for key in 1...40 as ClosedRange<Int64> {
      var item = ManagedObject(
        "Item", key, values: ["title": .string("I\(key)"), "count": .integer(key % 5)])
      item.toOne["order"] = objectID("Order", (key % 6 + 1) * 2)
      made.append(item)
    }
    for key in 1...2 as ClosedRange<Int64> {
      made.append(ManagedObject("Tag", key, values: ["name": .string("T")]))
    }
    return made
  }

  /// Migrates the same store on both routes.
  private func compare(
    _ trial: CustomTrial, spoiling spoil: (Database) throws -> Void = { _ in }
  ) throws -> [MigrationReport] {
    try withTemporaryFolder { folder in
      let store = try trial.store(objects, in: folder)
      try store.write(spoil)
      var reports: [MigrationReport] = []
      var cells: [StoreCells] = []
      for route in [RouteRequest.clone, .newFile] {
        let copy = try store.copy(named: "\(route.rawValue).sqlite")
        var trial = trial
        trial.options.route = route
        reports.append(try trial.migrate(copy))
        cells.append(try copy.read { try StoreCells(of: $0) })
      }
      #expect(cells[0].differences(from: cells[1]) == [])
      #expect(cells[0].settings["integrity_check"] == "ok")
      #expect(reports.map(\.plan.route) == [.stagedCopy, .newFile])
      #expect(reports[0].mappings == reports[1].mappings)
      return reports
    }
  }

  @Test func `rows that go on stay, with new numbers; the others are made beside indexes that stay`() throws {
    let reports = try compare(CustomTrial([Self.first, Self.second], mappings: [Self.mapping]))
    #expect(reports[0].plan.routeReason.contains("'Item', 'Tag'"))
    #expect(reports[0].objects == 6 * 3 + 40 + 2)
  }

  @Test func `pairs and references that lead nowhere are forgotten on both ways`() throws {
    let trial = try CustomTrial([Self.first, Self.second], mappings: [Self.mapping])
    let reports = try compare(trial) { db in
      let table =
        try String.fetchOne(db, sql: "SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]TAGS'") ?? ""
      try db.execute(sql: "INSERT INTO \(table) VALUES (2, 99), (98, 1)")
      try db.execute(sql: "UPDATE ZORDER SET ZCUSTOMER = 77 WHERE Z_PK = 4")
    }
    #expect(reports[0].mappings.map(\.made) == reports[1].mappings.map(\.made))
  }

  @Test func `to another file`() throws {
    var trial = try CustomTrial([Self.first, Self.second], mappings: [Self.mapping])
    trial.options.route = .clone
    try withTemporaryFolder { folder in
      let store = try trial.store(objects, in: folder)
      let before = try Data(contentsOf: store.url)
      let output = TestStore(at: folder.appending(path: "Output.sqlite"))
      _ = try migrateStore(
        at: store.url.path, models: [trial.model], to: .file(output.url.path), options: trial.options,
        custom: trial.custom)
      #expect(try Data(contentsOf: store.url) == before)
      let cells = try output.read { try StoreCells(of: $0) }
      #expect(cells.settings["integrity_check"] == "ok" && cells.rows["ZITEM"]?.count == 40)
    }
  }

  @Test func `a policy finds no row before the mapping that brings it`() throws {
    let mapping = """
      entityMappings:
        OrderToOrder: {source: Order, destination: Order, policy: CuriousPolicy}
        ItemToItem: {source: Item, destination: Item}
      """
    let label = Self.first.replacing(
      "{number: integer32 = 0}", with: "{number: integer32 = 0, label: string?}")
    let trial = try CustomTrial([Self.first, label], mappings: [mapping], policies: [CuriousPolicy.self])
    _ = try compare(trial)
    let outcome = try {
      var trial = trial
      trial.options.route = .clone
      return try trial.run(objects)
    }()
    #expect(Set(outcome.texts("Order", "label")) == ["0"])
  }

  @Test(arguments: MeddlingPolicy.Deed.allCases)
  private func `indexes of what a policy makes stay as far as their entries are right`(
    _ deed: MeddlingPolicy.Deed
  ) throws {
    let mapping = """
      entityMappings:
        CustomerToCustomer:
          source: Customer
          destination: Customer
          policy: MeddlingPolicy
          userInfo: {deed: \(deed.rawValue)}
        OrderToOrder: {source: Order, destination: Order}
        ItemToItem: {source: Item, destination: Item}
      """
    let label = Self.first.replacing("city: string?", with: "city: string?, label: string?")
    _ = try compare(CustomTrial([Self.first, label], mappings: [mapping], policies: [MeddlingPolicy.self]))
  }
}

/// Makes customers, whose code has an index, and does something beside it.
private final class MeddlingPolicy: EntityMigrationPolicy {
  enum Deed: String, CaseIterable, Sendable {
    case nothing, label, code, codeLater, skip, insert, delete, otherKey
  }

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let deed = Deed(rawValue: mapping.userInfo["deed"] ?? "")
    let key = sInstance.objectID.primaryKey
    if deed == .skip, key == 3 { return }
    if deed == .otherKey, key == 4 { try insert(manager) }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    switch deed {
    case .label: made.first?["label"] = "a label"
    case .code where key == 2: made.first?["code"] = "another"
    case .insert where key == 5: try insert(manager)
    default: break
    }
  }

  private func insert(_ manager: MigrationManager) throws {
    let more = try manager.destinationContext.insert("Customer")
    more["name"] = "one more"
    more["code"] = "5"
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    let deed = Deed(rawValue: mapping.userInfo["deed"] ?? "")
    let customers = try manager.destinationContext.fetch("Customer", where: "code == \"7\"")
    switch deed {
    case .codeLater: customers.first?["code"] = "late"
    case .delete: customers.forEach(manager.destinationContext.delete)
    default: break
    }
  }
}

/// Looks at what is there of other entities while it makes its own objects.
private final class CuriousPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let count = try manager.destinationContext.count(for: FetchRequest(entityName: "Item"))
    manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first?[
      "label"] = "\(count)"
  }
}

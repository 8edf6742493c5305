import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// A policy beside objects that stay where they lie: it finds what it would find if every object were recreated, in the
/// order of the mappings.
@Suite("A policy beside objects that stay") struct PolicyBesideTests {
  private static let first = """
    entities:
      Tag: {attributes: {name: string}, relationships: {orders: {toMany: Order, inverse: tags}}}
      Customer:
        attributes: {name: string}
        relationships:
          orders: {toMany: Order, inverse: customer}
          friend: {to: Customer, inverse: friendOf}
          friendOf: {to: Customer, inverse: friend}
      Order:
        attributes: {number: integer32 = 0}
        relationships:
          customer: {to: Customer, inverse: orders}
          items: {toMany: Item, inverse: order}
          tags: {toMany: Tag, inverse: orders}
      Item:
        attributes: {title: string}
        relationships: {order: {to: Order, inverse: items}, bin: {to: Bin, inverse: items}}
      Bin:
        attributes: {number: integer32 = 0}
        relationships: {items: {toMany: Item, inverse: bin, ordered: true}}

    """
  private static let mapping = """
    entityMappings:
      TagToTag: {source: Tag, destination: Tag}
      CustomerToCustomer: {source: Customer, destination: Customer}
      OrderToOrder: {source: Order, destination: Order, policy: BesidePolicy, userInfo: {deed: DEED}}
      ItemToItem: {source: Item, destination: Item, attributes: {title: 'uppercase:($source.title)'}}
    """

  private static var objects: [ManagedObject] {
    var made: [ManagedObject] = []
    for key in 1...6 as ClosedRange<Int64> {
      var customer = ManagedObject("Customer", key, values: ["name": .string("C\(key)")])
      customer.toOne[key.isMultiple(of: 2) ? "friendOf" : "friend"] = objectID(
        "Customer", key.isMultiple(of: 2) ? key - 1 : key + 1)
      var order = ManagedObject("Order", key * 2, values: ["number": .integer(key)])
      if key != 3 { order.toOne["customer"] = objectID("Customer", 7 - key) }
      order.toMany["tags"] = key.isMultiple(of: 2) ? [objectID("Tag", 1), objectID("Tag", 2)] : []
      made += [customer, order, ManagedObject("Bin", key, values: ["number": .integer(key)])]
    }
    for key in 1...40 as ClosedRange<Int64> {
      var item = ManagedObject("Item", key, values: ["title": .string("i\(key)")])
      item.toOne["order"] = objectID("Order", (key % 6 + 1) * 2)
      made.append(item)
    }
    for key in 1...2 as ClosedRange<Int64> {
      made.append(ManagedObject("Tag", key, values: ["name": .string("T\(key)")]))
    }
    return made
  }

  @Test(arguments: BesidePolicy.Deed.allCases)
  private func `the same comes of it as if all objects were made anew`(_ deed: BesidePolicy.Deed) throws {
    let next = Self.first.replacing("{number: integer32 = 0}", with: "{number: integer32 = 0, seen: string?}")
    var trial = try CustomTrial(
      [Self.first, next], mappings: [Self.mapping.replacing("DEED", with: deed.rawValue)],
      policies: [BesidePolicy.self])
    let one = try trial.run(Self.objects)
    trial.custom.usesObjectCopy = true
    let other = try trial.run(Self.objects)
    let (found, expected) = (
      normalized(one.objects, trial.model.last), normalized(other.objects, trial.model.last)
    )
    #expect(found.filter { !expected.contains($0) } == expected.filter { !found.contains($0) })
    #expect(one.report.mappings.map(\.made) == other.report.mappings.map(\.made))
    #expect(!one.plan.statements.contains { $0.contains("CREATE TABLE ZITEM") })
    #expect(other.plan.statements.contains { $0.contains("CREATE TABLE ZITEM") })
  }
}

/// Makes orders, and looks about.
private final class BesidePolicy: EntityMigrationPolicy {
  enum Deed: String, CaseIterable, Sendable {
    case nothing, skip, otherKeys, countLater, countEarlier, readEarly, setEarly, addLater, associateLater
    case deleteEarlier, changeEarlier, relateLate, followPredicate
  }

  override func createDestinationInstances(
    forSource source: MigratingObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let deed = mapping.userInfo["deed"].flatMap(Deed.init) ?? .nothing
    let context = manager.destinationContext
    let number: Int = source["number"] ?? 0
    if deed == .skip, number == 4 { return }
    if deed == .otherKeys, number == 2 { _ = try context.insert("Order") }
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
    guard let order = made.first else { return }
    let customers = try context.fetch("Customer")
    switch deed {
    case .nothing, .skip, .otherKeys, .relateLate: break
    case .countLater:
      let items = try context.fetch("Item").count
      let found = manager.destinationInstances(forEntityMappingName: "ItemToItem").count
      order["seen"] = "\(items) \(found)"
    case .countEarlier: order["seen"] = "\(customers.count)"
    case .readEarly:
      order["seen"] = customers.map { "\($0.value(forKey: "friend") == nil)" }.joined()
    case .setEarly:
      order.setValue(customers.first, forKey: "customer")
      customers.last?.setValue(customers.first, forKey: "friend")
    case .addLater:
      let item = try context.insert("Item")
      item["title"] = "added"
      order["seen"] = "\(try context.fetch("Item").count)"
    case .associateLater:
      guard number == 5, let item = source.objects(forKey: "items").first else { return }
      let copy = try context.insert("Item")
      copy["title"] = "mine"
      manager.associate(
        sourceInstance: item, withDestinationInstance: copy,
        for: manager.mappingModel.entityMappings.first { $0.name == "ItemToItem" } ?? mapping)
    case .deleteEarlier: if number == 6, let last = customers.last { context.delete(last) }
    case .changeEarlier: customers.first?["name"] = "changed \(number)"
    case .followPredicate:
      order["seen"] = "\(try context.fetch("Customer", where: "friend != nil").count)"
    }
  }

  override func createRelationships(
    forDestination object: MigratingObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: object, in: mapping, manager: manager)
    guard mapping.userInfo["deed"] == Deed.relateLate.rawValue else { return }
    object.setValue(try manager.destinationContext.fetch("Tag"), forKey: "tags")
  }
}

import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Policies that do something beside the objects that they are called for: the result is a sound store of what they did.
@Suite("Policies that meddle") struct MeddlingPolicyTests {
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

  private static var objects: [ManagedObject] {
    var made: [ManagedObject] = []
    for key in 1...6 as ClosedRange<Int64> {
      made.append(
        ManagedObject("Customer", key, values: ["name": .string("C\(key)"), "code": .string("\(9 - key)")]))
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

  @Test func `a policy finds no row before the mapping that brings it`() throws {
    let mapping = """
      entityMappings:
        OrderToOrder: {source: Order, destination: Order, policy: CuriousPolicy}
        ItemToItem: {source: Item, destination: Item}
      """
    let label = Self.first.replacing(
      "{number: integer32 = 0}", with: "{number: integer32 = 0, label: string?}")
    let trial = try CustomTrial([Self.first, label], mappings: [mapping], policies: [CuriousPolicy.self])
    let outcome = try trial.run(Self.objects)
    #expect(Set(outcome.texts("Order", "label")) == ["0"])
    #expect(outcome["Item"].count == 40)
  }

  @Test(arguments: MeddlingPolicy.Deed.allCases)
  private func `whatever a policy does, rows and indexes agree`(_ deed: MeddlingPolicy.Deed) throws {
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
    let trial = try CustomTrial([Self.first, label], mappings: [mapping], policies: [MeddlingPolicy.self])
    try withTemporaryFolder { folder in
      let store = try trial.store(Self.objects, in: folder)
      try trial.migrate(store)
      let cells = try store.read { try StoreCells(of: $0) }
      #expect(cells.settings["integrity_check"] == "ok")
      let customers = try store.objects(trial.model.last).filter { $0.id.entityName == "Customer" }
      let codes = customers.map { "\($0.id.primaryKey)\($0.values["code"]?.text ?? "")" }
      #expect(codes == deed.codes)
      let labels = Set(customers.map { $0.values["label"]?.text })
      #expect(labels == [deed == .label ? "a label" : nil])
    }
  }
}

/// Makes customers, whose code has an index, and does something beside it.
private final class MeddlingPolicy: EntityMigrationPolicy {
  enum Deed: String, CaseIterable, Sendable {
    case nothing, label, code, codeLater, skip, insert, delete, otherKey

    /// The customers that come of it, each with its key and its code.
    var codes: [String] {
      switch self {
      case .nothing, .label: ["18", "27", "36", "45", "54", "63"]
      case .code: ["18", "2another", "36", "45", "54", "63"]
      case .codeLater: ["18", "2late", "36", "45", "54", "63"]
      case .skip: ["18", "27", "45", "54", "63"]
      case .insert: ["18", "27", "36", "45", "54", "63", "75"]
      case .delete: ["18", "36", "45", "54", "63"]
      case .otherKey: ["18", "27", "36", "45", "54", "63", "75"]
      }
    }
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

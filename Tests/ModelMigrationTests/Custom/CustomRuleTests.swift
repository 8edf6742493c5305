import Foundation
import GRDB
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// What a custom migration makes is checked against the rules of its model: the same is said of it whether statements or
/// objects carried it over.
@Suite("Rules over the result of a custom migration") struct CustomRuleTests {
  private static let first = """
    entities:
      Customer:
        attributes: {name: string?, rank: integer16 = 0, since: date?, city: string?}
        relationships:
          orders: {toMany: Order, inverse: customer}
          region: {to: Region, inverse: customers}
      Item:
        attributes: {title: string?, count: {type: integer16, default: 1}, code: string?, price: double?}
        relationships:
          order: {to: Order, inverse: items}
      Order:
        attributes: {number: integer32 = 0, note: string?}
        relationships:
          customer: {to: Customer, inverse: orders}
          items: {toMany: Item, inverse: order}
          tags: {toMany: Tag, inverse: orders}
      Region:
        attributes: {name: string?, factor: double?}
        relationships:
          customers: {toMany: Customer, inverse: region}
      Tag:
        attributes: {name: string}
        relationships:
          orders: {toMany: Order, inverse: tags}

    """
  private static let second =
    first.replacing("note: string?", with: "note: string?, label: string?, from: date?, factor: double?")
    .replacing("city: string?", with: "city: string?, code: integer32?")
  private static let mapping = """
    entityMappings:
      CustomerToCustomer:
        source: Customer
        destination: Customer
        attributes: {code: '$source.rank * 2'}
      OrderToOrder:
        source: Order
        destination: Order
        attributes:
          label: 'concat($source.customer.name, " ", $source.customer.region.name, " ", $source.number)'
          from: $source.customer.since
          factor: $source.customer.region.factor
    """

  private static var objects: [ManagedObject] {
    var made: [ManagedObject] = []
    for key in 1...30 as ClosedRange<Int64> {
      var customer = ManagedObject(
        "Customer", key, values: ["name": .string("C\(key)"), "rank": .integer(key % 7)])
      if key != 5 { customer.values["since"] = .date(Double(key) * 1e6 + 0.25) }
      if key % 4 != 0 { customer.toOne["region"] = objectID("Region", key % 3 + 1) }
      var order = ManagedObject("Order", key * 2, values: ["number": .integer(key)])
      if key % 6 != 3 { order.toOne["customer"] = objectID("Customer", 31 - key) }
      order.toMany["tags"] = key.isMultiple(of: 2) ? [objectID("Tag", 1), objectID("Tag", 2)] : []
      var item = ManagedObject(
        "Item", key,
        values: [
          "title": .string("I\(key)"), "count": .integer(key % 5), "code": .string("c\(key)"),
          "price": .double(Double(key) / 2),
        ])
      item.toOne["order"] = objectID("Order", key * 2)
      made += [customer, order, item]
    }
    for key in 1...3 as ClosedRange<Int64> {
      let values: [String: AttributeValue] = ["name": .string("R\(key)"), "factor": .double(Double(key) / 4)]
      made.append(ManagedObject("Region", key, values: values))
      made.append(ManagedObject("Tag", key, values: ["name": .string("T\(key)")]))
    }
    return made
  }

  private struct Outcome {
    var objects: [ManagedObject] = []
    var violations: [RuleViolation] = []
    var codes: [String] = []
  }

  private func outcome(_ trial: CustomTrial, byObjects: Bool, of original: TestStore) throws -> Outcome {
    var trial = trial
    trial.custom.usesObjectCopy = byObjects
    let store = try original.copy(named: "\(byObjects).sqlite")
    var outcome = Outcome()
    do {
      let report = try trial.migrate(store)
      #expect(report.plan.route == .clone)
      // A value of another type is none of an object.
      outcome.objects = (try? store.objects(trial.model.last)) ?? []
      outcome.violations = report.violations
      outcome.codes = report.diagnostics.filter { $0.severity >= .warning }.map(\.code.description)
    } catch let error as MigrationValidationError {
      outcome.violations = error.violations
      outcome.codes = error.diagnostics.map(\.code.description)
    } catch let error as MigrationRefusedError {
      outcome.codes = error.plan.diagnostics.filter { $0.severity == .error }.map(\.code.description)
    }
    outcome.violations.sort { ($0.entity ?? "", $0.property ?? "") < ($1.entity ?? "", $1.property ?? "") }
    outcome.codes.sort()
    return outcome
  }

  /// What is done to the source, or said by the next version, and what is told.
  struct Story: CustomTestStringConvertible, Sendable {
    var name: String
    var spoiling: [String] = []
    /// In both versions, and in the second.
    var both: [String: String] = [:]
    var next: [String: String] = [:]
    var codes: [String] = []
    /// Where the plan knows it: what that says of objects that stay as they are.
    var planned: [String]?
    /// Whether it is about objects that stay as they are, unless all are made one by one.
    var isLeftAlone = false

    var testDescription: String { name }
  }

  private static let stories: [Story] = [
    Story(name: "nothing"),
    Story(
      name: "new columns that are the same for all, and an index over one of them",
      next: [
        "title: string?": "title: string?, kind: string = 'x', extra: date?, size: integer16 = 0",
        "{name: string?, factor: double?}\n":
          "{name: string?, factor: double?, note: string?}\n    fetchIndexes: {byNote: [note]}\n",
        "      customers: {toMany: Customer, inverse: region}\n":
          "      customers: {toMany: Customer, inverse: region}\n      best: {to: Tag, inverse: regions}\n",
        "attributes: {name: string}\n    relationships:\n":
          "attributes: {name: string}\n    relationships:\n      regions: {toMany: Region, inverse: best}\n",
      ]),
    Story(
      name: "a required value is missing, as before",
      spoiling: ["UPDATE ZITEM SET ZTITLE = NULL WHERE Z_PK = 3"],
      both: ["title: string?": "title: string"], codes: ["MC6102"], isLeftAlone: true),
    Story(
      name: "a new bound", next: ["{type: integer16, default: 1}": "{type: integer16, default: 1, max: 3}"],
      codes: ["MC6101", "MC6107"]),
    Story(
      name: "a new length and a new pattern",
      next: ["code: string?, price": "code: {type: string?, maxLength: 2, matching: '[a-z][1-9]'}, price"],
      codes: ["MC6101", "MC6112", "MC6114"]),
    Story(
      name: "a new rule",
      next: ["price: double?": "price: {type: double?, rules: [{predicate: 'SELF < 12'}]}"],
      codes: ["MC6101", "MC6117"]),
    Story(
      name: "a bound for a new value",
      next: ["code: integer32?": "code: {type: integer32?, max: 11}"], codes: ["MC6101", "MC6107"]),
    Story(
      name: "a text where a number belongs", spoiling: ["UPDATE ZITEM SET ZPRICE = 'x' WHERE Z_PK = 9"],
      codes: ["MC6102"], isLeftAlone: true),
    Story(
      name: "unusable keys", spoiling: ["UPDATE ZTAG SET Z_PK = -3 WHERE Z_PK = 3"],
      codes: ["MC6102"], isLeftAlone: true),
    Story(
      name: "references and pairs that lead nowhere",
      spoiling: [
        "UPDATE ZITEM SET ZORDER = 99 WHERE Z_PK = 4", "UPDATE ZORDER SET ZCUSTOMER = 77 WHERE Z_PK = 8",
        "UPDATE ZCUSTOMER SET ZREGION = 9 WHERE Z_PK = 7", "INSERT INTO Z_3TAGS VALUES (98, 1), (4, 97)",
      ]),
    Story(
      name: "a required reference is missing",
      spoiling: ["UPDATE ZITEM SET ZORDER = NULL WHERE Z_PK = 4"],
      both: ["order: {to: Order, inverse: items}": "order: {to: Order, inverse: items, optional: false}"],
      isLeftAlone: true),
    Story(
      name: "duplicates", spoiling: ["UPDATE ZITEM SET ZCODE = 'c1' WHERE Z_PK = 2"],
      next: ["  Order:\n": "    uniquenessConstraints: [[code]]\n  Order:\n"],
      codes: ["MC6101", "MC6201"], planned: ["MC3105"]),
    Story(
      name: "no duplicates",
      next: ["  Order:\n": "    uniquenessConstraints: [[code]]\n  Order:\n"]),
  ]

  @Test(arguments: stories) func `the same is made and told on both ways`(story: Story) throws {
    func text(_ version: String, _ changes: [String: String]) -> String {
      changes.reduce(version) { $0.replacing($1.key, with: $1.value) }
    }
    let trial = try CustomTrial(
      [text(Self.first, story.both), text(text(Self.second, story.both), story.next)],
      mappings: [Self.mapping])
    try withTemporaryFolder { folder in
      let store = try trial.store(Self.objects, in: folder)
      try store.write { db in for sql in story.spoiling { try db.execute(sql: sql) } }
      let one = try outcome(trial, byObjects: false, of: store)
      let other = try outcome(trial, byObjects: true, of: store)
      #expect(
        one.codes == story.planned ?? (story.isLeftAlone ? [] : story.codes) && other.codes == story.codes)
      guard !story.isLeftAlone, story.planned == nil else { return }
      #expect(one.objects == other.objects && one.violations == other.violations)
    }
  }

  @Test(arguments: [.clone, .alter, .copy, .relate, .validate, .prove] as [MigrationPhase])
  func `cancelled in any phase, the store is what it was`(phase: ModelMigration.MigrationPhase) throws {
    let trial = try CustomTrial([Self.first, Self.second], mappings: [Self.mapping])
    try withTemporaryFolder { folder in
      let store = try trial.store(Self.objects, in: folder)
      let before = try Data(contentsOf: store.url)
      let box = MonitorBox()
      let monitor = MigrationMonitor { if $0.phase == phase { box.monitor?.cancel() } }
      box.monitor = monitor
      let error = #expect(throws: DiagnosticsError.self) {
        try migrateStore(
          at: store.url.path, models: [trial.model], options: trial.options, custom: trial.custom,
          monitor: monitor)
      }
      #expect(error?.diagnostics.map(\.code) == [.cancelled])
      #expect(try Data(contentsOf: store.url) == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Store.sqlite"])
    }
  }
}

/// Set once, before the run begins.
private final class MonitorBox: @unchecked Sendable { var monitor: MigrationMonitor? }

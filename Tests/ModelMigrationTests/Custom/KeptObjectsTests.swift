import Foundation
import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Objects that a policy holds longer than a callback, changes from another one, or leaves to a base class.
@Suite("Objects in a policy's hands") struct KeptObjectsTests {
  private static let old = """
    entities:
      Hut:
        attributes: {name: string, rank: integer16 = 0, note: string?}
        relationships: {visits: {toMany: Visit, inverse: hut}}
      Visit:
        attributes: {text: string, blob: binary?}
        relationships: {hut: {to: Hut, inverse: visits}}

    """
  private static let new = old.replacing("note: string?", with: "note: string?, sign: string?")
    .replacing("blob: binary?", with: "blob: binary?, sign: string?")

  private static func mapping(_ hut: String?, _ visit: String?) -> String {
    func policy(_ name: String?) -> String { name.map { ", policy: \($0)" } ?? "" }
    return """
      entityMappings:
        HutToHut: {source: Hut, destination: Hut\(policy(hut))}
        VisitToVisit: {source: Visit, destination: Visit\(policy(visit))}
      """
  }

  private func store() -> [ManagedObject] {
    var made: [ManagedObject] = []
    for key in 1...40 as ClosedRange<Int64> {
      made.append(
        ManagedObject(
          "Hut", key,
          values: ["name": .string("hut \(key) — with a long name"), "rank": .integer(key % 7)]))
    }
    for key in 1...90 as ClosedRange<Int64> {
      var visit = ManagedObject("Visit", key, values: ["text": .string("a visit of some length, \(key)")])
      if key.isMultiple(of: 3) { visit.values["blob"] = .binary(Data(repeating: UInt8(key), count: 40)) }
      visit.toOne["hut"] = objectID("Hut", key % 40 + 1)
      made.append(visit)
    }
    return made
  }

  private func run(_ hut: EntityMigrationPolicy.Type?, _ visit: EntityMigrationPolicy.Type?) throws
    -> CustomTrial.Outcome
  {
    let policies = [hut, visit].compactMap(\.self)
    let mapping = Self.mapping(hut?.policyName, visit?.policyName)
    return try CustomTrial([Self.old, Self.new], mappings: [mapping], policies: policies).run(store())
  }

  /// What is there whatever a policy signs: every value and reference of the source.
  private func unsigned(_ objects: [ManagedObject]) -> [ManagedObject] {
    objects.map { object in
      var object = object
      object.values["sign"] = nil
      object.toMany = [:]
      return object
    }.sorted { ($0.id.entityName, $0.id.primaryKey) < ($1.id.entityName, $1.id.primaryKey) }
  }

  @Test func `source objects that were kept read their own rows later`() throws {
    let found = try run(KeepingPolicy.self, nil)
    #expect(
      found.texts("Hut", "sign").prefix(3) == [
        "hut 1 — with a long name 1", "hut 2 — with a long name 2", "hut 3 — with a long name 3",
      ])
    #expect(unsigned(found.objects) == unsigned(store()))
  }

  @Test func `an object is changed while another one is made, and once more when it is related`() throws {
    let found = try run(nil, ChangingPolicy.self)
    let signs = found.texts("Visit", "sign")
    #expect(signs[0] == "before 2, related" && signs[88] == "before 90, related" && signs[89] == "related")
    #expect(unsigned(found.objects) == unsigned(store()))
    #expect(found.links("Hut", "visits")[1] == "2>1,41,81")
  }

  @Test func `relationships that only some objects leave to super are set for these alone`() throws {
    // The other side would tell them.
    let versions = [Self.old, Self.new].map {
      $0.replacing("\n    relationships: {visits: {toMany: Visit, inverse: hut}}", with: "")
        .replacing("{to: Hut, inverse: visits}", with: "{to: Hut}")
    }
    let trial = try CustomTrial(
      versions, mappings: [Self.mapping(nil, "ChoosyPolicy")], policies: [ChoosyPolicy.self])
    let links = try trial.run(store()).links("Visit", "hut")
    #expect(links.prefix(4) == ["1>", "2>3", "3>", "4>5"])
  }

  @Test(arguments: [false, true]) func `a class between may relate, its subclass may not`(isRelating: Bool)
    throws
  {
    let found = try run(nil, isRelating ? RelatingPolicy.self : SubPolicy.self)
    #expect(Set(found.texts("Visit", "sign")) == [isRelating ? "made, related" : "made, related, below"])
    #expect(unsigned(found.objects) == unsigned(store()))
  }
}

/// Signs what it made when all are made, by what the kept sources say.
private final class KeepingPolicy: EntityMigrationPolicy {
  private var kept: [(source: ManagedObject, made: ManagedObject)] = []

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    for object in made { kept.append((sInstance, object)) }
  }

  override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
    for (source, made) in kept {
      let name: String = source["name"] ?? "-"
      made["sign"] = "\(name) \(made.objectID.primaryKey)"
    }
  }
}

private final class ChangingPolicy: EntityMigrationPolicy {
  private var last: ManagedObject?

  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    last?["sign"] = "before \(sInstance.objectID.primaryKey)"
    last =
      manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let sign: String? = dInstance["sign"]
    dInstance["sign"] = sign.map { $0 + ", related" } ?? "related"
  }
}

private final class ChoosyPolicy: EntityMigrationPolicy {
  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard dInstance.objectID.primaryKey.isMultiple(of: 2) else { return }
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
  }
}

private class RelatingPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance]).first?[
      "sign"] = "made"
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    sign(dInstance, ", related")
  }
}

private func sign(_ object: MigratingObject, _ text: String) {
  let sign: String? = object["sign"]
  object["sign"] = (sign ?? "-") + text
}

private final class SubPolicy: RelatingPolicy {
  override func createRelationships(
    forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    sign(dInstance, ", below")
  }
}

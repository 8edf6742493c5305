import Foundation
import ManagedModel
import TestSupport
import Testing

/// Every fact that a model can state, one by one: the fingerprint sees it, wherever it stands.
@Suite("Facts of a fingerprint") struct FingerprintFactTests {
  typealias Edit = (name: String, body: @Sendable (inout ManagedObjectModel) -> Void)

  static let model: ManagedObjectModel = {
    var model = modelOf(
      """
      Hut
        beds: integer16 = 1
        name: string
        owner -> Hut.huts
        huts => Hut.owner
      composite Point
        x: double
        y: double
      """)
    let request = FetchRequestDescription(name: "r", entityName: "Hut")
    model.entities[0].fetchedProperties = [FetchedPropertyDescription(name: "full", fetchRequest: request)]
    model.entities[0].fetchIndexes = [FetchIndexDescription(name: "i", elements: [.init(property: "beds")])]
    model.fetchRequestTemplates = [request]
    model.configurations = [ConfigurationDescription(name: "Local", entityNames: ["Hut", "Bed"])]
    return model
  }()

  private static func entity(_ name: String, _ body: @escaping @Sendable (inout EntityDescription) -> Void)
    -> Edit
  {
    ("entity: \(name)", { body(&$0.entities[0]) })
  }

  private static func attribute(
    _ name: String, _ body: @escaping @Sendable (inout AttributeDescription) -> Void
  ) -> Edit {
    ("attribute: \(name)", { body(&$0.entities[0].attributes[0]) })
  }

  private static func relationship(
    _ name: String, _ body: @escaping @Sendable (inout RelationshipDescription) -> Void
  ) -> Edit {
    ("relationship: \(name)", { body(&$0.entities[0].relationships[0]) })
  }

  private static func request(
    _ name: String, _ body: @escaping @Sendable (inout FetchRequestDescription) -> Void
  ) -> [Edit] {
    [
      ("request: \(name)", { body(&$0.fetchRequestTemplates[0]) }),
      ("fetched property: \(name)", { body(&$0.entities[0].fetchedProperties[0].fetchRequest) }),
    ]
  }

  static let seen: [Edit] = entityEdits + attributeEdits + relationshipEdits + requestEdits + modelEdits

  private static let entityEdits: [Edit] = [
    entity("name") { $0.name = "Cabin" }, entity("class") { $0.managedObjectClassName = "Hut" },
    entity("module") { $0.moduleName = "App" }, entity("generation") { $0.codeGenerationType = .class },
    entity("abstract") { $0.isAbstract = true }, entity("parent") { $0.superentityName = "Place" },
    entity("identifier") { $0.renamingIdentifier = "Cabin" },
    entity("modifier") { $0.versionHashModifier = "2" },
    entity("notes") { $0.userInfo = ["a": "b"] },
    entity("Spotlight") { $0.coreSpotlightDisplayName = "name" },
    entity("constraint") { $0.uniquenessConstraints = [["beds"]] },
    entity("compound index") { $0.compoundIndexes = [["beds"]] },
    entity("index name") { $0.fetchIndexes[0].name = "j" },
    entity("index predicate") { $0.fetchIndexes[0].partialIndexPredicate = "beds > 1" },
    entity("index element") { $0.fetchIndexes[0].elements[0].property = "name" },
    entity("index expression") { $0.fetchIndexes[0].elements[0].isExpression = true },
    entity("index order") { $0.fetchIndexes[0].elements[0].isAscending = false },
    entity("index kind") { $0.fetchIndexes[0].elements[0].collation = .rtree },
    entity("fetched property name") { $0.fetchedProperties[0].name = "empty" },
    entity("fetched property optional") { $0.fetchedProperties[0].isOptional = false },
    entity("fetched property notes") { $0.fetchedProperties[0].userInfo = ["a": ""] },
  ]

  private static let attributeEdits: [Edit] = [
    attribute("name") { $0.name = "places" }, attribute("type") { $0.type = .integer32 },
    attribute("optional") { $0.isOptional = true }, attribute("transient") { $0.isTransient = true },
    attribute("default") { $0.defaultValue = "2" }, attribute("no default") { $0.defaultValue = nil },
    attribute("archived default") { $0.defaultValue = .archived(Data("1".utf8)) },
    attribute("evaluated default") { $0.defaultValue = .evaluated(.unknown) },
    attribute("min") { $0.validation.minimum = "1" }, attribute("max") { $0.validation.maximum = "1" },
    attribute("min length") { $0.validation.minimumLength = 1 },
    attribute("max length") { $0.validation.maximumLength = 1 },
    attribute("pattern") { $0.validation.regularExpression = "1" },
    attribute("rule") { $0.validation.predicates = [.init(predicate: "TRUEPREDICATE", warning: "")] },
    attribute("scalar") { $0.usesScalarValueType = true },
    attribute("transformer") { $0.valueTransformerName = "T" },
    attribute("class") { $0.attributeValueClassName = "T" },
    attribute("external") { $0.allowsExternalBinaryDataStorage = true },
    attribute("preserved") { $0.preservesValueInHistoryOnDeletion = true },
    attribute("encrypted") { $0.allowsCloudEncryption = true },
    attribute("Spotlight") { $0.isIndexedBySpotlight = true },
    attribute("record") { $0.isStoredInExternalRecord = true }, attribute("indexed") { $0.isIndexed = true },
    attribute("derivation") { $0.derivationExpression = "huts.@count" },
    attribute("composite") { $0.compositeName = "Point" }, attribute("enum") { $0.enumTypeName = "Kind" },
    attribute("identifier") { $0.renamingIdentifier = "places" },
    attribute("modifier") { $0.versionHashModifier = "1" },
    attribute("notes") { $0.userInfo = ["": ""] },
  ]

  private static let relationshipEdits: [Edit] = [
    relationship("name") { $0.name = "keeper" },
    relationship("destination") { $0.destinationEntityName = "Bed" },
    relationship("inverse") { $0.inverseName = nil }, relationship("optional") { $0.isOptional = false },
    relationship("transient") { $0.isTransient = true }, relationship("min") { $0.minCount = 1 },
    relationship("max") { $0.maxCount = 2 }, relationship("ordered") { $0.isOrdered = true },
    relationship("delete rule") { $0.deleteRule = .deny }, relationship("indexed") { $0.isIndexed = true },
    relationship("Spotlight") { $0.isIndexedBySpotlight = true },
    relationship("record") { $0.isStoredInExternalRecord = true },
    relationship("identifier") { $0.renamingIdentifier = "keeper" },
    relationship("modifier") { $0.versionHashModifier = "1" },
    relationship("notes") { $0.userInfo = ["a": "b"] },
  ]

  private static let requestEdits: [Edit] =
    request("name") { $0.name = "s" } + request("entity") { $0.entityName = "Bed" }
    + request("predicate") { $0.predicate = "" }
    + request("sort") { $0.sortDescriptors = [.init(keyPath: "beds")] }
    + request("limit") { $0.fetchLimit = 1 } + request("batch") { $0.fetchBatchSize = 1 }
    + request("heirs") { $0.includesSubentities = false }
    + request("values") { $0.includesPropertyValues = false }
    + request("pending") { $0.includesPendingChanges = false }
    + request("distinct") { $0.returnsDistinctResults = true }
    + request("faults") { $0.returnsObjectsAsFaults = false } + request("result") { $0.resultType = 2 }

  private static let modelEdits: [Edit] = [
    ("model: identifiers", { $0.versionIdentifiers = ["1"] }),
    ("model: retired", { $0.retired = ["Hut.fax"] }),
    ("model: localization", { $0.localizationDictionary = ["a": "b"] }),
    ("model: configuration name", { $0.configurations[0].name = "Cloud" }),
    ("model: configuration members", { $0.configurations[0].entityNames = ["Hut"] }),
    (
      "model: a key in JSON",
      { $0.codings["Point"] = ValueCoding(.members, [.init("x", key: "lon"), .init("y", key: "y")]) }
    ),
    ("model: composite name", { $0.composites[0].name = "Spot" }),
    ("model: composite order", { $0.composites[0].elements.reverse() }),
    ("model: element", { $0.composites[0].elements[0].isOptional = true }),
    ("model: another entity", { $0.entities.append(EntityDescription(name: "Bed")) }),
  ]

  @Test(arguments: seen.indices)
  func `each is seen`(index: Int) {
    var edited = Self.model
    Self.seen[index].body(&edited)
    #expect(edited.fingerprint != Self.model.fingerprint, "\(Self.seen[index].name)")
  }

  @Test func `no two of them are the same`() {
    let prints = Self.seen.map { edit in
      var edited = Self.model
      edit.body(&edited)
      return edited.fingerprint
    }
    #expect(Set(prints).count == Self.seen.count)
  }

  /// What Core Data keeps no order of, what only Xcode reads, and texts of one value.
  static let unseen: [Edit] = [
    entity("class of none") { $0.managedObjectClassName = "NSManagedObject" },
    entity("order of attributes") { $0.attributes.reverse() },
    entity("order of relationships") { $0.relationships.reverse() },
    entity("own name as identifier") { $0.renamingIdentifier = "Hut" },
    attribute("default of one value") { $0.defaultValue = "1.0" },
    attribute("no scalar") { $0.usesScalarValueType = false },
    ("order of members", { $0.configurations[0].entityNames.reverse() }),
    ("profile", { $0.profile = .cloudKit }),
    (
      "editor",
      { $0.editorSettings = EditorSettings(minimumToolsVersion: "9", usedWithCloudKit: true, diagram: []) }
    ),
  ]

  @Test(arguments: unseen.indices)
  func `what says the same is not seen`(index: Int) {
    var edited = Self.model
    Self.unseen[index].body(&edited)
    #expect(edited.fingerprint == Self.model.fingerprint, "\(Self.unseen[index].name)")
  }

  @Test func `bounds are compared by value, and text that is no value as it stands`() {
    func print(_ minimum: String) -> String {
      var edited = Self.model
      edited.entities[0].attributes[0].validation.minimum = minimum
      return edited.fingerprint
    }
    #expect(print("1") == print("1.0") && print("1") != print("2") && print("one") != print("two"))
  }

  /// Lengths stand in front, so that nothing can be moved from one field to the next.
  @Test func `text cannot wander between fields`() {
    func print(_ lists: [[String]]) -> String {
      ManagedObjectModel(entities: [EntityDescription(name: "A", uniquenessConstraints: lists)]).fingerprint
    }
    let lists: [[[String]]] = [
      [["a", "b"]], [["a"], ["b"]], [["ab"]], [["a", "b", ""]], [["", "a", "b"]], [["a\u{0}b"]],
    ]
    #expect(Set(lists.map(print)).count == lists.count)
    #expect(ManagedObjectModel().fingerprint.utf8.count == 64)
  }
}

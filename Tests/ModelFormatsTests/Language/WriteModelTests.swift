import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite struct WriteModelTests {
  @Test func `the shortest readable form is written`() {
    let hut = EntityDescription(
      name: "Hut", managedObjectClassName: "Hut", superentityName: "Place",
      attributes: [
        AttributeDescription(name: "beds", type: .integer16, defaultValue: "0"),
        AttributeDescription(name: "elevation", type: .double, isOptional: true),
        AttributeDescription(name: "motto", type: .string, defaultValue: "a: b"),
        AttributeDescription(name: "code", type: .string, defaultValue: "1.10"),
        AttributeDescription(name: "empty", type: .string, defaultValue: ""),
        AttributeDescription(
          name: "price", type: .decimal, defaultValue: "1.10",
          validation: AttributeValidation(minimum: "0.50")),
        AttributeDescription(name: "thing", type: .transformable, defaultValue: .archived(Data([1, 2, 3]))),
      ],
      relationships: [
        RelationshipDescription(name: "trail", destinationEntityName: "Trail", inverseName: "huts"),
        RelationshipDescription(
          name: "visits", destinationEntityName: "Visit", inverseName: "hut", isOptional: false, maxCount: 0,
          deleteRule: .cascade),
      ],
      uniquenessConstraints: [["name", "region"]],
      fetchIndexes: [
        FetchIndexDescription(
          name: "byElevation", elements: [FetchIndexElement(property: "elevation", isAscending: false)])
      ], userInfo: ["owner": "NO"])
    let model = ManagedObjectModel(
      versionIdentifiers: ["3"], entities: [EntityDescription(name: "Place", isAbstract: true), hut],
      composites: [
        CompositeDescription(
          name: "Coordinate", elements: [AttributeDescription(name: "x", type: .double, defaultValue: "0")])
      ])
    #expect(
      writeModel(model) == """
        identifiers: ["3"]
        entities:
          Place:
            abstract: true
          Hut:
            parent: Place
            class: Hut
            attributes:
              beds: integer16 = 0
              elevation: double?
              motto: {type: string, default: "a: b"}
              code: string = 1.10
              empty: string = ''
              price: {type: decimal, default: 1.10, min: 0.50}
              thing: {type: transformable, default: {archived: AQID}}
            relationships:
              trail: {to: Trail, inverse: huts}
              visits: {toMany: Visit, optional: false, inverse: hut, deleteRule: cascade}
            uniquenessConstraints:
              - [name, region]
            fetchIndexes:
              byElevation: [elevation desc]
            userInfo: {owner: "NO"}
        composites:
          Coordinate: {x: double = 0}

        """)
  }

  @Test func `an empty model and empty entities are written`() throws {
    try expectRoundTrip(ManagedObjectModel())
    try expectRoundTrip(ManagedObjectModel(entities: [EntityDescription(name: "E")]))
    try expectRoundTrip(
      ManagedObjectModel(
        versionIdentifiers: [""], entities: [EntityDescription(name: "", managedObjectClassName: "")]))
  }

  @Test func `the page's example comes back out with the same meaning`() throws {
    let model = try #require(readModel(yaml: Data(exampleOfThePage.utf8), file: "V1.yaml").model)
    try expectRoundTrip(model)
  }

  @Test(arguments: 0..<150)
  func `any model is read back as it was written`(seed: UInt64) throws {
    var generator = ModelGenerator(seed: seed)
    try expectRoundTrip(generator.model())
  }

  private func expectRoundTrip(
    _ model: ManagedObjectModel, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let text = writeModel(model)
    let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
    #expect(
      reading.diagnostics.filter { $0.code.description != "MC1306" } == [], sourceLocation: sourceLocation)
    if reading.model != model {
      Issue.record("another model was read from:\n\(text)", sourceLocation: sourceLocation)
    }
    #expect(writeModel(try #require(reading.model)) == text, sourceLocation: sourceLocation)
  }
}

/// Models with every fact at random and names and texts that are hard to write.
struct ModelGenerator {
  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func model() -> ManagedObjectModel {
    ManagedObjectModel(
      versionIdentifiers: texts(), entities: distinct(0..<5) { $0.entity(named: $1) },
      composites: distinct(0..<3) { generator, name in
        CompositeDescription(name: name, elements: generator.distinct(0..<4) { $0.attribute(named: $1) })
      },
      configurations: distinct(0..<3) { ConfigurationDescription(name: $1, entityNames: $0.texts()) },
      fetchRequestTemplates: distinct(0..<3) { $0.fetchRequest(named: $1) },
      localizationDictionary: dictionary(), retired: texts(),
      editorSettings: EditorSettings(
        minimumToolsVersion: optionalText(), sourceLanguage: optionalText(), usedWithCloudKit: flag(),
        usedWithSwiftData: flag()))
  }

  private mutating func entity(named name: String) -> EntityDescription {
    EntityDescription(
      name: name, managedObjectClassName: optionalText(), moduleName: optionalText(),
      codeGenerationType: rarely(CodeGenerationType.allCases.randomElement(using: &random)),
      isAbstract: flag(), superentityName: optionalText(),
      attributes: distinct(0..<6) { $0.attribute(named: $1) },
      relationships: distinct(0..<4) { $0.relationship(named: $1) },
      fetchedProperties: distinct(0..<2) { generator, name in
        FetchedPropertyDescription(
          name: name, isOptional: generator.flag(),
          fetchRequest: generator.fetchRequest(named: generator.text()),
          userInfo: generator.dictionary())
      },
      uniquenessConstraints: (0..<count(0..<3)).map { _ in texts() },
      fetchIndexes: distinct(0..<3) { generator, name in
        FetchIndexDescription(
          name: name, elements: (0..<generator.count(0..<3)).map { _ in generator.indexElement() },
          partialIndexPredicate: generator.optionalText())
      },
      compoundIndexes: (0..<count(0..<2)).map { _ in texts() }, renamingIdentifier: optionalText(),
      versionHashModifier: optionalText(), userInfo: dictionary(), coreSpotlightDisplayName: optionalText())
  }

  private mutating func attribute(named name: String) -> AttributeDescription {
    var attribute = AttributeDescription(
      name: name, type: AttributeType.allCases.randomElement(using: &random) ?? .string, isOptional: flag())
    switch count(0..<5) {
    case 0, 1: attribute.defaultValue = .text(text())
    case 2:
      attribute.defaultValue = .archived(
        Data((0..<count(0..<9)).map { _ in UInt8.random(in: 0...255, using: &random) }))
    default: break
    }
    // Every other attribute can take the short form.
    guard flag() else { return attribute }
    attribute.isTransient = flag()
    attribute.validation = AttributeValidation(
      minimum: optionalText(), maximum: optionalText(), minimumLength: rarely(count(-3..<9)),
      maximumLength: rarely(count(0..<1000)), regularExpression: optionalText(),
      predicates: (0..<count(0..<2)).map { _ in ValidationPredicate(predicate: text(), warning: text()) })
    attribute.usesScalarValueType = rarely(flag())
    attribute.valueTransformerName = optionalText()
    attribute.attributeValueClassName = optionalText()
    attribute.allowsExternalBinaryDataStorage = flag()
    attribute.preservesValueInHistoryOnDeletion = flag()
    attribute.allowsCloudEncryption = flag()
    attribute.isIndexedBySpotlight = flag()
    attribute.isStoredInExternalRecord = flag()
    attribute.isIndexed = flag()
    attribute.derivationExpression = optionalText()
    attribute.compositeName = optionalText()
    attribute.enumTypeName = optionalText()
    attribute.renamingIdentifier = optionalText()
    attribute.versionHashModifier = optionalText()
    attribute.userInfo = dictionary()
    return attribute
  }

  private mutating func relationship(named name: String) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: text(), inverseName: optionalText(), isOptional: flag(),
      isTransient: flag(), minCount: count(-1..<4), maxCount: count(-1..<4), isOrdered: flag(),
      deleteRule: DeleteRule.allCases.randomElement(using: &random) ?? .nullify, isIndexed: flag(),
      renamingIdentifier: optionalText(), versionHashModifier: optionalText(), userInfo: dictionary())
  }

  private mutating func fetchRequest(named name: String) -> FetchRequestDescription {
    FetchRequestDescription(
      name: name, entityName: text(), predicate: optionalText(),
      sortDescriptors: (0..<count(0..<3)).map { _ in SortDescription(keyPath: text(), isAscending: flag()) },
      fetchLimit: count(0..<3), fetchBatchSize: count(0..<3), includesSubentities: flag(),
      includesPropertyValues: flag(), includesPendingChanges: flag(), returnsDistinctResults: flag(),
      resultType: count(0..<6))
  }

  private mutating func indexElement() -> FetchIndexElement {
    FetchIndexElement(
      property: text(), isExpression: flag(),
      collation: FetchIndexCollation.allCases.randomElement(using: &random) ?? .binary, isAscending: flag())
  }

  private mutating func distinct<Element>(
    _ range: Range<Int>, _ make: (inout ModelGenerator, String) -> Element
  ) -> [Element] {
    var seen: Set<String> = []
    return (0..<count(range)).compactMap { _ in
      let name = text()
      return seen.insert(name).inserted ? make(&self, name) : nil
    }
  }

  private mutating func count(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func flag() -> Bool { Bool.random(using: &random) }
  private mutating func rarely<Value>(_ value: Value?) -> Value? { count(0..<3) == 0 ? value : nil }
  private mutating func text() -> String { nastyText(using: &random) }
  private mutating func optionalText() -> String? { rarely(text()) }
  private mutating func texts() -> [String] { (0..<count(0..<3)).map { _ in text() } }

  private mutating func dictionary() -> [String: String] {
    var texts: [String: String] = [:]
    for _ in 0..<count(0..<3) { texts[text()] = text() }
    return texts
  }
}

import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite struct ReadModelTests {
  private func readModelText(_ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation)
    -> ManagedObjectModel?
  {
    let reading = readModel(yaml: Data(text.utf8), file: "V1.yaml")
    #expect(reading.diagnostics == [], sourceLocation: sourceLocation)
    return reading.model
  }

  private func readAttribute(
    _ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> AttributeDescription? {
    readModelText("entities: {E: {attributes: {\n a: \(text)\n}}}", sourceLocation: sourceLocation)?
      .entities.first?.attributes.first
  }

  private func readEntity(
    _ text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> EntityDescription? {
    readModelText("entities: {E: {\n\(text)\n}}", sourceLocation: sourceLocation)?.entities.first
  }

  @Test func `the example of the language's page says what it seems to say`() throws {
    let model = try #require(readModelText(exampleOfThePage))
    #expect(model.versionIdentifiers == ["3"])
    #expect(model.retired == ["Hut.fax", "Cabin"])
    #expect(model.configurations == [ConfigurationDescription(name: "Local", entityNames: ["Hut", "Trail"])])
    let hut = try #require(model.entities.last)
    #expect(hut.superentityName == "Place")
    #expect(hut.managedObjectClassName == "Hut")
    #expect(hut.renamingIdentifier == "Cabin")
    #expect(hut.versionHashModifier == "hut-photos-are-jpeg")
    #expect(hut.uniquenessConstraints == [["name", "region"]])
    #expect(hut.userInfo == ["owner": "backend"])
    let expected: [AttributeDescription] = [
      AttributeDescription(name: "beds", type: .integer16, defaultValue: "0"),
      AttributeDescription(name: "elevation", type: .double, isOptional: true),
      AttributeDescription(name: "opened", type: .date, defaultValue: "2024-05-01T00:00:00Z"),
      AttributeDescription(name: "website", type: .uri, isOptional: true, renamingIdentifier: "url"),
      AttributeDescription(
        name: "photo", type: .binary, isOptional: true, allowsExternalBinaryDataStorage: true),
      AttributeDescription(
        name: "searchName", type: .string, isOptional: true, derivationExpression: "canonical:(name)"),
      AttributeDescription(
        name: "note", type: .string, isOptional: true,
        validation: AttributeValidation(
          minimumLength: 1, maximumLength: 500, regularExpression: "[^\\n]+")),
      AttributeDescription(
        name: "stars", type: .integer16, defaultValue: "0",
        validation: AttributeValidation(minimum: "0", maximum: "5")),
      AttributeDescription(
        name: "palette", type: .transformable, isOptional: true, valueTransformerName: "ColorsTransformer",
        attributeValueClassName: "NSArray"),
      AttributeDescription(name: "position", type: .composite, isOptional: true, compositeName: "Coordinate"),
      AttributeDescription(name: "cached", type: .string, isOptional: true, isTransient: true),
    ]
    #expect(hut.attributes == expected)
    #expect(
      hut.relationships == [
        RelationshipDescription(name: "trail", destinationEntityName: "Trail", inverseName: "huts"),
        RelationshipDescription(
          name: "visits", destinationEntityName: "Visit", inverseName: "hut", minCount: 0, maxCount: 10,
          isOrdered: true, deleteRule: .cascade),
      ])
    #expect(
      hut.fetchIndexes == [
        FetchIndexDescription(
          name: "byElevation",
          elements: [
            FetchIndexElement(property: "elevation", isAscending: false), FetchIndexElement(property: "name"),
          ]),
        FetchIndexDescription(
          name: "byPosition",
          elements: ["latitude", "longitude"].map { FetchIndexElement(property: $0, collation: .rtree) },
          partialIndexPredicate: "elevation > 0"),
      ])
    #expect(hut.fetchedProperties.map(\.fetchRequest.predicate) == ["beds == 0"])
    #expect(
      model.fetchRequestTemplates == [
        FetchRequestDescription(
          name: "HighHuts", entityName: "Hut", predicate: "elevation > 2500",
          sortDescriptors: [SortDescription(keyPath: "elevation", isAscending: false)], fetchLimit: 20)
      ])
    #expect(model.composites.first?.elements.map(\.defaultValue) == ["0", "0"])
  }

  @Test(arguments: [
    ("string", "{type: string}"), ("string?", "{type: string?}"), ("string ?", "{type: string?}"),
    ("string?", "{type: string, optional: true}"), ("string", "{type: string, optional: false}"),
    ("integer16 = 0", "{type: integer16, default: 0}"), ("integer16=0", "{type: integer16, default: 0}"),
    ("decimal = 1.10", "{type: decimal, default: 1.10}"), ("boolean = NO", "{type: boolean, default: NO}"),
    ("string = NO", "{type: string, default: 'NO'}"), ("string = ''", "{type: string, default: ''}"),
    ("string = \"\"", "{type: string, default: \"\"}"), ("string = ' a '", "{type: string, default: ' a '}"),
    ("string =  a b ", "{type: string, default: a b}"), ("string = a = b", "{type: string, default: a = b}"),
    ("string = it's", "{type: string, default: it's}"), ("string = \"'\"", "{type: string, default: \"'\"}"),
    ("string? = ~", "{type: string?, default: '~'}"), ("'string = x'", "{type: string, default: x}"),
    ("date = 2024-05-01T00:00:00Z", "{type: date, default: '2024-05-01T00:00:00Z'}"),
    ("string = a?", "{type: string, default: a?}"), ("integer64 = -1", "{type: integer64, default: -1}"),
  ])
  func `the short form says what the long form says`(short: String, long: String) throws {
    let attribute = try #require(readAttribute(short))
    #expect(attribute == readAttribute(long))
  }

  @Test(arguments: [
    ("class: Hut", "class: {name: Hut}"),
    ("class: {codeGeneration: class}", "class: {codeGeneration: class}"),
    ("fetchIndexes: {i: [a]}", "fetchIndexes: {i: {elements: [a]}}"),
    ("fetchIndexes: {i: [a asc]}", "fetchIndexes: {i: {elements: [{property: a}]}}"),
    (
      "fetchIndexes: {i: [a desc]}",
      "fetchIndexes: {i: {elements: [{property: a, kind: binary, ascending: false}]}}"
    ),
    (
      "relationships: {r: {to: T}}",
      "relationships: {r: {to: T, optional: true, max: 1, deleteRule: nullify}}"
    ),
    ("relationships: {r: {toMany: T}}", "relationships: {r: {toMany: T, min: 0, max: 0, ordered: false}}"),
    ("attributes:", "attributes: {}"), ("uniquenessConstraints: []", "abstract: false"),
  ])
  func `what is left out has the value it would be given`(short: String, long: String) throws {
    let entity = try #require(readEntity(short))
    #expect(entity == readEntity(long))
  }

  @Test(arguments: AttributeType.allCases)
  func `every type has its name`(type: AttributeType) throws {
    #expect(try #require(readAttribute(type.name)).type == type)
    #expect(try #require(readAttribute("\(type.name)?")).isOptional)
  }

  @Test func `places cover keys and values exactly`() {
    let source = MarkedSource(
      """
      entities:
        Hut:
          parent: Place
          attributes:
            beds: integer16 = 0
            stars: {type: integer16, min: 1, max: 5}
          relationships:
            trail: {to: Trail, inverse: huts}
          uniquenessConstraints:
            - [name, region]
          fetchIndexes:
            byName: [name]
      composites:
        Coordinate: {latitude: double}
      configurations:
        Local: [Hut]
      """)
    let map = readModel(yaml: source.data, file: "V1.yaml").sourceMap
    func covered(_ entity: String?, _ property: String? = nil, _ key: String? = nil) -> String {
      let subject = ModelSubject(version: "V1", entity: entity, property: property, key: key)
      return map[subject].map(source.covered) ?? "(nowhere)"
    }
    #expect(covered("Hut") == "Hut")
    #expect(covered("Hut", nil, "parent") == "Place")
    #expect(covered("Hut", "beds") == "beds")
    #expect(covered("Hut", "beds", "default") == "0")
    #expect(covered("Hut", "stars", "max") == "5")
    #expect(covered("Hut", "trail", "inverse") == "huts")
    #expect(covered("Hut", nil, "uniquenessConstraints[0]") == "[name, region]")
    #expect(covered("Hut", nil, "uniquenessConstraints[0][1]") == "region")
    #expect(covered("Hut", nil, "fetchIndexes.byName") == "byName")
    #expect(covered(nil, nil, "composites.Coordinate.latitude") == "latitude")
    #expect(covered(nil, nil, "configurations.Local") == "Local")
  }

  @Test func `a file that is no YAML has no model`() {
    let reading = readModel(yaml: Data("entities: [".utf8), file: "V1.yaml")
    #expect(reading.model == nil)
    #expect(reading.diagnostics.map(\.code.description) == ["MC0001"])
  }
}

let exampleOfThePage = """
  # yaml-language-server: $schema=…   (written by `modelc init`)
  identifiers: ["3"]                      # free text, like userDefinedModelVersionIdentifier
  entities:
    Place:
      abstract: true
      attributes:
        name: string                      # TYPE[?] [= DEFAULT]: '?' makes it optional
        updatedAt: date?
    Hut:
      parent: Place
      class: Hut                          # representedClassName; module and code generation in the long form
      renamingIdentifier: Cabin
      versionHashModifier: hut-photos-are-jpeg
      attributes:
        beds: integer16 = 0
        elevation: double?
        opened: date = 2024-05-01T00:00:00Z
        website: {type: uri?, renamingIdentifier: url}
        photo: {type: binary?, externalStorage: true}
        searchName: {type: string?, derivation: "canonical:(name)"}
        note: {type: string?, minLength: 1, maxLength: 500, matching: "[^\\\\n]+"}
        stars: {type: integer16, default: 0, min: 0, max: 5}
        palette: {type: transformable?, transformer: ColorsTransformer, valueClass: NSArray}
        position: {type: composite?, composite: Coordinate}
        cached: {type: string?, transient: true}
      relationships:
        trail: {to: Trail, optional: true, inverse: huts, deleteRule: nullify}        # to-one
        visits: {toMany: Visit, inverse: hut, deleteRule: cascade, ordered: true, min: 0, max: 10}
      fetchedProperties:
        fullHuts: {entity: Hut, predicate: "beds == 0"}
      uniquenessConstraints:
        - [name, region]
      fetchIndexes:
        byElevation: [elevation desc, name]
        byPosition: {elements: [{property: latitude, kind: rtree}, {property: longitude, kind: rtree}], where: "elevation > 0"}
      userInfo: {owner: backend}
  composites:
    Coordinate: {latitude: double = 0, longitude: double = 0}
  configurations:
    Local: [Hut, Trail]
  retired: [Hut.fax, Cabin]               # removed on purpose
  fetchRequests:
    HighHuts: {entity: Hut, predicate: "elevation > 2500", sort: [elevation desc], limit: 20}
  """

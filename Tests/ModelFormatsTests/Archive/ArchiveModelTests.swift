import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

/// What an archive cannot hold: the spelling of a default or a bound. It holds the value.
func withValuesForTexts(_ model: ManagedObjectModel) -> ManagedObjectModel {
  var model = model
  func plain(_ attribute: inout AttributeDescription) {
    if let value = attribute.typedDefaultValue { attribute.defaultValue = .text(value.text) }
    func text(_ bound: String?) -> String? {
      bound.map { AttributeValue(parsing: $0, as: attribute.type)?.text ?? $0 }
    }
    attribute.validation.minimum = text(attribute.validation.minimum)
    attribute.validation.maximum = text(attribute.validation.maximum)
  }
  for place in model.entities.indices {
    for index in model.entities[place].attributes.indices { plain(&model.entities[place].attributes[index]) }
  }
  // What only says how Xcode draws and saved the model stays out of compiled ones.
  let settings = model.editorSettings
  model.editorSettings = EditorSettings(
    minimumToolsVersion: settings.minimumToolsVersion, sourceLanguage: settings.sourceLanguage,
    usedWithCloudKit: settings.usedWithCloudKit, usedWithSwiftData: settings.usedWithSwiftData)
  for place in model.composites.indices {
    for index in model.composites[place].elements.indices { plain(&model.composites[place].elements[index]) }
  }
  return model
}

@Suite(.needsFixtures)
struct ArchiveGenuineModelTests {
  static let models = Fixtures.all(withExtension: "xcdatamodel")

  @Test(arguments: models)
  func `a genuine model comes back from its archive as it was`(_ url: URL) throws {
    let model = try #require(readXcodeModelPackage(at: url).model?.versions.first?.model)
    let archive = model.keyedArchive()
    #expect(archive == model.keyedArchive())
    let back = try archive.unarchiveModel(file: "m.mom")
    #expect(back == withValuesForTexts(model))
    #expect(back.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(back.keyedArchive() == archive)
  }

  @Test(arguments: models)
  func `a genuine model comes back from a model cache by name`(_ url: URL) throws {
    var model = try #require(readXcodeModelPackage(at: url).model?.versions.first?.model)
    let cache = try model.encodedCache()
    #expect(try cache == model.encodedCache())
    let back = try cache.decodeModelCache()
    model.entities.sort { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
    #expect(back == withValuesForTexts(model))
    #expect(back.entityVersionHashesByName == model.entityVersionHashesByName)
  }
}

@Suite(.needsFixtures)
struct UnarchiveGenuineModelTests {
  static let archives = Fixtures.all(withExtension: "mom")

  @Test func `there are genuine archives`() { #expect(Self.archives.count == 6) }

  @Test(arguments: archives)
  func `a genuine compiled model is its source`(_ url: URL) throws {
    let name = url.deletingPathExtension().lastPathComponent
    let folder = url.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let package = folder.appending(path: folder.lastPathComponent + ".xcdatamodeld")
    var source = try #require(readXcodeModelPackage(at: package).model?.version(named: name)?.model)
    let model = try Data(contentsOf: url).unarchiveModel(file: name)
    #expect(model.entityVersionHashesByName == source.entityVersionHashesByName)
    // Facts that Core Data's own archive does not hold: what concerns Xcode alone, and the order.
    source = withValuesForTexts(source)
    source.editorSettings = EditorSettings()
    for place in source.entities.indices {
      source.entities[place].codeGenerationType = nil
      source.entities[place].attributes.sort { $0.name < $1.name }
      source.entities[place].relationships.sort { $0.name < $1.name }
      for index in source.entities[place].attributes.indices {
        source.entities[place].attributes[index].usesScalarValueType = nil
        source.entities[place].attributes[index].attributeValueClassName = nil
      }
    }
    source.entities.sort { $0.name < $1.name }
    #expect(model == source)
  }

  @Test(arguments: archives)
  func `a genuine compiled model archived anew reads the same`(_ url: URL) throws {
    let model = try Data(contentsOf: url).unarchiveModel(file: url.path)
    #expect(try model.keyedArchive().unarchiveModel(file: "m") == model)
    #expect(try model.encodedCache().decodeModelCache() == model)
  }
}

@Suite struct ArchiveModelTests {
  private func model(_ attributes: [AttributeDescription]) -> ManagedObjectModel {
    ManagedObjectModel(
      versionIdentifiers: ["1"], entities: [EntityDescription(name: "E", attributes: attributes)])
  }

  @Test(arguments: [
    (AttributeType.integer16, "-5"), (.integer64, "9223372036854775807"),
    (.integer64, "-9223372036854775808"),
    (.decimal, "1.1"), (.decimal, "-0.000000000001"), (.decimal, "12345678901234567890123456789012345678"),
    (.decimal, "100000000000000000000000000000000000000000000000000"), (.decimal, "0"),
    (.double, "0.1"), (.double, "-0.0"), (.float, "0.1"), (.string, ""), (.string, "Zürich 🏔"),
    (.boolean, "true"), (.boolean, "false"), (.date, "2024-05-01T00:00:00Z"), (.date, "0.5"),
    (.binary, "AAEC/w=="), (.uuid, "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
    (.uri, "https://example.org/a?b=c"), (.transformable, "AAEC"),
  ])
  func `a default of every type comes back`(_ type: AttributeType, _ text: String) throws {
    let attribute = AttributeDescription(name: "a", type: type, defaultValue: .text(text))
    try #require(attribute.typedDefaultValue != nil)
    let back = try model([attribute]).keyedArchive().unarchiveModel(file: "m").entities.first?.attributes
      .first
    #expect(back?.typedDefaultValue == attribute.typedDefaultValue)
    #expect(back == attribute)
  }

  @Test func `a default that is no value of its type keeps its text`() throws {
    let attribute = AttributeDescription(name: "a", type: .integer16, defaultValue: "many")
    let back = try model([attribute]).keyedArchive().unarchiveModel(file: "m")
    #expect(back == model([attribute]))
  }

  @Test func `validation rules of every kind come back`() throws {
    let attributes = [
      AttributeDescription(
        name: "n", type: .integer32, validation: AttributeValidation(minimum: "0", maximum: "5")),
      AttributeDescription(name: "d", type: .decimal, validation: AttributeValidation(minimum: "0.1")),
      AttributeDescription(
        name: "t", type: .date,
        validation: AttributeValidation(minimum: "2001-01-01T00:00:00Z", maximum: "86400.5")),
      AttributeDescription(
        name: "s", type: .string,
        validation: AttributeValidation(minimumLength: 1, maximumLength: 9, regularExpression: "[a-z]*")),
      AttributeDescription(
        name: "p", type: .string,
        validation: AttributeValidation(
          predicates: [ValidationPredicate(predicate: "SELF != \"x\"", warning: "not x")])),
      AttributeDescription(name: "w", type: .integer32, validation: AttributeValidation(minimum: "three")),
    ]
    #expect(try model(attributes).keyedArchive().unarchiveModel(file: "m") == model(attributes))
  }

  @Test(arguments: [
    "pages.@count", "author.name", "name", "canonical:(name)", "lowercase:(author.name)", "now()",
    "items.@sum.price", "author.books.@sum.price", "count:(pages)", "first ++ last", "canonical: ( name )",
  ])
  func `a derivation comes back as it was written`(_ text: String) throws {
    let attribute = AttributeDescription(name: "a", type: .integer64, derivationExpression: text)
    #expect(try model([attribute]).keyedArchive().unarchiveModel(file: "m") == model([attribute]))
    #expect(try model([attribute]).encodedCache().decodeModelCache() == model([attribute]))
  }

  /// Every fact that a model can state, at once.
  static let full: ManagedObjectModel = {
    let request = FetchRequestDescription(
      name: "r", entityName: "B", predicate: "x == $X", sortDescriptors: [SortDescription(keyPath: "x")],
      fetchLimit: 3, fetchBatchSize: 7, includesSubentities: false, returnsDistinctResults: true,
      resultType: 2)
    var b = EntityDescription(
      name: "B", managedObjectClassName: "Bee", moduleName: ".", codeGenerationType: .category,
      superentityName: "A", uniquenessConstraints: [["x", "y"], ["z"]], renamingIdentifier: "Old",
      versionHashModifier: "m", userInfo: ["k": "v", "j": ""], coreSpotlightDisplayName: "x")
    b.attributes = [
      AttributeDescription(
        name: "x", type: .binary, isOptional: true, usesScalarValueType: false,
        allowsExternalBinaryDataStorage: true, preservesValueInHistoryOnDeletion: true,
        allowsCloudEncryption: true, isIndexedBySpotlight: true, isStoredInExternalRecord: true,
        isIndexed: true, renamingIdentifier: "w", versionHashModifier: "2", userInfo: ["a": "b"]),
      AttributeDescription(name: "c", type: .composite, compositeName: "Outer"),
      AttributeDescription(name: "e", type: .string, defaultValue: "one", enumTypeName: "Kind"),
      AttributeDescription(
        name: "t", type: .transformable, isTransient: true, valueTransformerName: "T",
        attributeValueClassName: "[Int64]"),
    ]
    b.relationships = [
      RelationshipDescription(
        name: "as", destinationEntityName: "A", inverseName: "b", isOptional: false, minCount: 1,
        maxCount: -1, isOrdered: true, deleteRule: .deny, isIndexed: true, renamingIdentifier: "v",
        versionHashModifier: "3", userInfo: ["c": "d"]),
      RelationshipDescription(name: "lost", destinationEntityName: "Nowhere", inverseName: "none"),
    ]
    b.fetchedProperties = [
      FetchedPropertyDescription(name: "f", isOptional: false, fetchRequest: request, userInfo: ["e": "f"])
    ]
    b.fetchIndexes = [
      FetchIndexDescription(
        name: "i", elements: [FetchIndexElement(property: "x", collation: .rtree, isAscending: false)],
        partialIndexPredicate: "x != nil"),
      FetchIndexDescription(
        name: "j",
        elements: [
          FetchIndexElement(property: "x + 1", isExpression: true), FetchIndexElement(property: "t"),
        ]),
    ]
    b.compoundIndexes = [["x", "t"]]
    let a = EntityDescription(
      name: "A", isAbstract: true,
      relationships: [
        RelationshipDescription(
          name: "b", destinationEntityName: "B", inverseName: "as", deleteRule: .cascade)
      ])
    return ManagedObjectModel(
      versionIdentifiers: ["1", "x"],
      entities: [b, a, EntityDescription(name: "O", superentityName: "None")],
      composites: [
        CompositeDescription(
          name: "Outer",
          elements: [
            AttributeDescription(name: "one", type: .double, defaultValue: "0.0"),
            AttributeDescription(name: "in", type: .composite, compositeName: "Inner"),
          ]), CompositeDescription(name: "Inner", elements: []),
      ], configurations: [ConfigurationDescription(name: "L", entityNames: ["B", "A"])],
      fetchRequestTemplates: [
        request, FetchRequestDescription(name: "gone", entityName: "Nowhere"),
      ], localizationDictionary: ["Entity/A": "Ä"], retired: ["C", "B.q"],
      editorSettings: EditorSettings(
        minimumToolsVersion: "Xcode 15.0", sourceLanguage: "Swift", usedWithCloudKit: true,
        usedWithSwiftData: true))
  }()

  @Test func `a model with every fact comes back whole`() throws {
    #expect(try Self.full.keyedArchive().unarchiveModel(file: "m") == Self.full)
    var sorted = Self.full
    sorted.entities.sort { $0.name < $1.name }
    #expect(try Self.full.encodedCache().decodeModelCache() == sorted)
  }

  @Test func `a default of an unknown class is kept as an archive and goes back out`() throws {
    // A foreign archive serves as the value of an unknown class.
    let foreign = ManagedObjectModel(versionIdentifiers: ["foreign"]).keyedArchive()
    let attribute = AttributeDescription(name: "a", type: .transformable, defaultValue: .archived(foreign))
    let back = try model([attribute]).keyedArchive().unarchiveModel(file: "m")
    guard case .archived(let kept)? = back.entities.first?.attributes.first?.defaultValue else {
      Issue.record(
        "the default is \(String(describing: back.entities.first?.attributes.first?.defaultValue))")
      return
    }
    #expect(try kept.unarchiveModel(file: "m").versionIdentifiers == ["foreign"])
    #expect(try back.keyedArchive().unarchiveModel(file: "m") == back)
  }

  @Test func `a deep hierarchy and a wide ring of relationships need no deep stack`() throws {
    var model = ManagedObjectModel()
    for index in 0..<2000 {
      model.entities.append(
        EntityDescription(
          name: "E\(index)", superentityName: index % 400 == 0 ? nil : "E\(index - 1)",
          relationships: [
            RelationshipDescription(name: "r\(index)", destinationEntityName: "E\((index + 1) % 2000)")
          ]))
    }
    #expect(try model.keyedArchive().unarchiveModel(file: "m") == model)
  }
}

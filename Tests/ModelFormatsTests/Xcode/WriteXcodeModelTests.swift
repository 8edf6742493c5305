import Foundation
import ManagedModel
import ModelFormats
import Testing

@Suite struct WriteXcodeModelTests {
  private static let attributes = [
    AttributeDescription(
      name: "a", type: .binary, isOptional: true, usesScalarValueType: false,
      attributeValueClassName: "NSData", allowsExternalBinaryDataStorage: true,
      preservesValueInHistoryOnDeletion: true, allowsCloudEncryption: true, isIndexedBySpotlight: true,
      isStoredInExternalRecord: true, isIndexed: true, renamingIdentifier: "old", versionHashModifier: "m",
      userInfo: ["k": "<a & \"b\">\n", "j": ""]),
    AttributeDescription(
      name: "d", type: .date, defaultValue: "2000-12-31T23:00:00Z",
      validation: AttributeValidation(minimum: "2000-12-31T00:00:00Z", maximum: "86400.5")),
    AttributeDescription(name: "b", type: .boolean, defaultValue: "YES"),
    AttributeDescription(
      name: "s", type: .string, defaultValue: "",
      validation: AttributeValidation(minimumLength: 1, maximumLength: 5, regularExpression: "a|b")),
    AttributeDescription(name: "n", type: .integer16, validation: AttributeValidation(minimum: "-1")),
    AttributeDescription(name: "x", type: .integer64, derivationExpression: "rs.@count"),
    AttributeDescription(name: "c", type: .composite, compositeName: "C"),
    AttributeDescription(name: "t", type: .undefined, isTransient: true),
  ]

  private static let relationships = [
    RelationshipDescription(
      name: "r", destinationEntityName: "E", inverseName: "rs", isOptional: false, minCount: 1,
      deleteRule: .deny, isIndexed: true, isIndexedBySpotlight: true, isStoredInExternalRecord: true),
    RelationshipDescription(
      name: "rs", destinationEntityName: "E", inverseName: "r", minCount: 2, maxCount: 10, isOrdered: true,
      deleteRule: .cascade, renamingIdentifier: "olds", versionHashModifier: "h", userInfo: ["k": "v"]),
    RelationshipDescription(
      name: "u", destinationEntityName: "P", isTransient: true, maxCount: 0, deleteRule: .noAction),
  ]

  private static let request = FetchRequestDescription(
    name: "q", entityName: "E", predicate: "n > $N", fetchLimit: 5, fetchBatchSize: 20,
    includesSubentities: false, includesPropertyValues: false, includesPendingChanges: false,
    returnsDistinctResults: true, returnsObjectsAsFaults: false, resultType: 2)

  /// Every fact that Xcode's XML can say.
  private static let model = ManagedObjectModel(
    versionIdentifiers: ["7"],
    entities: [
      EntityDescription(name: "P", managedObjectClassName: "P", moduleName: ".", isAbstract: true),
      EntityDescription(
        name: "E", managedObjectClassName: "E", moduleName: "M", codeGenerationType: .category,
        superentityName: "P", attributes: attributes, relationships: relationships,
        fetchedProperties: [
          FetchedPropertyDescription(
            name: "f", isOptional: false, fetchRequest: request, userInfo: ["k": "v"])
        ], uniquenessConstraints: [["n"], ["s", "n"]],
        fetchIndexes: [
          FetchIndexDescription(
            name: "i",
            elements: [
              FetchIndexElement(property: "n", collation: .rtree),
              FetchIndexElement(property: "lowercase:(s)", isExpression: true, isAscending: false),
            ], partialIndexPredicate: "n > 0")
        ], compoundIndexes: [["n", "s"], ["s"]], renamingIdentifier: "OldE", versionHashModifier: "e",
        userInfo: ["k": "v"], coreSpotlightDisplayName: "s"),
    ],
    composites: [
      CompositeDescription(name: "C", elements: [AttributeDescription(name: "one", type: .double)]),
      CompositeDescription(name: "D", elements: []),
    ], configurations: [ConfigurationDescription(name: "Cloud", entityNames: ["E", "P"])],
    fetchRequestTemplates: [request],
    editorSettings: EditorSettings(
      minimumToolsVersion: "Xcode 15.0", sourceLanguage: "Swift", usedWithCloudKit: true,
      usedWithSwiftData: true, cloudKitConfigurations: ["Cloud"], notSyncable: ["P", "E.d"],
      lastSavedToolsVersion: "22758",
      systemVersion: "23F79", diagram: [DiagramElement(name: "E", x: -1.5, y: 0, width: 128, height: 75)]))

  @Test func `every fact is written, and read back as it was`() {
    let (text, diagnostics) = writeXcodeModel(Self.model)
    #expect(diagnostics == [])
    let reading = readXcodeModel(contents: Data(text.utf8), file: "contents")
    #expect(reading.diagnostics == [])
    #expect(reading.model == Self.model)
    #expect(writeXcodeModel(reading.model ?? ManagedObjectModel()).contents == text)
  }

  @Test func `every fact goes through YAML too`() {
    let yaml = readModel(yaml: Data(writeModel(Self.model).utf8), file: "V1.yaml")
    #expect(yaml.diagnostics.filter { $0.severity == .error } == [])
    #expect(yaml.model == Self.model)
  }

  @Test func `attributes stand in Xcode's order, and what is no text is escaped`() {
    let text = writeXcodeModel(Self.model).contents
    for line in [
      #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" systemVersion="23F79" minimumToolsVersion="Xcode 15.0" sourceLanguage="Swift" usedWithCloudKit="YES" usedWithSwiftData="YES" userDefinedModelVersionIdentifier="7">"#,
      #"    <entity name="P" representedClassName=".P" isAbstract="YES" syncable="NO"/>"#,
      #"        <attribute name="d" attributeType="Date" minDateTimeInterval="-86400" minValueString="12/31/2000" maxDateTimeInterval="86400.5" defaultDateTimeInterval="-3600" syncable="NO"/>"#,
      #"        <attribute name="b" attributeType="Boolean" defaultValueString="YES"/>"#,
      #"        <attribute name="x" attributeType="Integer 64" derived="YES" derivationExpression="rs.@count"/>"#,
      #"        <relationship name="u" optional="YES" transient="YES" toMany="YES" deletionRule="No Action" destinationEntity="P"/>"#,
      #"                <entry key="k" value="&lt;a &amp; &quot;b&quot;&gt;&#10;"/>"#,
      #"    <configuration name="Cloud" usedWithCloudKit="YES">"#,
      #"        <element name="E" positionX="-1.5" positionY="0" width="128" height="75"/>"#,
    ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<model "))
    #expect(text.hasSuffix("    </elements>\n</model>"))
  }

  @Test(
    arguments: [
      ("1811", nil, "Automatic", #"<model name="" userDefinedModelVersionIdentifier="" type="#, true, true),
      ("8195", nil, "Automatic", #"<model userDefinedModelVersionIdentifier="" type="#, false, true),
      ("13772", "Swift", "Automatic", #"<model type="#, false, true),
      ("22758", "Swift", "Automatic", #"<model type="#, false, false),
      ("22222", "Swift", "Xcode 4.3", #"<model type="#, false, true),
      ("beta", "Swift", "Automatic", #"<model type="#, false, false),
    ] as [(String, String?, String, String, Bool, Bool)])
  func `the form is that of the Xcode that saved it`(
    _ tools: String, _ language: String?, _ least: String, _ start: String, _ listsPlatforms: Bool,
    _ isSyncable: Bool
  ) {
    let attribute = AttributeDescription(name: "a", type: .string)
    let settings = EditorSettings(
      minimumToolsVersion: least, sourceLanguage: language, lastSavedToolsVersion: tools)
    let text = writeXcodeModel(
      ManagedObjectModel(
        entities: [EntityDescription(name: "E", attributes: [attribute])], editorSettings: settings)
    ).contents
    #expect(text.contains(start))
    #expect(text.contains("macOSVersion=\"Automatic\" iOSVersion=\"Automatic\">") == listsPlatforms)
    #expect(text.contains("attributeType=\"String\" syncable=\"YES\"/>") == isSyncable)
  }

  @Test(arguments: [
    (AttributeDescription(name: "a", type: .string, defaultValue: .archived(Data([1]))), "archived default"),
    (
      AttributeDescription(
        name: "a", type: .string,
        validation: AttributeValidation(predicates: [ValidationPredicate(predicate: "a > b", warning: "")])),
      "validation predicates"
    ),
    (
      AttributeDescription(name: "a", type: .string, validation: AttributeValidation(minimum: "1")),
      "minimum or maximum"
    ),
    (
      AttributeDescription(name: "a", type: .date, validation: AttributeValidation(maximumLength: 1)),
      "length"
    ),
  ])
  func `what the XML cannot say is a warning`(_ attribute: AttributeDescription, _ fact: String) {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: [attribute])])
    let diagnostics = writeXcodeModel(model).diagnostics
    #expect(diagnostics.map(\.code) == [.notInXcodeModel])
    #expect(diagnostics.first?.severity == .warning)
    #expect(diagnostics.first?.message.contains(fact) == true)
    #expect(diagnostics.first?.subject == ModelSubject(entity: "E", property: "a"))
  }

  @Test func `facts of the whole model that the XML cannot say are warnings too`() {
    var request = Self.request
    request.sortDescriptors = [SortDescription(keyPath: "n")]
    let property = FetchedPropertyDescription(name: "f", fetchRequest: request)
    let unbounded = RelationshipDescription(name: "r", destinationEntityName: "E", maxCount: -1)
    let model = ManagedObjectModel(
      versionIdentifiers: ["1", "2"],
      entities: [
        EntityDescription(name: "E", relationships: [unbounded], fetchedProperties: [property])
      ], fetchRequestTemplates: [request], localizationDictionary: ["Entity/E": "Eh"])
    let diagnostics = writeXcodeModel(model).diagnostics
    #expect(diagnostics.count == 5)
    #expect(diagnostics.allSatisfy { $0.code == .notInXcodeModel && $0.severity == .warning })
  }

  @Test(arguments: ["\u{0}", "\u{1}", "\u{B}", "\u{FFFE}"])
  func `a character that no XML can hold is an error`(_ text: String) {
    let model = ManagedObjectModel(entities: [EntityDescription(name: "E", userInfo: ["k": text])])
    let diagnostics = writeXcodeModel(model).diagnostics
    #expect(diagnostics.map(\.severity) == [.error])
    #expect(diagnostics.first?.message.contains("'value' of a 'entry'") == true)
  }

  @Test func `a box of what is gone is not written`() {
    let gone = DiagramElement(name: "Gone", x: 0, y: 0, width: 1, height: 1)
    let model = ManagedObjectModel(editorSettings: EditorSettings(diagram: [gone]))
    #expect(writeXcodeModel(model).contents.hasSuffix(">\n    <elements/>\n</model>"))
  }
}

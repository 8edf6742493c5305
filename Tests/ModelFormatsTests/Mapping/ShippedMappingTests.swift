import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite("Mapping models that apps ship")
struct ShippedMappingTests {
  /// An `.xcmappingmodel` with entity mappings, each a list of attributes.
  private func mapping(_ mappings: [[(String, String)]]) throws -> ImportedMapping {
    let objects = mappings.enumerated().map { index, attributes in
      "<object type=\"XDDEVENTITYMAPPING\" id=\"z\(index)\">"
        + attributes.map { "<attribute name=\"\($0)\" type=\"string\">\($1)</attribute>" }.joined()
        + "</object>"
    }
    let ids = mappings.indices.map { "z\($0)" }.joined(separator: " ")
    let text = """
      <?xml version="1.0"?><database>\(objects.joined())<object type="XDDEVMAPPINGMODEL" id="m">
      <attribute name="sourcemodelpath" type="string">App.xcdatamodeld/V1.xcdatamodel</attribute>
      <attribute name="destinationmodelpath" type="string">App.xcdatamodeld/V2.xcdatamodel</attribute>
      <relationship name="entitymappings" idrefs="\(ids)"></relationship></object></database>
      """
    return try withTemporaryFolder { folder in
      let file = folder.appending(path: "xcmapping.xml")
      try Data(text.utf8).write(to: file)
      return try readXcodeMappingModel(at: file)
    }
  }

  static let escapes = [
    (#"beds \u003e 3"#, "beds > 3"), (#"beds \u3e00 3"#, "beds > 3"),
    (#"name == \u0022a\u0022"#, #"name == "a""#),
    (#"name == \u2200\ud83d\ude00\u2200"#, "name == \"😀\""),
    (#"name == "\u00e4\ud83d""#, #"name == "\u00e4\ud83d""#),
    (#"name MATCHES "\\d+""#, #"name MATCHES "\\d+""#),
  ]

  @Test(arguments: escapes)
  func `escapes of Core Data's XML are decoded`(_ written: String, _ read: String) throws {
    let found = try mapping([
      [("sourcename", "Hut"), ("destinationname", "Hut"), ("sourcefilterpredicatestring", written)]
    ])
    #expect(found.mappingModel.entityMappings.first?.filter == read)
  }

  @Test func `a mapping without entities is left out, and told once`() throws {
    let found = try mapping([
      [("name", "Old")], [("sourcename", "Hut"), ("destinationname", "Hut")], [("name", "Older")],
    ])
    #expect(found.mappingModel.entityMappings.map(\.name) == ["HutToHut"])
    #expect(found.diagnostics.map(\.code.description) == ["MC4109"])
    #expect(found.diagnostics.first?.notes.map(\.message) == ["Old, Older"])
  }

  private func version(_ name: String, _ yaml: String) throws -> ModelVersion {
    let reading = readModel(yaml: Data(yaml.utf8), file: "\(name).yaml")
    return ModelVersion(name: name, model: try #require(reading.model), sourceMap: reading.sourceMap)
  }

  private func resolve(
    _ old: String, _ new: String, _ mapping: String
  ) throws -> (mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    let reading = readMappingFile(yaml: Data("from: V1\nto: V2\n\(mapping)".utf8), file: "V1-V2.yaml")
    #expect(reading.diagnostics == [])
    return reading.mappingModels.resolved(from: try version("V1", old), to: try version("V2", new))
  }

  private static let one = """
    entities:
      Hut: {attributes: {name: string?}}
      Fax: {attributes: {number: string?}}
    """
  private static let two = """
    entities:
      Hut: {attributes: {name: string?}, relationships: {keeper: {to: Keeper, inverse: huts, optional: false}}}
      Keeper: {relationships: {huts: {toMany: Hut, inverse: keeper}}}
    """

  @Test func `mappings for entities that are gone are one warning, and their objects go`() throws {
    let (model, found) = try resolve(
      Self.one, Self.two,
      """
      inferred: false
      entityMappings:
        HutToHut: {source: Hut, destination: Hut}
        FaxToFax: {source: Fax, destination: Fax}
        PhoneToKeeper: {source: Phone, destination: Keeper}
      """)
    let told = found.filter { $0.code.description == "MC4102" }
    #expect(told.map(\.severity) == [.warning])
    #expect(told.first?.notes.count == 2 && told.first?.place?.start.line == 4)
    #expect(!found.hasErrors, "\(found)")
    #expect(model.mappings(fromEntity: "Fax").map(\.mappingType) == [.remove])
    // The relationship that nothing is written for may be empty.
    #expect(model.mappings(toEntity: "Hut").map(\.allowsEmpty) == [true])
  }

  @Test func `what is written for a project is held against its versions as before`() throws {
    let (_, found) = try resolve(
      Self.one, Self.two,
      "entityMappings:\n  HutToHut: {source: Hut, destination: Hut}\n  A: {source: Phone, drop: true}\n")
    #expect(found.filter { $0.severity == .error }.map(\.code.description) == ["MC4106", "MC4102"])
  }

  private static let shared = """
    entities:
      Hut: {attributes: {name: string?}, relationships: {owners: {toMany: Person, inverse: huts}}}
      Person: {attributes: {name: string?}, relationships: {huts: {toMany: Hut, inverse: owners}}}
    """
  private static let owned = shared.replacing(
    "{toMany: Person, inverse: huts}", with: "{to: Person, inverse: huts}")

  @Test func `which of several stays is no question where a mapping says it`() throws {
    let plain =
      "entityMappings:\n  HutToHut: {source: Hut, destination: Hut}\n  PersonToPerson: {source: Person, destination: Person"
    #expect(try resolve(Self.shared, Self.owned, plain + "}\n").diagnostics.hasErrors)
    // On its own side, on the other side, and by a policy.
    let first =
      #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "PersonToPerson", $source.owners)"#
    let told = plain.replacing(
      "destination: Hut}", with: "destination: Hut, relationships: {owners: '\(first)'}}")
    for mapping in [
      told + ", relationships: {huts: }}\n",
      plain + #", relationships: {huts: 'destinationInstances("HutToHut", $source.huts)'}}"# + "\n",
      plain.replacing("destination: Hut}", with: "destination: Hut, policy: P}") + ", policy: P}\n",
    ] {
      let found = try resolve(Self.shared, Self.owned, mapping).diagnostics
      #expect(!found.contains { $0.code.description == "MC3108" }, "\(mapping)\n\(found)")
    }
  }

  private static let unarchived =
    #"FUNCTION(castObject:toType:("NSKeyedUnarchiver", "Class"), "unarchiveObjectWithData:", $source.bytes)"#

  /// Mapping models of Xcode's as a model of one and of our own.
  private func ofXcode(
    _ values: [String: String], inFile: Bool = false, isForGate: Bool = true
  ) throws -> (values: [String: PropertyMappingValue], errors: [String], warnings: [String]) {
    let old = """
      entities:
        Hut:
          attributes: {name: string?, bytes: binary?}
          relationships: {owners: {toMany: Person, inverse: huts}}
        Person: {relationships: {huts: {toMany: Hut, inverse: owners}}}
      """
    let new = """
      entities:
        Hut:
          attributes: {name: string?, beds: integer32?, size: double?, bytes: binary?, photo: transformable?}
          relationships: {owners: {to: Person, inverse: huts}}
        Person: {relationships: {huts: {toMany: Hut, inverse: owners}}}
      """
    var mapping = CustomMappingModel(
      sourceVersionName: "V1", destinationVersionName: "V2", infersOthers: false)
    mapping.entityMappings = ["Hut", "Person"].map { (name: String) in
      CustomEntityMapping(name: "\(name)To\(name)", sourceEntityName: name, destinationEntityName: name)
    }
    mapping.entityMappings[0].attributeMappings = values.sorted { $0.key < $1.key }.map {
      CustomPropertyMapping(name: $0.key, expression: $0.value)
    }
    if inFile {
      let text = writeMappingFile([mapping])
      mapping = try #require(readMappingFile(yaml: Data(text.utf8), file: "m.yaml").mappingModels.first)
    }
    let (model, found) = [mapping].resolved(
      from: try version("V1", old), to: try version("V2", new), isForGate: isForGate)
    let hut = try #require(model.mappings(toEntity: "Hut").first)
    func codes(_ severity: Diagnostic.Severity) -> [String] {
      found.filter { $0.severity == severity }.map(\.code.description)
    }
    return (
      Dictionary(
        uniqueKeysWithValues: (hut.attributeMappings + hut.relationshipMappings).map { ($0.name, $0.value) }),
      codes(.error), codes(.warning)
    )
  }

  @Test func `what Xcode compiled has Core Data's meaning, and is no error`() throws {
    let all = ["beds": "$source.name", "size": "uppercase:($source.name)", "photo": Self.unarchived]
    for isForGate in [true, false] {
      let found = try ofXcode(all, isForGate: isForGate)
      #expect(
        found.errors == [] && found.warnings.count { $0 == "MC4202" } == 2
          && found.warnings.contains("MC3108"))
      #expect(found.values["photo"] == .expression(.keyPath(["bytes"], of: .variable("source"))))
      let (beds, size) = (try #require(found.values["beds"]), try #require(found.values["size"]))
      #expect("\(beds)".contains("parseInt"))
      #expect("\(size)".contains("parseDouble"))
      #expect(found.values["owners"]?.sourceName == nil && found.values["owners"] != .constant(nil))
    }
    // What modelc cannot carry out is not a fault of the app's, and stops modelc alone.
    #expect(try ofXcode(["name": Self.unarchived]).warnings.contains("MC4204"))
    #expect(try ofXcode(["name": Self.unarchived], isForGate: false).errors == ["MC4204"])
    // In a file of a project's own all of it is an error.
    #expect(Set(try ofXcode(all, inFile: true).errors) == ["MC3108", "MC4202", "MC4204"])
  }
}

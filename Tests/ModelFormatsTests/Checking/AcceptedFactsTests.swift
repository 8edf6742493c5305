import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

/// What shipping models hold and our language refuses: an error in YAML, a warning from Xcode, with Core Data's meaning.
@Suite("What Apple's tools take") struct AcceptedFactsTests {
  struct Fact: Sendable, CustomTestStringConvertible {
    var code: String
    /// The body of Xcode's model.
    var xml: String
    /// The same in our language; nil if it has no words for it.
    var yaml: String?
    /// What the language says of the meaning that is taken; a part of its text.
    var meaning: String
    var testDescription: String { "\(code) \(meaning)" }
  }

  private static func attribute(_ xml: String) -> String {
    #"<entity name="Hut"><attribute name="beds" optional="YES" \#(xml)/></entity>"#
  }

  static let facts = [
    Fact(
      code: "MC1203", xml: attribute(#"attributeType="Integer 16" defaultValueString="NO""#),
      yaml: "entities: {Hut: {attributes: {beds: {type: integer16?, default: NO}}}}",
      meaning: "beds: integer16? = 0"),
    Fact(
      code: "MC1203", xml: attribute(#"attributeType="Double" defaultValueString="2.5 m""#),
      yaml: "entities: {Hut: {attributes: {beds: {type: double?, default: 2.5 m}}}}",
      meaning: "beds: double? = 2.5"),
    Fact(
      code: "MC1203", xml: attribute(#"attributeType="Boolean" defaultValueString="Yep""#),
      yaml: "entities: {Hut: {attributes: {beds: {type: boolean?, default: Yep}}}}",
      meaning: "beds: boolean? = true"),
    Fact(
      code: "MC1209", xml: attribute(#"attributeType="String" usesScalarValueType="YES""#),
      yaml: "entities: {Hut: {attributes: {beds: {type: string?, scalar: true}}}}", meaning: "beds: string?\n"
    ),
    Fact(
      code: "MC1311",
      xml: #"""
        <entity name="Hut"><relationship name="owner" optional="YES" maxCount="1" ordered="YES" \#
        destinationEntity="Hut" inverseName="owner" inverseEntity="Hut"/></entity>
        """#,
      yaml: "entities: {Hut: {relationships: {owner: {to: Hut, inverse: owner, ordered: true}}}}",
      meaning: "inverse: owner}"),
    Fact(
      code: "MC1112",
      xml: #"""
        <entity name="Hut"><attribute name="beds" attributeType="Integer 16" optional="YES"/>\#
        <fetchIndex name="i"><fetchIndexElement property="beds" type="Binary" order="ascending"/></fetchIndex>\#
        <fetchIndex name="i"><fetchIndexElement property="beds" type="Binary" order="descending"/></fetchIndex>\#
        </entity>
        """#,
      yaml: nil, meaning: "i: [beds]"),
    Fact(
      code: "MC1102",
      xml: #"<entity name="Hut"><attribute name="deleted" attributeType="Boolean"/></entity>"#,
      yaml: "entities: {Hut: {attributes: {deleted: boolean}}}", meaning: "deleted: boolean"),
    Fact(
      code: "MC1302",
      xml: #"""
        <entity name="Hut"><relationship name="owner" maxCount="1" destinationEntity="Man" inverseName="hut" \#
        inverseEntity="Man"/></entity><entity name="Man"><relationship name="hut" maxCount="1" \#
        destinationEntity="Hut"/></entity>
        """#,
      yaml:
        "entities: {Hut: {relationships: {owner: {to: Man, inverse: hut}}}, Man: {relationships: {hut: {to: Hut}}}}",
      meaning: "inverse: hut"),
    Fact(
      code: "MC0205", xml: #"<entity name="Hut" codeGenerationType="nobody"/>"#, yaml: nil, meaning: "Hut: {}"
    ),
  ]

  private func read(_ body: String) throws -> (version: ModelVersion, findings: [Diagnostic]) {
    try withTemporaryFolder { folder in
      let package = folder.appending(path: "App.xcdatamodel")
      try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
      let text = "<model userDefinedModelVersionIdentifier=\"\">\(body)</model>"
      try Data(text.utf8).write(to: package.appending(path: "contents"))
      let (model, findings) = readXcodeModelPackage(at: package)
      let version = try #require(model?.versions.first)
      return (version, findings + checkModel(of: version))
    }
  }

  @Test(arguments: facts) func `an error in YAML, a warning from Xcode`(_ fact: Fact) throws {
    let (version, findings) = try read(fact.xml)
    let own = findings.filter { $0.code.description == fact.code }
    #expect(own.map(\.severity).allSatisfy { $0 == .warning } && !own.isEmpty, "\(findings)")
    #expect(own.allSatisfy { $0.notes.contains { $0.message.hasPrefix("Core Data accepts it") } })
    #expect(!findings.hasErrors)
    let text = writeModel(version.model)
    #expect(text.contains(fact.meaning), "\(text)")
    guard let yaml = fact.yaml else { return }
    let reading = readModel(yaml: Data(yaml.utf8), file: "V1.yaml")
    let strict = reading.diagnostics + (reading.model.map { checkModel($0) } ?? [])
    #expect(strict.contains { $0.code.description == fact.code && $0.severity == .error }, "\(strict)")
  }

  /// What momc refuses itself stays an error.
  @Test(arguments: [
    ("MC1303", #"<entity name="A"><relationship name="b" maxCount="1" destinationEntity="B"/></entity>"#),
    ("MC1103", #"<entity name="A"/><entity name="A"/>"#), ("MC1105", #"<entity name="A" parentEntity="B"/>"#),
    ("MC1106", #"<entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#),
  ])
  func `errors that remain`(_ code: String, _ body: String) throws {
    let findings = try read(body).findings
    #expect(findings.contains { $0.code.description == code && $0.severity == .error }, "\(findings)")
  }

  @Test func `none is Xcode's word for no generated code`() throws {
    let (version, findings) = try read(#"<entity name="Hut" codeGenerationType="none"/>"#)
    #expect(findings.isEmpty)
    #expect(version.model.entities.first?.codeGenerationType == nil)
  }

  /// An adopted version says where it is from, where it needs that; later versions repeat its facts in peace.
  @Test func `what was adopted stays usable`() throws {
    try withTemporaryFolder { folder in
      let fact = try #require(Self.facts.first { $0.code == "MC1102" })
      let (version, _) = try read(fact.xml)
      let list = writeVersions(VersionedModel(name: "M", versions: [version], currentVersionName: "App"))
      #expect(list.contains("{name: App, origin: xcode}"))
      let text = writeModel(version.model)
      try Data(text.utf8).write(to: folder.appending(path: "App.yaml"))
      try Data((text + "  Tour:\n    attributes: {proxy: string?}\n").utf8).write(
        to: folder.appending(path: "V2.yaml"))
      try Data("current: V2\nversions: [{name: App, origin: xcode}, V2]\n".utf8).write(
        to: folder.appending(path: "versions.yaml"))
      let (model, diagnostics) = readVersionedModel(folder: folder)
      #expect(diagnostics == [])
      let findings = checkModels(of: try #require(model).versions, minimum: .warning)
      let told = findings.map { "\($0.subject?.version ?? "") \($0.subject?.property ?? "") \($0.severity)" }
      #expect(told == ["App deleted warning", "V2 deleted warning", "V2 proxy error"])
    }
  }
}

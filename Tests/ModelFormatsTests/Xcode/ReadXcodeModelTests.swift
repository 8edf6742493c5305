import Foundation
import ManagedModel
import ModelFormats
import TestSupport
import Testing

@Suite struct ReadXcodeModelTests {
  private func read(
    _ text: String
  ) -> (model: ManagedObjectModel?, sourceMap: SourceMap, diagnostics: [Diagnostic]) {
    readXcodeModel(contents: Data(text.utf8), file: "contents")
  }

  private func entity(_ body: String) -> String {
    "<model userDefinedModelVersionIdentifier=\"\">\n<entity name=\"E\">\n\(body)\n</entity></model>"
  }

  @Test func `an attribute with everything`() throws {
    let (model, _, diagnostics) = read(
      entity(
        """
        <attribute name="a" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" \
        elementID="old" versionHashModifier="m" preserveAfterDeletion="YES" allowsCloudEncryption="YES" \
        spotlightIndexingEnabled="YES" storedInTruthFile="YES" indexed="YES" usesScalarValueType="NO" \
        customClassName="NSData" syncable="YES"><userInfo><entry key="k" value="a &amp; b"/></userInfo>\
        </attribute>
        """))
    #expect(diagnostics.isEmpty)
    let expected = AttributeDescription(
      name: "a", type: .binary, isOptional: true, usesScalarValueType: false,
      attributeValueClassName: "NSData", allowsExternalBinaryDataStorage: true,
      preservesValueInHistoryOnDeletion: true, allowsCloudEncryption: true, isIndexedBySpotlight: true,
      isStoredInExternalRecord: true, isIndexed: true, renamingIdentifier: "old", versionHashModifier: "m",
      userInfo: ["k": "a & b"])
    #expect(model?.entities.first?.attributes == [expected])
    #expect(model?.versionIdentifiers == [""])
  }

  @Test(arguments: [
    (
      "Integer 16", "minValueString=\"1\" maxValueString=\"5\"",
      AttributeValidation(minimum: "1", maximum: "5")
    ),
    (
      "String", "minValueString=\"1\" maxValueString=\"5\" regularExpressionString=\".*\"",
      AttributeValidation(minimumLength: 1, maximumLength: 5, regularExpression: ".*")
    ),
    (
      "Date", "minDateTimeInterval=\"0\" minValueString=\"1/1/2001\" maxDateTimeInterval=\"86400.5\"",
      AttributeValidation(minimum: "2001-01-01T00:00:00Z", maximum: "86400.5")
    ),
  ])
  func `bounds are lengths, values or dates`(_ type: String, _ text: String, _ rules: AttributeValidation) {
    let (model, _, diagnostics) = read(entity("<attribute name=\"a\" attributeType=\"\(type)\" \(text)/>"))
    #expect(diagnostics.isEmpty)
    #expect(model?.entities.first?.attributes.first?.validation == rules)
  }

  @Test(arguments: [
    ("attributeType=\"Date\" defaultDateTimeInterval=\"-3600\"", DefaultValue.text("2000-12-31T23:00:00Z")),
    ("attributeType=\"String\" defaultValueString=\"\"", .text("")),
    ("attributeType=\"Integer 16\" defaultValueString=\"\"", nil),
    ("attributeType=\"Decimal\" defaultValueString=\"1.10\"", .text("1.10")),
    ("attributeType=\"Boolean\" defaultValueString=\"YES\"", .text("YES")),
  ])
  func `defaults`(_ text: String, _ value: DefaultValue?) {
    let model = read(entity("<attribute name=\"a\" \(text)/>")).model
    #expect(model?.entities.first?.attributes.first?.defaultValue == value)
  }

  @Test(arguments: [
    ("maxCount=\"1\"", 0, 1, false), ("toMany=\"YES\"", 0, 0, true),
    ("toMany=\"YES\" minCount=\"1\" maxCount=\"10\"", 1, 10, true),
    ("minCount=\"1\" maxCount=\"1\"", 1, 1, false),
  ])
  func `a count that is missing is zero`(_ text: String, _ min: Int, _ max: Int, _ isToMany: Bool) throws {
    let relationship = try #require(
      read(entity("<relationship name=\"r\" destinationEntity=\"E\" \(text) deletionRule=\"No Action\"/>"))
        .model?.entities.first?.relationships.first)
    #expect((relationship.minCount, relationship.maxCount, relationship.isToMany) == (min, max, isToMany))
    #expect(relationship.deleteRule == .noAction)
    #expect(!relationship.isOptional)
  }

  @Test func `indexes, constraints, fetches, configurations and composites`() throws {
    let (model, _, diagnostics) = read(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <!-- a comment with a < in it -->
      <model>
        <entity name="A" isAbstract="YES"/>
        <entity name="B" parentEntity="A" elementID="Old" representedClassName=".B" codeGenerationType="category">
          <attribute name="x" attributeType="Integer 64" derived="YES" derivationExpression="bs.@count"/>
          <attribute name="p" attributeType="Composite" composite="C"/>
          <fetchedProperty name="f"><fetchRequest name="r" entity="A" predicateString="x &gt; 1"/></fetchedProperty>
          <compoundIndexes><compoundIndex><index value="x"/><index value="y"/></compoundIndex></compoundIndexes>
          <fetchIndex name="i" partialIndexPredicate="x &gt; 0">
            <fetchIndexElement property="x" type="RTree" order="descending"/>
          </fetchIndex>
          <uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        <fetchRequest name="t" entity="B" fetchLimit="5" includeSubentities="NO"/>
        <configuration name="L"><memberEntity name="A"/><memberEntity name="B"/></configuration>
        <composite name="C"><attribute name="one" attributeType="Double"/></composite>
        <elements><element name="A" positionX="1"/></elements>
      </model>
      """)
    #expect(diagnostics.isEmpty)
    let entity = try #require(model?.entities.last)
    #expect((entity.superentityName, entity.renamingIdentifier) == ("A", "Old"))
    #expect((entity.moduleName, entity.managedObjectClassName) == (".", "B"))
    #expect(entity.codeGenerationType == .category)
    #expect(entity.attributes.first?.derivationExpression == "bs.@count")
    #expect(entity.attributes.last?.compositeName == "C")
    #expect(entity.fetchedProperties.first?.fetchRequest.predicate == "x > 1")
    #expect(entity.compoundIndexes == [["x", "y"]])
    #expect(entity.uniquenessConstraints == [["x"]])
    let element = FetchIndexElement(property: "x", collation: .rtree, isAscending: false)
    #expect(
      entity.fetchIndexes == [
        FetchIndexDescription(name: "i", elements: [element], partialIndexPredicate: "x > 0")
      ])
    let template = FetchRequestDescription(
      name: "t", entityName: "B", fetchLimit: 5, includesSubentities: false)
    #expect(model?.fetchRequestTemplates == [template])
    #expect(model?.configurations == [ConfigurationDescription(name: "L", entityNames: ["A", "B"])])
    #expect(model?.composites.first?.elements.map(\.name) == ["one"])
    #expect(model?.entities.first?.isAbstract == true)
  }

  @Test(arguments: [
    ("<attribute name=\"a\" attributeType=\"Integer 23\"/>", "MC0205", 3, 21),
    ("<attribute attributeType=\"String\"/>", "MC0205", 3, 1),
    ("<fetchedProperty name=\"f\"/>", "MC0205", 3, 1),
    ("<attribute name=\"é\" attributeType=\"X\"/>", "MC0205", 3, 21),
  ])
  func `a value that cannot be read has its place and yields no model`(
    _ body: String, _ code: String, _ line: Int, _ column: Int
  ) throws {
    let (model, _, diagnostics) = read(entity(body))
    #expect(model == nil)
    let finding = try #require(diagnostics.first)
    #expect(finding.code.description == code)
    #expect(finding.place?.start == SourceLocation(line: line, column: column))
  }

  /// What Apple's tools take is read without the word that means nothing.
  @Test(arguments: [
    ("<attribute name=\"a\" attributeType=\"Date\" defaultDateTimeInterval=\"soon\"/>", 42),
    ("<relationship name=\"r\" maxCount=\"many\"/>", 24),
    ("<relationship name=\"r\" deletionRule=\"nullify\"/>", 24),
    ("<attribute name=\"a\" attributeType=\"String\" minValueString=\"-1\"/>", 44),
  ])
  func `a word that means nothing has its place and the meaning that is taken`(
    _ body: String, _ column: Int
  ) throws {
    let (model, _, diagnostics) = read(entity(body))
    let finding = try #require(diagnostics.first)
    #expect(finding.code.description == "MC0205" && finding.severity == .warning)
    #expect(finding.place?.start == SourceLocation(line: 3, column: column))
    #expect(finding.notes.first?.message.hasPrefix("Core Data accepts it") == true)
    let read = try #require(model?.entities.first)
    #expect(read.attributes.first?.defaultValue == nil)
    #expect(read.attributes.first?.validation.minimumLength == nil)
    #expect(read.relationships.first.map { $0.deleteRule } ?? .nullify == .nullify)
  }

  @Test func `a fetch request has its place, and so have its entity and its predicate`() {
    let (model, map, _) = read(
      """
      <model userDefinedModelVersionIdentifier="">
      <entity name="A"><attribute name="x" attributeType="String"/>
      <fetchedProperty name="f"><fetchRequest name="r" entity="A" predicateString="y == 1"/></fetchedProperty>
      </entity>
      <fetchRequest name="One" entity="A" predicateString="z == 1"/>
      <fetchRequest name="Two" entity="B" predicateString="z == 1"/>
      </model>
      """)
    let version = ModelVersion(name: "V", model: model ?? .init(), origin: .xcode, sourceMap: map)
    let places = checkModel(of: version).filter { $0.code == .unknownKeyPath }.map {
      "\($0.place?.start.line ?? 0):\($0.place?.start.column ?? 0)"
    }
    #expect(places == ["3:61", "5:37", "6:26"])
  }

  @Test func `what is unknown is a warning and the model still comes`() {
    let (model, _, diagnostics) = read(entity("<attribute name=\"a\" optionl=\"YES\"/><widget/>"))
    #expect(model?.entities.count == 1)
    #expect(diagnostics.map(\.code.description) == ["MC0206", "MC0206"])
    #expect(diagnostics.allSatisfy { $0.severity == .warning })
    #expect(diagnostics.contains { $0.help == ["did you mean 'optional'?"] })
  }

  @Test(arguments: [
    ("", "MC0201"), ("  \n", "MC0201"), ("<model><entity name=\"A\"></model>", "MC0201"),
    ("<model>\n<<<<<<< HEAD\n</model>", "MC0201"), ("<model", "MC0201"), ("hello", "MC0201"),
    (String(repeating: "<", count: 1 << 21), "MC0201"), ("<model/><model/>", "MC0201"),
    ("<model a='1'b='2'/>", "MC0201"), ("<model a='1' a='2'/>", "MC0201"), ("<model a='<'/>", "MC0201"),
    ("<model>&nbsp;</model>", "MC0201"),
    ("<model>]]></model>", "MC0201"),
    ("<model><!-- -- --></model>", "MC0201"), ("<model>\u{1}</model>", "MC0201"),
    ("<model a='&#1;'/>", "MC0201"), ("<1/>", "MC0201"),
    ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><model/>", "MC0201"),
    // libxml2 would end the program at these.
    ("<?xml version=\"1.0\" encoding=\"UTF-7\" encoding=\"UTF-8\"?><plist/>", "MC0205"),
    ("<?xml version=\"1.0\" encoding=\"UTF-7\" encoding=\"UTF-8\"", "MC0201"),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:12\n", "MC0202"),
    ("bplist00\u{1}\u{2}", "MC0203"), ("<plist/>", "MC0205"),
    ("<?xml version=\"1.0\"?><?a?><model/>", "MC0204"), ("<model><?a b?></model>", "MC0204"),
    ("<?xml-a?><model/>", "MC0204"),
    ("<!DOCTYPE model SYSTEM \"file:///etc/passwd\"><model/>", "MC0204"),
    (
      "<?xml version=\"1.0\"?><!-- c --><!DOCTYPE m [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]><model name=\"&b;\"/>",
      "MC0204"
    ),
    (String(repeating: "<model>", count: 40), "MC0204"),
  ])
  func `what is no model is refused with one reason`(_ text: String, _ code: String) {
    let (model, _, diagnostics) = read(text)
    #expect(model == nil)
    #expect(diagnostics.map(\.code.description) == [code])
    #expect(diagnostics.first?.place?.file == "contents")
    #expect(diagnostics.allSatisfy { !$0.help.isEmpty })
  }

  @Test func `UTF-16 and stray bytes are refused`() {
    for contents in [Data("<model/>".utf16.flatMap { [UInt8($0 & 255), 0] }), Data([0x3C, 0xFF, 0x3E])] {
      #expect(
        readXcodeModel(contents: contents, file: "c").diagnostics.map(\.code.description) == ["MC0201"])
    }
  }

  @Test func `findings and elements without end stay bounded`() {
    let many = read("<model>" + String(repeating: "<x/>", count: 20_000) + "<entity/></model>")
    #expect(many.model == nil)
    #expect(many.diagnostics.count == 1001)
    let endless = read("<model>" + String(repeating: "<x/>", count: 600_000) + "</model>")
    #expect(endless.diagnostics.map(\.code.description) == ["MC0204"])
  }

  /// Each would cost the parser time or memory without end, and is refused by a look at its bytes.
  @Test(arguments: [
    "<model \((0..<200).map { "a\($0)=\"\"" }.joined(separator: " "))/>",
    "<model name=\"\(String(repeating: "x", count: 1 << 20))\"/>",
    "<model name=\"\(String(repeating: "&amp;", count: 300_000))\"/>",
    String(repeating: "<model>", count: 100_000),
    String(repeating: "<!-- a comment -->", count: 4_000) + "<model/>",
    String(repeating: " ", count: 70_000) + "<model/>",
    "<model>" + String(repeating: "y", count: 4 << 20) + "</model>",
    "<model>" + String(repeating: "<x/>", count: 60_000) + "</model>",
    String(repeating: " ", count: 70_000) + "<!DOCTYPE model [<!ENTITY x \"y\">]><model/>",
  ])
  func `documents beyond any model are refused`(_ text: String) {
    let (model, _, diagnostics) = read(text)
    #expect(model == nil)
    #expect(diagnostics.map(\.code.description) == ["MC0204"])
    #expect(diagnostics.allSatisfy { $0.place?.file == "contents" && !$0.help.isEmpty })
  }

  @Test func `whatever the bytes are, the reader ends with a model or with reasons`() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model><entity name="A" parentEntity="B"><attribute name="é" attributeType="Date" minValueString="1"/>
      <relationship name="r" maxCount="1" destinationEntity="A"/><userInfo><entry key="k" value="&amp;"/></userInfo>
      <fetchIndex name="i"><fetchIndexElement property="x" type="Binary"/></fetchIndex></entity></model>
      """
    var state: UInt64 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let pieces = ["<", ">", "\"", "&", "&#0;", "<!DOCTYPE a>", "<![CDATA[", "]]>", "--", "\u{0}", "=", "/"]
      .map {
        Array($0.utf8)
      }
    for _ in 0..<400 {
      var bytes = Array(text.utf8)
      for _ in 0...next(4) {
        let start = next(bytes.count)
        bytes.replaceSubrange(start..<min(bytes.count, start + next(20)), with: pieces[next(pieces.count)])
      }
      let (model, _, diagnostics) = readXcodeModel(contents: Data(bytes), file: "contents")
      #expect((model == nil) == diagnostics.hasErrors)
    }
  }

  @Test func `a document that ends anywhere is refused at a place`() throws {
    let text = writeXcodeModel(
      ManagedObjectModel(
        entities: [
          EntityDescription(name: "E", attributes: [AttributeDescription(name: "é", type: .string)])
        ])
    ).contents
    for length in 0..<text.utf8.count {
      let (model, _, diagnostics) = readXcodeModel(contents: Data(text.utf8.prefix(length)), file: "contents")
      #expect(model == nil)
      #expect(diagnostics.map(\.code) == [.malformedXML], "\(length)")
      #expect(diagnostics.first?.place != nil)
    }
  }

  @Test func `a broken document is placed at its line`() throws {
    let finding = try #require(read("<model>\n  <entity name=\"A\">\n  </entty>\n</model>").diagnostics.first)
    #expect(finding.place?.start.line == 3)
    #expect(finding.code == .malformedXML)
  }
}

@Suite struct ReadXcodeModelPackageTests {
  private func package(_ versions: [String: String], current: String? = nil, in folder: URL) throws -> URL {
    let url = folder.appending(path: "M.xcdatamodeld")
    for (name, contents) in versions {
      let version = url.appending(path: name + ".xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try Data(contents.utf8).write(to: version.appending(path: "contents"))
    }
    if let current {
      let list = try PropertyListSerialization.data(
        fromPropertyList: ["_XCCurrentVersionName": current], format: .xml, options: 0)
      try list.write(to: url.appending(path: ".xccurrentversion"))
    }
    return url
  }

  @Test func `numbers order by value and the unnumbered version comes first`() throws {
    try withTemporaryFolder { folder in
      let names = ["M 10", "M 9", "M", "M 2", "M 2b"]
      let url = try package(Dictionary(uniqueKeysWithValues: names.map { ($0, "<model/>") }), in: folder)
      let model = readXcodeModelPackage(at: url).model
      #expect(model?.versions.map(\.name) == ["M", "M 2", "M 2b", "M 9", "M 10"])
      #expect(model?.currentVersionName == "M 10")
      #expect(model?.name == "M")
    }
  }

  @Test func `a broken version does not keep the others back`() throws {
    try withTemporaryFolder { folder in
      let url = try package(["M": "<model/>", "M 2": "<model>"], current: "M.xcdatamodel", in: folder)
      let (model, diagnostics) = readXcodeModelPackage(at: url)
      #expect(model?.versions.map(\.name) == ["M"])
      #expect(diagnostics.map(\.code.description) == ["MC0201"])
      #expect(diagnostics.first?.place?.file.hasSuffix("M 2.xcdatamodel/contents") == true)
    }
  }

  @Test func `a current version that is not there is a warning`() throws {
    try withTemporaryFolder { folder in
      let url = try package(["M": "<model/>", "M 2": "<model/>"], current: "M 3.xcdatamodel", in: folder)
      let (model, diagnostics) = readXcodeModelPackage(at: url)
      #expect(model?.currentVersionName == "M 2")
      #expect(diagnostics.map(\.code.description) == ["MC0208"])
      #expect(diagnostics.map(\.severity) == [.warning])
    }
  }

  @Test func `without a record of the current version the gate warns, where there are several`() throws {
    try withTemporaryFolder { folder in
      let one = try package(["M": "<model/>"], in: folder)
      #expect(readXcodeModelPackage(at: one).model?.gateFindings.isEmpty == true)
      let two = try package(["M": "<model/>", "M 2": "<model/>"], in: folder.appending(path: "two"))
      let (model, diagnostics) = readXcodeModelPackage(at: two)
      #expect(model?.gateFindings.map(\.code.description) == ["MC0208"] && diagnostics.isEmpty)
    }
  }

  @Test func `what a version of Xcode's is told is said in Xcode's words`() throws {
    try withTemporaryFolder { folder in
      let contents = """
        <model><entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="B"/>
        <attribute name="n" optional="YES" attributeType="Integer 64" defaultValueString="0" derived="YES" \
        derivationExpression="now()"/></entity><entity name="B"/></model>
        """
      let url = try package(["M": contents], in: folder)
      let model = try #require(readXcodeModelPackage(at: url).model)
      let found = checkVersions(model).filter { ["MC1301", "MC1213"].contains($0.code.description) }
      #expect(found.map(\.code.description) == ["MC1301"])
      #expect(found.first?.help.first?.contains("Data Model inspector") == true, "\(found)")
    }
  }

  @Test func `a model from before Xcode 4 is refused with what to do`() throws {
    try withTemporaryFolder { folder in
      let url = try package([:], in: folder).appending(path: "Old.xcdatamodel")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data("bplist00".utf8).write(to: url.appending(path: "elements"))
      for place in [url, url.deletingLastPathComponent()] {
        let (model, diagnostics) = readXcodeModelPackage(at: place)
        #expect(model == nil)
        #expect(diagnostics.map(\.code.description) == ["MC0203"])
        #expect(diagnostics.first?.help.contains { $0.contains("Tools Version") } == true)
      }
    }
  }

  @Test func `no folder, an empty folder and a file are refused`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "F.xcdatamodeld")
      try Data().write(to: file)
      for url in [folder.appending(path: "none.xcdatamodeld"), folder, file] {
        let (model, diagnostics) = readXcodeModelPackage(at: url)
        #expect(model == nil)
        #expect(diagnostics.map(\.code.description) == ["MC0207"])
      }
    }
  }
}

import Foundation
import ManagedModel
import TestSupport
import Testing

@testable import ModelArchives
@testable import ModelFormats

@Suite("Hostile mapping models") struct HostileMappingTests {
  private func document(_ objects: String, prolog: String = "") -> String {
    "<?xml version=\"1.0\" standalone=\"no\"?>\n\(prolog)\n<database>\n\(objects)\n</database>\n"
  }

  private let model = """
    <object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath" type="string">A.xcdatamodeld/A 1.xcdatamodel</attribute>
      <attribute name="destinationmodelpath" type="string">A.xcdatamodeld/A 2.xcdatamodel</attribute>
      <relationship name="entitymappings" type="0/0" destination="XDDEVENTITYMAPPING" idrefs="z2"></relationship>
    </object>
    """

  private func entity(_ data: String) -> String {
    """
    <object type="XDDEVENTITYMAPPING" id="z2">
      <attribute name="sourcename" type="string">E</attribute>
      <attribute name="destinationname" type="string">E</attribute>
      <relationship name="attributemappings" type="0/0" destination="X" idrefs="z3"></relationship>
    </object>
    <object type="XDDEVATTRIBUTEMAPPING" id="z3">
      <attribute name="name" type="string">a</attribute>
      <attribute name="valueexpressiondata" type="binary">\(data)</attribute>
    </object>
    """
  }

  private func read(_ text: String) throws -> ImportedMapping {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "xcmapping.xml")
      try Data(text.utf8).write(to: url)
      return try readXcodeMappingModel(at: url)
    }
  }

  private func codes(_ text: String) throws -> [String] {
    let error = try #require(throws: DiagnosticsError.self) { try read(text) }
    return error.diagnostics.map(\.code.description)
  }

  private var cyclicExpression: String {
    var builder = KeyedArchiveBuilder()
    let place = builder.reserve()
    builder.fill(
      place, as: "NSKeyPathExpression",
      [
        .init("NSOperand", .reference(place)), .init("NSSelectorName", builder.string("valueForKeyPath:")),
        .init(
          "NSArguments",
          builder.collection(
            "NSArray",
            [builder.object("NSKeyPathSpecifierExpression", [.init("NSKeyPath", builder.string("a"))])])),
      ])
    return builder.data(root: place).base64EncodedString()
  }

  @Test func `each is refused with its reason`() throws {
    let good = document(model + entity(""))
    #expect(try read(good).mappingModel.entityMappings.map(\.name) == ["EToE"])
    #expect(try codes("") == ["MC0201"])
    #expect(try codes(" \n\t") == ["MC0201"])
    #expect(try codes("version https://git-lfs.github.com/spec/v1\n") == ["MC0202"])
    #expect(try codes(String(good.dropLast(30))) == ["MC0201"])
    #expect(try codes("<model/>") == ["MC0201"])
    #expect(try codes(document("")) == ["MC0205"])
    #expect(try codes(document(model.replacing(".xcdatamodel<", with: "<"))) == ["MC0205"])
    #expect(try codes(document(model.replacing("A 2", with: "..") + entity(""))) == ["MC0205"])
    #expect(try codes(document(model + entity("no base64 !"))) == ["MC0205"])
    #expect(try codes(document(model + entity("AAAA"))) == ["MC0205"])
    #expect(try codes(document(model + entity(cyclicExpression))) == ["MC0205"])
    #expect(try codes(document("<?a?>")) == ["MC0204"])
    let bomb = "<!DOCTYPE database [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]>"
    #expect(try codes(document("&b;", prolog: bomb)) == ["MC0204"])
    #expect(try codes(document("", prolog: "<!DOCTYPE database SYSTEM \"x\" []>")) == ["MC0204"])
    #expect(try codes(String(repeating: "<database>", count: 100)) == ["MC0204"])
  }

  /// Core Data's own document type names a file; one that is there is not read either.
  @Test func `the document type is never looked for`() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "secret.dtd")
      try Data("<!ENTITY s \"secret\">".utf8).write(to: file)
      let prolog = "<!DOCTYPE database SYSTEM \"\(file.absoluteString)\">"
      let imported = try read(document(model + entity(""), prolog: prolog))
      #expect(imported.mappingModel.entityMappings.count == 1)
      #expect(try codes(document("&s;" + model, prolog: prolog)) == ["MC0201"])
    }
  }

  @Test func `what no genuine mapping model says is not lost in silence`() throws {
    var builder = KeyedArchiveBuilder()
    guard case .reference(let root) = builder.dictionary(of: ["k": "v"]) else { return }
    let info = builder.data(root: root).base64EncodedString()
    let bare = entity("").replacing("</object>", with: "")
    func property(_ attributes: [String: String]) throws -> ImportedMapping {
      let lines = attributes.map { "<attribute name=\"\($0.key)\" type=\"string\">\($0.value)</attribute>" }
      let parts = bare.components(separatedBy: "<object type=\"XDDEVATTRIBUTEMAPPING\"")
      let end = "<object type=\"XDDEVATTRIBUTEMAPPING\"" + parts[1]
      return try read(document(model + parts[0] + "</object>\n" + end + lines.joined() + "</object>"))
    }
    let mappings = { (imported: ImportedMapping) in imported.mappingModel.entityMappings[0].attributeMappings
    }
    #expect(try mappings(property([:])) == [])
    #expect(
      try mappings(property(["userinfodata": info]))
        == [CustomPropertyMapping(name: "a", expression: "$source.a", userInfo: ["k": "v"])])
    #expect(
      try mappings(property(["autogenerateexpression": "0"]))
        == [CustomPropertyMapping(name: "a", expression: nil)])
    let unknown = try property(["future": "1"])
    #expect(unknown.diagnostics.map(\.code.description) == ["MC0206"])
    let half = try property(["sourcekeypath": "$source.b"])
    #expect(half.diagnostics.map(\.message).first?.contains("has no 'sourcemappingname' and") == true)
    #expect(half.diagnostics.flatMap(\.notes).count == 1)
    #expect(try property(["sourcekeypath": ""]).diagnostics.isEmpty)
  }

  @Test(arguments: [("a", "$source.a"), ("b", nil)] as [(String, String?)])
  func `user info of a property that the source lacks leaves it empty`(
    _ old: String, _ expression: String?
  ) throws {
    var version = ManagedObjectModel()
    let attribute = AttributeDescription(name: old, type: .string)
    version.entities = [EntityDescription(name: "E", attributes: [attribute])]
    let snapshot = version.editorArchive().base64EncodedString()
    let path = "<attribute name=\"sourcemodelpath\""
    let kept = "<attribute name=\"sourcemodeldata\" type=\"binary\">\(snapshot)</attribute>\n"
    let info = entity(["k": "v"].keyedArchive().base64EncodedString())
      .replacing("valueexpressiondata", with: "userinfodata")
    let found = try read(document(model.replacing(path, with: kept + path) + info)).mappingModel
    let own = CustomPropertyMapping(name: "a", expression: expression, userInfo: ["k": "v"])
    #expect(found.entityMappings.first?.attributeMappings == [own])
  }

  @Test(arguments: ["0", "1"])
  func `a source expression that was written by hand says which objects there are`(
    _ isAutomatic: String
  ) throws {
    let request = #"FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "E", "a == 'x'")"#
    let fetch = try parseExpression("FETCH(\(request), $manager.sourceContext, NO)").keyedArchive()
    let lines = """
      <attribute name="autogenerateexpression" type="bool">\(isAutomatic)</attribute>
      <attribute name="sourceexpressiondata" type="binary">\(fetch.base64EncodedString())</attribute>
      """
    let name = "<attribute name=\"sourcename\""
    let found = try read(document(model + entity("").replacing(name, with: lines + name)))
    #expect(found.mappingModel.entityMappings.map(\.filter) == ["a == 'x'"] && found.diagnostics == [])
  }

  @Test func `an expression of an unknown class is kept`() throws {
    var builder = KeyedArchiveBuilder()
    let own = "AppExpression"
    guard case .reference(let root) = builder.object(own, []) else { return }
    let data = builder.data(root: root).base64EncodedString()
    let mapping = try read(document(model + entity(data))).mappingModel.entityMappings[0]
    let text = try #require(mapping.attributeMappings.first?.expression)
    #expect(text.hasPrefix("FUNCTION(\"NSKeyedUnarchiver\", \"unarchiveObjectWithData:\", "))
  }

  @Test(.needsFixtures, arguments: Fixtures.all(withExtension: "cdm"))
  func `a compiled one that is cut or of another class is refused`(_ url: URL) throws {
    let genuine = try Data(contentsOf: url)
    for length in stride(from: 0, to: genuine.count, by: 101) {
      let error = try #require(throws: DiagnosticsError.self) {
        try genuine.prefix(length).unarchiveMappingModel(among: [], file: "x.cdm")
      }
      #expect(error.diagnostics.map(\.code.description) == ["MC2203"])
    }
    let other = ManagedObjectModel().keyedArchive()
    let error = try #require(throws: DiagnosticsError.self) {
      try other.unarchiveMappingModel(among: [], file: "x.cdm")
    }
    #expect(error.diagnostics.first?.message.contains("not a mapping model") == true)
  }
}

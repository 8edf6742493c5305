import ManagedModel
import ModelMigration
import TestSupport
import Testing

/// Renaming identifiers that are there by accident, as one version of a shipping app has them.
@Suite("Renaming identifiers by accident") struct AccidentalIdentifierTests {
  private func version(
    _ name: String, identifier: String? = nil, of attribute: String? = nil, origin: ModelOrigin = .xcode,
    beds: Bool = false
  ) -> ModelVersion {
    var title = AttributeDescription(name: "title", type: .string, isOptional: true)
    title.renamingIdentifier = attribute
    var hut = EntityDescription(name: "Hut", attributes: [title])
    if beds { hut.attributes.append(.init(name: "beds", type: .integer16, isOptional: true)) }
    hut.renamingIdentifier = identifier
    return ModelVersion(name: name, model: ManagedObjectModel(entities: [hut]), origin: origin)
  }

  @Test(arguments: [("title", nil), (nil, "subtitle")] as [(String?, String?)], [true, false])
  func `drop nothing between versions of Xcode's`(_ of: (String?, String?), isInSource: Bool) throws {
    let accident = version("V1", identifier: of.0, of: of.1, beds: !isInSource)
    let plain = version("V2", beds: isInSource)
    let (from, to) = isInSource ? (accident, plain) : (plain, accident)
    let (mapping, diagnostics) = inferMappingModel(from: from, to: to)
    #expect(diagnostics.map { "\($0.code) \($0.severity)" } == ["MC3201 warning"])
    #expect(diagnostics.first?.message.contains("has lost the renaming identifier") == isInSource)
    #expect(diagnostics.first?.help.first?.hasSuffix("if older stores have it") == isInSource)
    #expect(mapping.entityMappings.map(\.sourceEntityName) == ["Hut"])
    #expect(mapping.entityMappings[0].propertyMapping(named: "title")?.value == .source("title"))
  }

  @Test func `mean what they say in our language`() throws {
    let (mapping, _) = inferMappingModel(
      from: version("V1", origin: .language), to: version("V2", identifier: "Other", origin: .language))
    #expect(
      mapping.entityMappings.contains { $0.sourceEntityName == "Hut" && $0.destinationEntityName == nil })
  }

  /// V1 and V2 have equal hashes; from V2, the later one, the objects would be lost.
  @Test func `of versions with equal hashes the one counts from which less is lost`() throws {
    let versions = [
      version("V1", origin: .language), version("V2", identifier: "Other", origin: .language),
      version("V3", origin: .language, beds: true),
    ]
    let model = VersionedModel(name: "M", versions: versions, currentVersionName: "V3")
    try withTemporaryFolder { folder in
      let store = try TestStore(
        in: folder, of: versions[0], objects: [ManagedObject("Hut", 1, values: ["title": .string("x")])])
      #expect(try StoreMigrator(models: [model]).status(of: store.url).path == ["V1", "V2", "V3"])
      let report = try store.migrate(model)
      #expect(report.plan.from == "V1")
      let told = report.plan.diagnostics.filter { $0.code.description == "MC5110" }
      #expect(told.map(\.severity) == [.information])
      #expect(try store.objects(versions[2].model).map { $0.values["title"] } == [.string("x")])
    }
  }
}

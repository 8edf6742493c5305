import Foundation
import ManagedModel
import ModelArchives
import ModelFormats
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What stands in the XML itself, counted without our reader.
private struct XMLCounts: Equatable {
  var entityMappings = 0
  var policies = 0
  var filters = 0
  var expressions = 0
  var userInfos = 0

  init() {}

  init(of url: URL) throws {
    let document = try XMLDocument(contentsOf: url.appending(path: "xcmapping.xml"))
    var objects: [String: XMLElement] = [:]
    for case let object as XMLElement in try document.nodes(forXPath: "/database/object") {
      objects[object.attribute(forName: "id")?.stringValue ?? ""] = object
    }
    func targets(_ object: XMLElement, _ name: String) -> [XMLElement] {
      let relationship = object.elements(forName: "relationship").first {
        $0.attribute(forName: "name")?.stringValue == name
      }
      let ids = relationship?.attribute(forName: "idrefs")?.stringValue ?? ""
      return ids.split(separator: " ").compactMap { objects[String($0)] }
    }
    func has(_ object: XMLElement, _ name: String) -> Bool {
      object.elements(forName: "attribute").contains {
        $0.attribute(forName: "name")?.stringValue == name && $0.stringValue?.isEmpty == false
      }
    }
    let model = objects.values.first { $0.attribute(forName: "type")?.stringValue == "XDDEVMAPPINGMODEL" }
    for mapping in targets(try #require(model), "entitymappings") {
      entityMappings += 1
      if has(mapping, "migrationpolicyclassname") { policies += 1 }
      if has(mapping, "sourcefilterpredicatestring") { filters += 1 }
      if has(mapping, "userinfodata") { userInfos += 1 }
      for property in targets(mapping, "attributemappings") + targets(mapping, "relationshipmappings")
      where has(property, "valueexpressiondata") || has(property, "sourcekeypath") {
        expressions += 1
      }
    }
  }

  init(of model: CustomMappingModel) {
    entityMappings = model.entityMappings.count
    for mapping in model.entityMappings {
      if mapping.policyName != nil { policies += 1 }
      if mapping.filter != nil { filters += 1 }
      if !mapping.userInfo.isEmpty { userInfos += 1 }
      expressions += (mapping.attributeMappings + mapping.relationshipMappings).count
    }
  }

  static func += (left: inout Self, right: Self) {
    left.entityMappings += right.entityMappings
    left.policies += right.policies
    left.filters += right.filters
    left.expressions += right.expressions
    left.userInfos += right.userInfos
  }
}

@Suite("Xcode's mapping models", .needsFixtures) struct XcodeMappingModelTests {
  static let mappings = Fixtures.all(withExtension: "xcmappingmodel")

  @Test func `all come in with every mapping, policy, filter, expression and user info`() throws {
    var (ours, theirs) = (XMLCounts(), XMLCounts())
    for url in Self.mappings {
      let imported = try readXcodeMappingModel(at: url)
      let counted = try (XMLCounts(of: imported.mappingModel), XMLCounts(of: url))
      #expect(counted.0 == counted.1, "\(url.lastPathComponent)")
      #expect(!imported.mappingModel.infersOthers)
      ours += counted.0
      theirs += counted.1
    }
    print("\(Self.mappings.count) mapping models: \(ours)")
    #expect(Self.mappings.count == 19)
    #expect(ours == theirs)
    #expect(ours.entityMappings == 54 && ours.policies == 15 && ours.filters == 1 && ours.expressions == 15)
  }

  @Test(arguments: mappings)
  func `their YAML reads back to the same mapping model`(_ url: URL) throws {
    let model = try readXcodeMappingModel(at: url).mappingModel
    let text = writeMappingFile([model])
    let reading = readMappingFile(yaml: Data(text.utf8), file: "m.yaml")
    #expect(reading.diagnostics == [])
    #expect(reading.mappingModels == [model])
    #expect(writeMappingFile(reading.mappingModels) == text)
  }

  @Test func `a snapshot has the hashes of the version that it was taken of`() throws {
    for url in Fixtures.all(withExtension: "xcdatamodeld") {
      guard let model = readXcodeModelPackage(at: url).model else { continue }
      for (index, version) in model.versions.enumerated() where Fixtures.areWhole || index % 3 == 0 {
        let snapshot = try version.model.editorArchive().unarchiveEditorModel()
        let hierarchy = EntityHierarchy(version.model)
        for (entity, hash) in snapshot.entityVersionHashesByName {
          let isKnown = hierarchy.attributes(of: entity).allSatisfy {
            !$0.isDerived && $0.type != .composite && !$0.preservesValueInHistoryOnDeletion
          }
          #expect(
            version.model.entityVersionHashesByName[entity] == hash || !isKnown, "\(version.name).\(entity)")
        }
      }
    }
  }

  /// Fearless edited a version after the mapping model had been made: Core Data does not find it for stores of today's.
  @Test func `genuine snapshots are of the versions that lie beside them, but for one`() throws {
    var stale: Set<String> = []
    for url in Self.mappings {
      let imported = try readXcodeMappingModel(at: url)
      #expect(imported.mappingModel.snapshotHashes.values.allSatisfy { !$0.isEmpty }, "\(url.path)")
      let repository = Fixtures.url("").path.count
      let app = url.path.dropFirst(repository).split(separator: "/").first.map(String.init)
      for package in Fixtures.all(withExtension: "xcdatamodeld")
      where package.lastPathComponent == imported.modelName + ".xcdatamodeld"
        && package.path.dropFirst(repository).split(separator: "/").first.map(String.init) == app
      {
        let model = try #require(readXcodeModelPackage(at: package).model)
        for (name, hashes) in imported.mappingModel.snapshotHashes {
          guard let version = model.version(named: name) else { continue }
          for (entity, hash) in hashes where version.entityVersionHashesByName[entity]?.hexadecimal != hash {
            stale.insert("\(url.lastPathComponent): \(name).\(entity)")
          }
        }
      }
    }
    #expect(stale == ["MultiassetV2.xcmappingmodel: MultiassetUserDataModel_v2.CDMetaAccount"])
  }

  private func moody(_ step: String) throws -> ImportedMapping {
    try readXcodeMappingModel(
      at: Fixtures.url("objcio+core-data/Migrations/Migrations/\(step).xcmappingmodel"))
  }

  @Test func `Moody 2 to 3 relates continents and moods both ways`() throws {
    let imported = try moody("Moody 2-Moody 3")
    #expect(imported.modelName == "Moody")
    #expect(imported.mappingModel.sourceVersionName == "Moody 2")
    #expect(imported.mappingModel.destinationVersionName == "Moody 3")
    let mappings = imported.mappingModel.entityMappings
    #expect(mappings.map(\.name) == ["MoodToMood", "CountryToCountry", "ContinentToContinent"])
    func expression(_ mapping: Int, _ name: String) -> String? {
      mappings[mapping].relationshipMappings.first { $0.name == name }?.expression
    }
    #expect(
      expression(2, "moods")
        == "destinationInstances(\"MoodToMood\", $source.countries.@distinctUnionOfSets.moods)")
    #expect(
      expression(0, "continent")
        == "destinationInstances(\"ContinentToContinent\", $source.country.continent)")
  }

  @Test func `expressions, policies, filters and user info are read`() throws {
    let country = try moody("Moody 4-Moody 5").mappingModel.entityMappings[1]
    #expect(
      country.attributeMappings == [
        CustomPropertyMapping(name: "isoContinent", expression: "$source.continent.numericISO3166Code")
      ])
    let policy = try moody("Moody 5-Moody 6").mappingModel.entityMappings[1]
    #expect(policy.policyName == "Migrations.Country5ToCountry6Policy")
    let books = try readXcodeMappingModel(
      at: Fixtures.url("objcio+issue-4-core-data-migration/BookMigration/Model2_to_Model3.xcmappingmodel"))
    #expect(books.mappingModel.entityMappings.map(\.name) == ["File", "BookToBook", "AuthorToAuthor"])
    #expect(books.mappingModel.entityMappings[1].userInfo == ["modelVersion": "3"])
    #expect(books.diagnostics.map(\.code.description) == ["MC4109"])
    let notes = try #require(Self.mappings.first { $0.lastPathComponent.contains("v2_to_v3") })
    let filtered = try readXcodeMappingModel(at: notes).mappingModel.entityMappings[0]
    #expect(filtered.filter == "image != nil")
    let demo = try #require(Self.mappings.first { $0.lastPathComponent.contains("V2.FromV1") })
    let constants = try readXcodeMappingModel(at: demo).mappingModel.entityMappings[0].attributeMappings
    #expect(constants.map(\.expression) == ["TRUE", "$source.numberOfFlagella"])
  }

  /// The one mapping model of which both forms are at hand: Xcode's own compiler made the second of the first.
  @Test func `a compiled mapping model says what its source says`() throws {
    let folder = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/"
    let source = try readXcodeMappingModel(
      at: Fixtures.url(folder + "MappingModels/V2toV3.xcmappingmodel"))
    let package = readXcodeModelPackage(at: Fixtures.url(folder + "SampleModel.xcdatamodeld"))
    let model = try #require(package.model)
    let url = Fixtures.url(folder + "Fixtures/V2toV3.cdm")
    let compiled = try readCompiledMappingModel(at: url, among: [model])
    #expect(compiled == source)
    let path = folder + "MappingModels/V2toV3.xcmappingmodel"
    #expect(try readMappingModels(at: Fixtures.url(path)) == [source.mappingModel])
    #expect(try readMappingModels(at: url, among: [model]) == [source.mappingModel])
    #expect(compiled.mappingModel.entityMappings.count == 5)
    let error = try #require(throws: DiagnosticsError.self) {
      try readCompiledMappingModel(at: url, among: [])
    }
    #expect(error.diagnostics.map(\.code.description) == ["MC4101"])
  }

  @Test func `an attribute that a compiled mapping model does not list starts with its default`() throws {
    let folder = "alemar11+CoreDataPlus/Tests/Resources/SampleModel/"
    let package = readXcodeModelPackage(at: Fixtures.url(folder + "SampleModel.xcdatamodeld"))
    let model = try #require(package.model)
    var data = try Data(contentsOf: Fixtures.url(folder + "Fixtures/V2toV3.cdm"))
    while let place = data.range(of: Data("isLimitedEdition".utf8)) {
      data.replaceSubrange(place, with: Data("isLimitedAnythin".utf8))
    }
    let read = try data.unarchiveMappingModel(among: [model], file: "x.cdm").mappingModel
    let car = try #require(read.entityMappings.first { $0.name == "LuxuryCarToLuxuryCar" })
    #expect(car.attributeMappings.contains(CustomPropertyMapping(name: "isLimitedEdition", expression: nil)))
  }
}
